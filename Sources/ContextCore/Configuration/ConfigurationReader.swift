import Foundation

/// Reads one configuration file.
struct ConfigurationReader {
    /// The contents of a file.
    struct Contents {
        var stores: [String: ConfiguredStore] = [:]
        var defaultStore: (name: String, origin: SettingOrigin)?
    }

    let path: String
    let problems = JSONProblems()

    /// Reads and checks the file.
    ///
    /// - Throws: ``StoreError/Code/configuration`` with all problems and their lines.
    func contents() throws(StoreError) -> Contents {
        let root = try document().root
        let contents = contents(of: root)
        guard let first = problems.list.min(by: { $0.position < $1.position }) else { return contents }
        let others = problems.list.filter { $0 != first }.sorted { $0.position < $1.position }
        throw StoreError(
            .configuration,
            ([first] + others).map { "\(path):\($0.position): \($0.message)" }.joined(separator: "\n"))
    }

    private func document() throws(StoreError) -> JSONDocument {
        let data: Data
        do {
            data = try Data(contentsOf: URL(fileURLWithPath: path))
        } catch {
            throw StoreError(
                .configuration, "The configuration file “\(path)” can't be read.",
                remedy: "Check that the file exists and that its permissions let you read it.")
        }
        do throws(JSONSyntaxError) {
            return try JSONDocument(data, allowsComments: true)
        } catch {
            throw StoreError(.configuration, "\(path):\(error.position): \(error.message)")
        }
    }

    private func contents(of root: JSONNode) -> Contents {
        var contents = Contents()
        guard var reader = JSONObjectReader(root, as: "the configuration", problems) else { return contents }
        _ = reader.string("$schema")
        let chosen = reader.string("default")
        let stores = reader.object("stores")
        for member in stores {
            guard StoreConfiguration.isName(member.name) else {
                problems.report(
                    "“\(member.name)” isn't a valid name of a store: a name must not be empty or contain a colon, space, slash or =.",
                    at: member.position)
                continue
            }
            contents.stores[member.name] = StoreEntryReader(path: path, problems: problems).store(member)
        }
        reader.requireMember("stores")
        if let chosen, let member = reader.member("default") {
            // Stores with mistakes of their own are there too.
            check(chosen, among: stores.map(\.name), at: member.value.position)
            contents.defaultStore = (chosen, .file(path, member.value.position))
        }
        reader.reportUnknownMembers()
        return contents
    }

    private func check(_ chosen: String, among names: [String], at position: JSONPosition) {
        if names.contains(chosen) { return }
        let near = Spelling.nearest(to: chosen, among: names).map { ": did you mean “\($0)”?" }
        problems.report(
            "The default store “\(chosen)” isn't in this file\(near ?? ": set “default” to a name in “stores”.")",
            at: position)
    }
}
