import ContextCore

/// Checks a project's migrations for every backend, and optionally the data of a store that would make them fail.
struct MigrationLint {
    /// A finding and its backend, which is empty if the finding is the same for all backends.
    typealias Found = (backend: String, finding: MigrationFinding)

    private let call: CommandCall
    private let history: ModelHistory

    init(_ call: CommandCall) {
        self.call = call
        history = ModelHistory(call)
    }

    func findings() throws -> [Found] {
        let forkFindings = try history.forkFindings()
        // The other checks need versions that form a chain.
        if !forkFindings.isEmpty { return forkFindings.map { ("", $0) } }
        let versions = try history.versions()
        var found: [Found] = call.namesStore ? try storeFindings(versions) : []
        found += (versions.repeatedModelFindings + versions.foldedNames).map { ("", $0) }
        let transitions = try history.transitions(from: call.arguments["from"], to: nil)
        let models = (transitions.first.map { [$0.from] } ?? [versions.last]) + transitions.map(\.to)
        for backend in call.tool.backends where backend.migrationSupport != nil {
            // Most findings of a version recur in the next one.
            var seen: Set<MigrationFinding> = []
            let own = try models.flatMap { try backend.findings(on: $0.model) }
            found += own.filter { seen.insert($0).inserted }.map { (backend.name, $0) }
        }
        return found + transitions.flatMap(findings(of:))
    }

    private func findings(of transition: ModelTransition) -> [Found] {
        let backends = call.tool.backends.filter { $0.migrationSupport != nil }
        let plans = backends.map { backend in
            let plan = Result { try backend.migrationPlan([transition]) }.mapError { error in
                error as? StoreError ?? StoreError(.database, "\(error)")
            }
            return (backend: backend.name, plan: plan)
        }
        let common = transition.findings
        let own = plans.flatMap { backend, plan in
            ((try? plan.get())?.findings ?? []).filter { !common.contains($0) }.map { (backend, $0) }
        }
        return (common + transition.divergences(plans)).map { ("", $0) } + own
    }

    private func storeFindings(_ versions: ModelVersions) throws -> [Found] {
        let store = try call.store()
        let migrator = try store.backend.migrator(of: store.url)
        defer { migrator.close() }
        let state = try migrator.state()
        let live = try Self.rowFindings(state, versions, migrator)
        return (versions.editedVersionFindings(since: state) + live).map { (store.backend.name, $0) }
    }

    /// Returns the findings about rows that would make the next migration fail.
    private static func rowFindings(
        _ state: MigrationState, _ versions: ModelVersions, _ migrator: any StoreMigrator
    ) throws -> [MigrationFinding] {
        do {
            let checks = try nextStep(state, versions, migrator)?.checks ?? []
            return try checks.compactMap { check in try check.finding(migrator.count(check)) }
        } catch let error as StoreError where [.modelMismatch, .migrationRefused].contains(error.code) {
            // Other checks report an edited version, and a migration that can't be planned for any store.
            return (error.cause as? ObstructingRows).map { [$0.finding] } ?? []
        }
    }

    /// Returns the next step, the only one whose checks can run on the store's data yet.
    private static func nextStep(
        _ state: MigrationState, _ versions: ModelVersions, _ migrator: any StoreMigrator
    ) throws -> MigrationStep? {
        if let run = state.run { return run.remainingSteps.first }
        let transitions = try versions.transitions(from: ObjectModel(currentAmong: state.models))
        return try migrator.plan(Array(transitions.prefix(1))).steps.first
    }
}
