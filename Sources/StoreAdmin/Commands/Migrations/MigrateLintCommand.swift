import ContextCore

/// Looks a project's migrations over.
struct MigrateLintCommand: Command {
    let declaration = CommandDeclaration(
        words: ["migrate", "lint"],
        abstract: "Looks the migrations over, for every backend, without a store.",
        discussion: """
            It exits with 2 for errors: what would be lost and nobody has accepted, what nobody has decided, two versions that
            follow the same one, and one that has an earlier one's model with other values are some. With --strict it does so for
            warnings too. Where a store is named, versions that it went through and that were edited since are found too, and the
            rows in it that would stop the next migration.
            """,
        options: [
            ModelHistory.option, .option("from", nil, "VERSION", "Only migrations after this version."),
            .flag("strict", nil, "Warnings count as errors."),
        ],
        examples: [
            .init(words: "migrate lint --strict", help: "Before a branch is merged."),
            .init(words: "migrate lint -s prod", help: "Before a release: whether rows stand in the way."),
        ],
        forms: [.json, .jsonl, .csv, .md], exits: ExitCode.ofStores.union([.differences]))

    func run(_ call: CommandCall) throws -> Report {
        let found = try MigrationLint(call).findings()
        var rows = RowSet(
            [.init("severity"), .init("rule"), .init("subject"), .init("backend"), .init("finding")],
            emptyText: "nothing to say")
        for (backend, finding) in found {
            rows.append([
                .string(finding.severity.rawValue), .string(finding.rule), .string(finding.subject),
                .string(backend), .string(finding.sentence),
            ])
        }
        var report = Report("migrate.lint", rows: rows)
        let limit = call.arguments.has("strict") ? MigrationFinding.Severity.warning : .error
        if found.contains(where: { $0.1.severity >= limit }) { report.exit = .differences }
        return report
    }
}
