import ContextCore
import Foundation

/// The folder that backups are in.
struct BackupFolder {
    /// The folder where none is named.
    private static let usual = "Backups"

    static let option = OptionDeclaration.option(
        "folder", nil, "FOLDER", "Where backups are; Backups in the working folder unless given.")

    let path: String

    init(_ call: CommandCall) {
        path = call.tool.surroundings.resolved(call.arguments["folder"] ?? Self.usual)
    }

    /// Makes the folder, which only its owner may look into, where there is none.
    func make() throws {
        var isFolder = false
        if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder { return }
        do {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw AdminError(
                code: "SC3009", exit: .cannotCreate, message: "the folder \(path) can't be made.",
                hint: "Check the path, and whether you may write there.")
        }
    }

    /// Removes the folder where nothing is in it.
    func removeIfEmpty() { rmdir(path) }

    /// The backups in order of their dates, the oldest first; what is no backup is passed over.
    func backups() -> [StoreBackup] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return names.filter { $0.hasSuffix(".sqlite") }
            .compactMap { try? StoreBackup(readingNotesOf: path + "/" + $0) }
            .sorted { ($0.date, $0.path) < ($1.date, $1.path) }
    }

    /// Finds a backup by its path, or by its name in the folder.
    func backup(_ word: String, _ surroundings: ConfigurationSurroundings) throws -> StoreBackup {
        let path = surroundings.resolved(word)
        let isPath = word.contains("/") || FileManager.default.fileExists(atPath: path)
        return try StoreBackup(readingNotesOf: isPath ? path : self.path + "/" + word)
    }

    /// A path for a new backup: the store's name and the moment, `prod-20260801T120000Z.sqlite`.
    func newPath(for store: AdministeredStore, _ date: String) -> String {
        let name = String(store.title.map { $0.isLetter || $0.isNumber || "-_.".contains($0) ? $0 : "-" })
        let short = store.name == nil ? store.confirmation : name
        let moment = date.prefix { $0 != "." }.filter { $0.isNumber || $0 == "T" }
        return "\(path)/\(short)-\(moment)Z.sqlite"
    }
}
