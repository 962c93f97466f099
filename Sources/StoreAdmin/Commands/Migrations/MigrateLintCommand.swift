import ContextCore

/// Looks a project's migrations over.
struct MigrateLintCommand: Command {
    let declaration = CommandDeclaration(
        words: ["migrate", "lint"],
        abstract: "Looks the migrations over, for every backend, without a store.",
        discussion: """
            It exits with 2 for errors: what would be lost and nobody has accepted, what nobody has decided, two
            versions that follow the same one, and one that has an earlier one's model with other values are some. With --strict it does so for warnings too. Where a store is named,
            versions that it went through and that were edited since are found too.
            """,
        options: [
            ModelHistory.option, .option("from", nil, "VERSION", "Only migrations after this version."),
            .flag("strict", nil, "Warnings count as errors."),
        ],
        examples: [.init(words: "migrate lint --strict", help: "Before a branch is merged.")],
        forms: [.json, .jsonl, .csv, .md], exits: ExitCode.ofStores.union([.differences]))

    func run(_ call: CommandCall) throws -> Report {
        let history = ModelHistory(call)
        let forks = try history.forks()
        // Versions that make no chain can't be gone through.
        let found = try forks.isEmpty ? findings(history, call) : forks.map { ("", $0) }
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

    private func findings(
        _ history: ModelHistory, _ call: CommandCall
    ) throws -> [(backend: String, MigrationFinding)] {
        var found: [(String, MigrationFinding)] = []
        if call.arguments["store"] != nil {
            let store = try call.store()
            let state = try store.backend.migrationState(of: store.url)
            found += try history.versions().edited(since: state).map { (store.backend.name, $0) }
        }
        found += try history.versions().returning.map { ("", $0) }
        let transitions = try history.transitions(from: call.arguments["from"], to: nil)
        var told: Set<MigrationFinding> = []
        for backend in call.tool.backends where backend.migrating != nil {
            // What the models alone tell is the same for all.
            for finding in try backend.migrationPlan(transitions).findings
            where told.insert(finding).inserted {
                found.append((backend.name, finding))
            }
        }
        return found
    }
}
