/// The automatic migration of a store when a program opens it with another model, without model versions.
struct AutomaticMigration {
    let backend: StoreBackend
    let url: StoreURL
    let model: ObjectModel
    /// The error with which opening the store failed.
    let mismatch: StoreError

    /// Migrates the store if no data is lost and no decision is needed.
    ///
    /// - Throws: `StoreError.Code.modelMismatch` if data would be lost, a decision is needed, or the store has a later version of the
    ///   model; `StoreError.Code.migrationUnfinished` if another migration was started that the program can't finish.
    func run(_ options: MigrationOptions) throws {
        var options = options
        options.isOpening = true
        for _ in 0..<Self.attemptLimit {
            let state = try wrappingRefusals { try backend.migrationState(of: url) }
            guard let run = state.run, isMigrationFromOwnModel(run) else {
                return try proceed(from: state, options)
            }
            try endOtherMigration(run, options)
        }
        try proceed(from: wrappingRefusals { try backend.migrationState(of: url) }, options)
    }

    /// The error codes that ``endDeparture(_:_:)`` gets if another process has continued the migration, or has started another one.
    private static let concurrentMigrationCodes: Set<StoreError.Code> = [
        .migrationRefused, .contention, .migrationUnfinished,
    ]

    /// How often the state is read again because another process has continued the migration.
    private static let attemptLimit = 3

    private func proceed(from state: MigrationState, _ options: MigrationOptions) throws {
        if let run = state.run {
            try finish(run, of: state, options)
        } else if ModelVersions(inferringTo: model).revertsAutomaticMigration(
            state.models, automatic: state.automatic)
        {
            try revert(state, options)
        } else {
            try migrateForward(from: state, options)
        }
    }

    private var migratesOnOpening: Bool { backend.migrationSupport?.migratesOnOpening == true }

    private func migrateForward(from state: MigrationState, _ options: MigrationOptions) throws {
        let versions = ModelVersions(inferringTo: model)
        try wrappingRefusals {
            try versions.checkDirection(state.models, automatic: state.automatic)
            try check(backend.migrationPlan(of: url, to: versions))
        }
        try backend.migrate(url, to: versions, options)
    }

    // MARK: Unfinished runs

    private func finish(
        _ run: MigrationState.Run, of state: MigrationState, _ options: MigrationOptions
    ) throws {
        guard migratesOnOpening else {
            throw refusalError(
                "The migration \(run.transition) was started but not finished.", .migrationUnfinished)
        }
        let versions = ModelVersions(inferringTo: model)
        if run.fingerprint != model.fingerprint {
            try versions.checkFinishing(state, isOpening: true)
            let newer = try ObjectModel(fileText: run.fileText, fileName: "the model of the migration")
            try wrappingRefusals { try check(backend.migrationPlan(versions.transitions(from: newer))) }
        }
        try backend.migrate(url, to: versions, options)
    }

    // MARK: Programs with different models

    /// Whether the run is another program's automatic migration from this program's model, so that no data can have been saved since.
    private func isMigrationFromOwnModel(_ run: MigrationState.Run) -> Bool {
        migratesOnOpening && run.isAutomatic && !run.isShared && run.origin == model.fingerprint
    }

    /// Ends another program's unfinished migration: rolls it back, or completes it if a step has already removed something.
    private func endOtherMigration(_ run: MigrationState.Run, _ options: MigrationOptions) throws {
        var options = options
        do {
            if run.steps.prefix(run.done).contains(where: { $0.phase == .contract }) {
                options.finishesOnly = true
                let newer = try ObjectModel(fileText: run.fileText, fileName: "the model of the migration")
                try backend.migrate(url, to: ModelVersions(inferringTo: newer), options)
            } else {
                options.requiredOrigin = model.fingerprint
                try backend.rollBackMigration(of: url, options)
            }
        } catch let error as StoreError where Self.concurrentMigrationCodes.contains(error.code) {
            // Another process has continued the migration, so the caller reads the state again.
        }
    }

    /// Migrates a store back to this model, from which another program migrated it automatically.
    private func revert(_ state: MigrationState, _ options: MigrationOptions) throws {
        var options = options
        var hints = MigrationHints()
        let versions = ModelVersions(inferringTo: model)
        let plan = try wrappingRefusals { try backend.migrationPlan(of: url, to: versions) }
        let changes = plan.segments.flatMap(\.transition.difference.changes)
        let fillsIn = changes.contains { change in
            if case .required(default: .some) = change.kind { true } else { false }
        }
        if fillsIn {
            // Rows without a value would get the default, although no program has assigned it.
            throw refusalError(
                "Another program migrated it when it opened the store, so values may be missing.")
        }
        for change in plan.segments.flatMap(\.transition.undecided) {
            // The values were converted from the narrower type, so they may fit it again; a conversion to float would round them.
            if case .type(_, let type) = change.kind, type != .float, let name = change.propertyName {
                hints.conversions[change.path] = name
            }
        }
        options.removedOnlyIfEmpty = Set(plan.losses)
        do {
            let versions = ModelVersions(inferringTo: model, hints: hints)
            guard migratesOnOpening else { throw planRefusalError(plan) }
            try backend.migrate(url, to: versions, options)
        } catch let error as StoreError where error.code == .migrationRefused {
            throw refusalError("Another program migrated it when it opened the store. \(error.message)")
        }
    }

    // MARK: Errors

    private func check(_ plan: MigrationPlan) throws(StoreError) {
        guard plan.isLossless, migratesOnOpening else { throw planRefusalError(plan) }
    }

    private func planRefusalError(_ plan: MigrationPlan) -> StoreError {
        let reasons = plan.losses.map { "\($0) would be lost." } + plan.undecided
        return refusalError(
            reasons.isEmpty
                ? "Its backend doesn't migrate stores automatically." : reasons.joined(separator: " "),
            mayBeRename: plan.segments.contains { Self.mayContainRename($0.transition.difference.changes) })
    }

    /// Whether something that is removed may be something new under its former name: two entities, or two properties of one entity.
    private static func mayContainRename(_ changes: [ModelChange]) -> Bool {
        changes.contains { removed in
            guard removed.kind == .removed else { return false }
            return changes.contains { added in
                added.kind == .added && (added.propertyName == nil) == (removed.propertyName == nil)
                    && (added.propertyName == nil || added.entityName == removed.entityName)
            }
        }
    }

    /// - Parameter mayBeRename: Whether the difference of the models may be a rename, which must be declared.
    private func refusalError(
        _ reason: String, _ code: StoreError.Code = .modelMismatch, mayBeRename: Bool = false
    ) -> StoreError {
        let declaration =
            mayBeRename
            ? "Declare a rename with “renamedFrom:” in the model, or with “--rename OLD:NEW” of the following command. "
            : ""
        return StoreError(
            code, "The store was made with another model. \(reason)",
            remedy: declaration
                + "Run 'storectl migrate apply' with the application's own storectl, which has its model, or in the folder of its frozen "
                + "model versions; or open the store with “migration: .stages(versions)”. Nothing was changed.",
            detail: mismatch.detail)
    }

    /// The codes of errors which mean that the store can't be migrated automatically.
    private static let refusalCodes: Set<StoreError.Code> = [
        .migrationRefused, .readOnly, .configuration, .unsupportedRequest,
    ]

    private func wrappingRefusals<Value>(_ work: () throws -> Value) throws -> Value {
        do {
            return try work()
        } catch let error as StoreError where Self.refusalCodes.contains(error.code) {
            throw refusalError(error.message, mayBeRename: error.remedy == ModelTransition.renameRemedy)
        }
    }
}
