import ContextCore

/// Compares a store's tables with its model.
struct DriftCommand: Command {
    let declaration = CommandDeclaration(
        words: ["drift"], abstract: "Lists the differences between a store's tables and its model.",
        discussion: """
            It also lists user-defined objects on the store's tables: triggers, views, indexes, constraints, rules and row
            security, and disabled triggers. With --check it exits with 2 if it lists anything.
            """,
        options: [.flag("check", nil, "Exits with 2 if there are differences or user-defined objects.")],
        examples: [
            .init(words: "drift -s prod --check", help: "Whether tables were changed manually.")
        ],
        formats: [.json, .jsonl, .csv, .md], exitCodes: ExitCode.storeCommands.union([.differences]))

    func run(_ call: CommandCall) throws -> Report {
        let store = try call.store()
        let drift = try TableDrift(of: store, call.output)
        var rows = RowSet([.init("difference")], emptyText: "the tables match the model")
        for text in drift.differences + drift.userObjects { rows.append([.string(text)]) }
        var report = Report("drift", rows: rows)
        if call.arguments.has("check"), !rows.rows.isEmpty { report.exit = .differences }
        return report
    }
}
