import ContextCore
import Foundation

/// Checks the settings of every store without connecting to any.
struct ConfigCheckCommand: Command {
    let declaration = CommandDeclaration(
        words: ["config", "check"],
        abstract: "Checks every store's URL, settings and secrets, without opening a store.",
        discussion: "It exits with 2 if it finds a problem, and with 78 if the file can't be read.",
        examples: [.init(words: "config check", help: "Before you deploy a configuration.")],
        takesTenant: false,
        formats: [.json, .jsonl, .csv, .md], exitCodes: [.differences, .configuration])

    func run(_ call: CommandCall) throws -> Report {
        let tool = call.tool
        let configuration = try tool.configuration(file: call.arguments["config"])
        var rows = RowSet(
            [.init("store"), .init("finding"), .init("remedy")], emptyText: "no problems found")
        for file in configuration.files {
            for (finding, remedy) in Self.findings(of: file, configuration) {
                rows.append([.none, .string(finding), .string(remedy)])
            }
        }
        for name in configuration.storeNames {
            do {
                _ = try tool.store(name, config: call.arguments["config"])
            } catch {
                let error = AdminError(error)
                rows.append([.string(name), .string(error.message), .string(error.hint ?? "")])
            }
        }
        var report = Report("config.check", rows: rows)
        if !rows.rows.isEmpty { report.exit = .differences }
        return report
    }

    /// Returns the findings about passwords in a configuration file, and about the file's permissions if it has any.
    private static func findings(
        of file: String, _ configuration: StoreConfiguration
    ) -> [(finding: String, remedy: String)] {
        let stores = configuration.storeNames.compactMap { configuration.stores[$0] }
        let urls = stores.compactMap { store -> StoreURL? in
            guard case .url(let url, .file(file, _)) = store.address else { return nil }
            return url
        }
        let options = stores.flatMap(\.options).filter { _, option in
            if case .file(file, _) = option.origin { true } else { false }
        }
        var findings: [(finding: String, remedy: String)] = []
        if urls.contains(where: { $0.password != nil }) {
            findings.append(
                (
                    "\(file) has a password in a URL.",
                    "Remove it from the URL, and name its source with \"password\": {\"file\": …}."
                ))
        }
        let settings = Set((urls.flatMap(\.options.keys) + options.map(\.key)).filter(StoreURL.isSecret))
        for setting in settings.sorted() {
            findings.append(
                (
                    "\(file) has a password in the setting \(setting).",
                    "Put the whole URL into an environment variable, \"url\": {\"env\": …}."
                ))
        }
        guard !findings.isEmpty else { return [] }
        let attributes = try? FileManager.default.attributesOfItem(atPath: file)
        let permissions = (attributes?[.posixPermissions] as? NSNumber)?.intValue ?? 0
        if permissions & 0o077 != 0 {
            findings.append(
                ("\(file) has a password, and other users can read the file.", "Run chmod 600 on it."))
        }
        return findings
    }
}
