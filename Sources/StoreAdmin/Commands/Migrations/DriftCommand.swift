import ContextCore

/// Compares a store's tables with what its model asks for.
struct DriftCommand: Command {
    let declaration = CommandDeclaration(
        words: ["drift"], abstract: "Says in what a store's tables differ from what its model asks for.",
        discussion: """
            It also names what others have made on the store's tables: triggers, views, indexes, constraints, rules and row
            security, and triggers that are disabled. With --check it exits with 2 when there is anything.
            """,
        options: [.flag("check", nil, "Exits with 2 when there is anything.")],
        examples: [
            .init(words: "drift -s prod --check", help: "Whether somebody has changed tables by hand.")
        ],
        forms: [.json, .jsonl, .csv, .md], exits: ExitCode.ofStores.union([.differences]))

    func run(_ call: CommandCall) throws -> Report {
        let store = try call.store()
        let migrator = try store.backend.migrator(of: store.url)
        defer { migrator.close() }
        var rows = RowSet([.init("difference")], emptyText: "the tables are what the model asks for")
        let differences = try ProgressLine.during("comparing the tables", call.output) {
            try migrator.drift()
        }
        let others = try (migrator as? any UserObjectLister)?.userObjects() ?? []
        for difference in differences + others { rows.append([.string(difference)]) }
        var report = Report("drift", rows: rows)
        if call.arguments.has("check"), !rows.rows.isEmpty { report.exit = .differences }
        return report
    }
}
