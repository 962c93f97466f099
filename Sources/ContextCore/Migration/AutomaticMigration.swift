/// What a program does by itself that opens a store of another model, and knows no model but its own.
struct AutomaticMigration {
    let backend: StoreBackend
    let url: StoreURL
    let model: ObjectModel
    /// Why the store can't be opened as it is.
    let mismatch: StoreError

    /// Migrates the store if nothing is lost that way, and nobody has to decide anything.
    ///
    /// - Throws: `StoreError.Code.modelMismatch` where that can't be, or where the store went past the program's model;
    ///   `StoreError.Code.migrationUnfinished` where something was begun that the program can't finish.
    func run(_ options: MigrationOptions) throws {
        var options = options
        options.isOpening = true
        for _ in 0..<Self.attempts {
            let state = try explained { try backend.migrationState(of: url) }
            guard let run = state.run, isTurn(run) else { return try proceed(from: state, options) }
            try end(run, options)
        }
        try proceed(from: explained { try backend.migrationState(of: url) }, options)
    }

    /// What ending a turn fails with where somebody else has gone on with it, or has begun another migration since.
    private static let overtakings: Set<StoreError.Code> = [
        .migrationRefused, .contention, .migrationUnfinished,
    ]

    /// How often it is looked what others have left, as long as they go on with it.
    private static let attempts = 3

    private func proceed(from state: MigrationState, _ options: MigrationOptions) throws {
        if let run = state.run {
            try finish(run, of: state, options)
        } else if ModelVersions(inferringTo: model).takesBack(state.models, automatic: state.automatic) {
            try takeBack(state, options)
        } else {
            try goOn(from: state, options)
        }
    }

    private var happensOnOpening: Bool { backend.migrating?.happensOnOpening == true }

    private func goOn(from state: MigrationState, _ options: MigrationOptions) throws {
        let versions = ModelVersions(inferringTo: model)
        try explained {
            try versions.checkDirection(state.models, automatic: state.automatic)
            try check(backend.migrationPlan(of: url, to: versions))
        }
        try backend.migrate(url, to: versions, options)
    }

    // MARK: Runs that were left behind

    private func finish(
        _ run: MigrationState.Run, of state: MigrationState, _ options: MigrationOptions
    ) throws {
        guard happensOnOpening else {
            throw refusal(
                "The migration \(run.transition) was begun and is not finished.", .migrationUnfinished)
        }
        let versions = ModelVersions(inferringTo: model)
        if run.fingerprint != model.fingerprint {
            try versions.checkFinishing(state, isOpening: true)
            let newer = try ObjectModel(fileText: run.fileText, fileName: "the model of the migration")
            try explained { try check(backend.migrationPlan(versions.transitions(from: newer))) }
        }
        try backend.migrate(url, to: versions, options)
    }

    // MARK: Taking turns

    /// Whether it is a turn that another program was taking from this one, and that nobody can have kept anything in yet.
    private func isTurn(_ run: MigrationState.Run) -> Bool {
        happensOnOpening && run.isAutomatic && !run.isShared && run.origin == model.fingerprint
    }

    /// Ends a turn that another program has left behind, the shorter way: back, or to its end where something is gone already.
    private func end(_ run: MigrationState.Run, _ options: MigrationOptions) throws {
        var options = options
        do {
            if run.steps.prefix(run.done).contains(where: { $0.phase == .contract }) {
                options.finishesOnly = true
                let newer = try ObjectModel(fileText: run.fileText, fileName: "the model of the migration")
                try backend.migrate(url, to: ModelVersions(inferringTo: newer), options)
            } else {
                options.begunFrom = model.fingerprint
                try backend.abandonMigration(of: url, options)
            }
        } catch let error as StoreError where Self.overtakings.contains(error.code) {
            // Somebody else has gone on with it: what it is by now has to be looked at again.
        }
    }

    /// Brings a store back to the model that it was of before another program changed it in this way.
    private func takeBack(_ state: MigrationState, _ options: MigrationOptions) throws {
        var options = options
        var hints = MigrationHints()
        let versions = ModelVersions(inferringTo: model)
        let plan = try explained { try backend.migrationPlan(of: url, to: versions) }
        let changes = plan.stretches.flatMap(\.transition.difference.changes)
        let fillsIn = changes.contains { change in
            if case .required(default: .some) = change.kind { true } else { false }
        }
        if fillsIn {
            // What has no value now would get one that nobody has given it.
            throw refusal("Another program has changed it by opening it, so that values may be missing.")
        }
        for change in plan.stretches.flatMap(\.transition.undecided) {
            // The values came from the narrower type, so they may fit again; those of a double would be rounded.
            if case .type(_, let type) = change.kind, type != .float, let name = change.propertyName {
                hints.conversions[change.path] = name
            }
        }
        options.spared = Set(plan.losses)
        do {
            let versions = ModelVersions(inferringTo: model, hints: hints)
            guard happensOnOpening else { throw hindrance(plan) }
            try backend.migrate(url, to: versions, options)
        } catch let error as StoreError where error.code == .migrationRefused {
            throw refusal("Another program has changed it by opening it. \(error.message)")
        }
    }

    // MARK: Refusals

    private func check(_ plan: MigrationPlan) throws(StoreError) {
        guard plan.isLossless, happensOnOpening else { throw hindrance(plan) }
    }

    private func hindrance(_ plan: MigrationPlan) -> StoreError {
        let reasons = plan.losses.map { "\($0) would be lost." } + plan.undecided
        return refusal(
            reasons.isEmpty
                ? "This kind of store isn't migrated by opening it." : reasons.joined(separator: " "))
    }

    private func refusal(_ reason: String, _ code: StoreError.Code = .modelMismatch) -> StoreError {
        StoreError(
            code, "The store was made with another model. \(reason)",
            remedy:
                "Run “storectl migrate apply” with the application's own storectl, which has its model, or in the folder of its frozen "
                + "versions; or open the store with the versions of its model. Nothing was changed.",
            detail: mismatch.detail)
    }

    /// What says that a store can't be migrated in this way, and nothing of its own.
    private static let hindrances: Set<StoreError.Code> = [
        .migrationRefused, .readOnly, .configuration, .unsupportedRequest,
    ]

    private func explained<Value>(_ work: () throws -> Value) throws -> Value {
        do {
            return try work()
        } catch let error as StoreError where Self.hindrances.contains(error.code) {
            throw refusal(error.message)
        }
    }
}
