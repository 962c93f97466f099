import ContextCore

/// The versions of a store, the pending migrations, and the past ones.
enum MigrationsSection {
    static func contents(
        of store: AdministeredStore, _ models: [StoredModel], _ summary: MigrationSummary, _ tool: Tool
    ) throws -> ReportSection.Contents {
        let versions = MarkupTable(
            caption: "Models of the store, the current one last",
            rows: try ModelListCommand.rows(models, tool))
        let history = MarkupTable(
            caption: "Past migrations, the newest last",
            rows: MigrateHistoryCommand.rows(try store.backend.migrationState(of: store.url).entries))
        // The section on drift shows the differences.
        let lines = summary.lines.filter { $0.heading != "drift" }
        let isPending = summary.run != nil || summary.pending?.isEmpty == false
        let state = MigrationStateLine(summary.run, isPending: isPending).text
        return ReportSection.Contents(
            markup: """
                \(ReportFacts([("state", state)] + lines).markup)\(versions.markup)\(history.markup)
                """, findingCount: isPending || summary.problem != nil ? 1 : 0, result: result(summary))
    }

    private static func result(_ summary: MigrationSummary) -> String {
        if let run = summary.run { return "\(run.transition) is unfinished" }
        if summary.problem != nil { return "state unknown" }
        guard let pending = summary.pending else { return "no known versions" }
        return pending.isEmpty ? "up to date" : "\(pending.joined(separator: ", ")) pending"
    }
}
