import ContextCore

/// Checks a project's migrations.
struct MigrateLintCommand: Command {
    let declaration = CommandDeclaration(
        words: ["migrate", "lint"],
        abstract: "Checks the migrations for every backend, without a store.",
        discussion: """
            It exits with 2 if it finds errors, such as losses that are not accepted, undecided changes, two versions that
            follow the same one, and a version that returns to the model of an earlier one. With --strict it does so for
            warnings too. If a store is named, it also finds versions of that store that were edited since, and rows that
            would make the next migration fail.
            """,
        options: [
            ModelHistory.option, .option("from", nil, "VERSION", "Only migrations after this version."),
            .flag("strict", nil, "Treats warnings as errors."),
        ],
        examples: [
            .init(words: "migrate lint --strict", help: "Before you merge a branch."),
            .init(words: "migrate lint -s prod", help: "Before a release, with the rows of a store."),
        ],
        formats: [.json, .jsonl, .csv, .md], exitCodes: ExitCode.storeCommands.union([.differences]))

    func run(_ call: CommandCall) throws -> Report {
        let found = try MigrationLint(call).findings()
        var rows = RowSet(
            [.init("severity"), .init("rule"), .init("subject"), .init("backend"), .init("finding")],
            emptyText: "no findings")
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
