import ContextCore

extension DevelopmentMigration {
    /// The result of a development migration.
    struct Result {
        let store: AdministeredStore
        /// The name of the store's version.
        let version: String
        /// The paths of the written files.
        let files: [String]
        /// The differences of the model from the version before, a sentence each; empty if no version was frozen.
        let operations: [String]
        /// Whether the store was created.
        let isCreated: Bool
        let outcome: MigrationOutcome
        /// The differences between the store's tables and its model, a sentence each.
        let differences: [String]

        var report: Report {
            let json: [String: JSONValue] = [
                "store": store.json, "version": .string(version),
                "files": .array(files.map(JSONValue.string)),
                "operations": .array(operations.map(JSONValue.string)), "created": .bool(isCreated),
                "differences": .array(differences.map(JSONValue.string)),
            ]
            let lines = lines
            return Report(
                "migrate.dev", json.merging(outcome.json) { $1 },
                exit: differences.isEmpty ? .success : .differences
            ) { _ in lines.map { $0 + "\n" }.joined() }
        }

        private var lines: [String] {
            let hasWork = !files.isEmpty || outcome.steps > 0 || isCreated
            var lines = files + operations.map { "  \($0)" }
            if outcome.steps > 0 { lines += outcome.lines }
            if isCreated { lines.append("\(store.title) was created.") }
            guard differences.isEmpty else {
                return lines + ["The tables of \(store.title) don't match \(version):"]
                    + differences.map { "  \($0)" }
            }
            if !hasWork { return ["\(store.title) is up to date: it has \(version)."] }
            lines.append("The tables of \(store.title) match \(version).")
            if !files.isEmpty { lines.append("Commit \(files.count == 1 ? "this file" : "these files").") }
            return lines
        }
    }
}
