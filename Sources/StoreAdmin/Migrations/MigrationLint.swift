import ContextCore

/// Looks a project's migrations over for every backend and, where a store is named, what stands in their way in it.
struct MigrationLint {
    /// Something that was found, by the backend that it is of; empty where it is the same for all.
    typealias Found = (backend: String, finding: MigrationFinding)

    private let call: CommandCall
    private let history: ModelHistory

    init(_ call: CommandCall) {
        self.call = call
        history = ModelHistory(call)
    }

    func findings() throws -> [Found] {
        let forks = try history.forks()
        // Versions that make no chain can't be gone through.
        if !forks.isEmpty { return forks.map { ("", $0) } }
        let versions = try history.versions()
        var found: [Found] = call.namesStore ? try ofStore(versions) : []
        found += (versions.returning + versions.foldedNames).map { ("", $0) }
        let transitions = try history.transitions(from: call.arguments["from"], to: nil)
        let models = (transitions.first.map { [$0.from] } ?? [versions.last]) + transitions.map(\.to)
        for backend in call.tool.backends where backend.migrating != nil {
            // A later version has most of what an earlier one has.
            var told: Set<MigrationFinding> = []
            let own = try models.flatMap { try backend.findings(on: $0.model) }
            found += own.filter { told.insert($0).inserted }.map { (backend.name, $0) }
        }
        return found + transitions.flatMap(of)
    }

    private func of(_ transition: ModelTransition) -> [Found] {
        let backends = call.tool.backends.filter { $0.migrating != nil }
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

    private func ofStore(_ versions: ModelVersions) throws -> [Found] {
        let store = try call.store()
        let migrator = try store.backend.migrator(of: store.url)
        defer { migrator.close() }
        let state = try migrator.state()
        let live = try Self.nextStep(state, versions, migrator)?.checks.compactMap { check in
            try check.finding(migrator.count(check))
        }
        return (versions.edited(since: state) + (live ?? [])).map { (store.backend.name, $0) }
    }

    /// The step that comes next: what is to be done after it can't be looked at yet.
    private static func nextStep(
        _ state: MigrationState, _ versions: ModelVersions, _ migrator: any StoreMigrator
    ) throws -> MigrationStep? {
        if let run = state.run { return run.rest.first }
        do {
            let transitions = try versions.transitions(from: ObjectModel(inForceAmong: state.models))
            return try migrator.plan(Array(transitions.prefix(1))).steps.first
        } catch let error as StoreError where [.modelMismatch, .migrationRefused].contains(error.code) {
            // A version that was edited, or a way that can't be gone, is found by itself.
            return nil
        }
    }
}
