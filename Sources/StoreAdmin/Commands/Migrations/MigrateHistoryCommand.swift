import ContextCore

/// Lists the migrations of a store.
struct MigrateHistoryCommand: Command {
    let declaration = CommandDeclaration(
        words: ["migrate", "history"],
        abstract: "Lists the past migrations of a store, the newest last.",
        examples: [.init(words: "migrate history -s prod", help: "When the store was migrated.")],
        formats: [.json, .jsonl, .csv, .md])

    func run(_ call: CommandCall) throws -> Report {
        let store = try call.store()
        return Report(
            "migrate.history", rows: Self.rows(try store.backend.migrationState(of: store.url).entries))
    }

    /// Returns a row for each past migration.
    static func rows(_ entries: [MigrationState.Entry]) -> RowSet {
        var rows = RowSet(
            [.init("migration"), .init("date"), .init("detail")], emptyText: "no migrations")
        for entry in entries {
            rows.append([
                .string(entry.transition), .string(CivilTime(date: entry.date).text), .string(entry.detail),
            ])
        }
        return rows
    }
}
