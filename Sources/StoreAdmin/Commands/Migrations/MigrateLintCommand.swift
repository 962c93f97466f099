import ContextCore

/// Looks a project's migrations over.
struct MigrateLintCommand: Command {
    let declaration = CommandDeclaration(
        words: ["migrate", "lint"],
        abstract: "Looks the migrations over, for every backend, without a store.",
        discussion: """
            It exits with 2 for errors: what would be lost and nobody has accepted, what nobody has decided, and versions
            that make no chain are some. With --strict it does so for warnings too.
            """,
        options: [
            ModelHistory.option, .option("from", nil, "VERSION", "Only migrations after this version."),
            .flag("strict", nil, "Warnings count as errors."),
        ],
        examples: [.init(words: "migrate lint --strict", help: "Before a branch is merged.")],
        forms: [.json, .jsonl, .csv, .md])

    func run(_ call: CommandCall) throws -> Report {
        let transitions = try ModelHistory(call).transitions(from: call.arguments["from"], to: nil)
        var rows = RowSet(
            [.init("severity"), .init("rule"), .init("subject"), .init("backend"), .init("finding")],
            emptyText: "nothing to say")
        var worst: MigrationFinding.Severity?
        var told: Set<MigrationFinding> = []
        for backend in call.tool.backends where backend.migrating != nil {
            for finding in try backend.migrationPlan(transitions).findings {
                worst = max(worst ?? .note, finding.severity)
                // What the models alone tell is the same for all.
                guard told.insert(finding).inserted else { continue }
                rows.append([
                    .string(finding.severity.rawValue), .string(finding.rule), .string(finding.subject),
                    .string(backend.name), .string(finding.sentence),
                ])
            }
        }
        var report = Report("migrate.lint", rows: rows)
        let limit = call.arguments.has("strict") ? MigrationFinding.Severity.warning : .error
        if let worst, worst >= limit { report.exit = .differences }
        return report
    }
}
