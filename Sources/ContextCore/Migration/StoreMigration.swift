/// Says what is done where a program opens a store of another version of its model.
public enum StoreMigration: Sendable {
    /// What nothing is lost by, and nobody has to decide, is done by itself in a file; on a server it is refused, with what to run.
    case automatic
    /// Nothing: the store is refused.
    case none
    /// A store of any of the versions goes from each to the next, wherever it is.
    case stages(ModelVersions)
}

extension StoreBackend {
    /// How a backend migrates stores.
    public struct Migrating: Sendable {
        /// Whether a program may migrate a store by itself when it opens it.
        public var happensOnOpening: Bool
        let plan: @Sendable ([ModelTransition]) throws -> MigrationPlan
        let open: @Sendable (StoreURL, MigrationOptions) throws -> any StoreMigrator

        /// Offers migrations.
        ///
        /// - Parameters:
        ///   - happensOnOpening: Whether a program may migrate a store by itself when it opens it.
        ///   - plan: Says what has to be done to a fresh store, without one.
        ///   - open: Opens a migrator of a store; it may block.
        public init(
            happensOnOpening: Bool, plan: @escaping @Sendable ([ModelTransition]) throws -> MigrationPlan,
            open: @escaping @Sendable (StoreURL, MigrationOptions) throws -> any StoreMigrator
        ) {
            self.happensOnOpening = happensOnOpening
            self.plan = plan
            self.open = open
        }
    }

    /// Opens a migrator of a store.
    ///
    /// Blocks its thread.
    ///
    /// - Throws: ``StoreError/Code/unsupportedRequest`` where the backend's stores have only one model all their life.
    public func migrator(
        of url: StoreURL, _ options: MigrationOptions = MigrationOptions()
    ) throws -> any StoreMigrator {
        try needMigrating().open(url, options)
    }

    /// Says what has to be done to a store so that it is of the last version, or of another; nothing is changed.
    ///
    /// Blocks its thread.
    public func migrationPlan(
        of url: StoreURL, to versions: ModelVersions, version: String? = nil
    ) throws -> MigrationPlan {
        let migrator = try migrator(of: url)
        defer { migrator.close() }
        guard let stored = try migrator.state().models.last else {
            throw StoreError(.corrupt, "The store keeps no model.", remedy: "Restore a backup.")
        }
        let model = try ObjectModel(fileText: stored.fileText, fileName: "the store's model")
        return try migrator.plan(versions.transitions(from: model, to: version))
    }

    /// Says what has to be done to any store of some versions, without one.
    public func migrationPlan(_ transitions: [ModelTransition]) throws -> MigrationPlan {
        try needMigrating().plan(transitions)
    }

    /// Migrates a store, and finishes first what was begun before.
    ///
    /// Blocks its thread. A store that is what it should be is not touched.
    @discardableResult
    public func migrate(
        _ url: StoreURL, to versions: ModelVersions, _ options: MigrationOptions = MigrationOptions()
    ) throws -> MigrationOutcome {
        let migrator = try migrator(of: url, options)
        defer { migrator.close() }
        return try migrator.migrate(to: versions, options)
    }

    /// Takes back a migration of a store that was begun and not finished.
    ///
    /// Blocks its thread.
    ///
    /// - Throws: ``StoreError/Code/migrationRefused`` where there is nothing to take back, or it can't be any more.
    public func abandonMigration(of url: StoreURL, _ options: MigrationOptions = MigrationOptions()) throws {
        let migrator = try migrator(of: url, options)
        defer { migrator.close() }
        try migrator.abandon(options)
    }

    private func needMigrating() throws(StoreError) -> Migrating {
        if let migrating { return migrating }
        throw StoreError(
            .unsupportedRequest, "A store of \(name) has one model all its life.",
            remedy: "Copy it into a new one with storectl data copy.")
    }
}

extension StoreBackend {
    /// Opens a store, and migrates it before where that is wanted.
    ///
    /// Blocks its thread.
    func coordinator(
        for url: StoreURL, _ model: ObjectModel, _ options: StoreOptions, _ migration: StoreMigration,
        _ running: MigrationOptions
    ) throws -> any StoreCoordinator {
        do {
            return try coordinator(for: url, model, options)
        } catch let error as StoreError
            where error.code == .modelMismatch || error.code == .migrationUnfinished
        {
            guard let migrating, let versions = try versions(migration, migrating, url, model, error) else {
                throw error
            }
            try migrate(url, to: versions, running)
            return try coordinator(for: url, model, options)
        }
    }

    private func versions(
        _ migration: StoreMigration, _ migrating: Migrating, _ url: StoreURL, _ model: ObjectModel,
        _ mismatch: StoreError
    ) throws -> ModelVersions? {
        switch migration {
        case .none: return nil
        case .stages(let versions): return versions
        case .automatic:
            let reason: String
            do {
                let state = try migrationState(of: url)
                if let run = state.run {
                    // What was begun is finished by the program that it was begun for.
                    let isOurs = run.fingerprint == model.fingerprint
                    return isOurs && migrating.happensOnOpening ? ModelVersions(inferringTo: model) : nil
                }
                let versions = ModelVersions(inferringTo: model)
                try versions.checkDirection(state.models)
                let plan = try migrationPlan(of: url, to: versions)
                if plan.isLossless && migrating.happensOnOpening { return versions }
                reason = plan.hindrance
            } catch let error as StoreError where Self.hindrances.contains(error.code) {
                reason = error.message
            }
            throw StoreError(
                .modelMismatch, "The store was made with another model. \(reason)",
                remedy:
                    "Run “storectl migrate apply”, or open the store with the versions of its model; nothing was changed.",
                detail: mismatch.detail)
        }
    }

    /// What says that a store can't be migrated in this way, and nothing of its own.
    private static let hindrances: Set<StoreError.Code> = [
        .migrationRefused, .readOnly, .configuration, .unsupportedRequest,
    ]

    private func migrationState(of url: StoreURL) throws -> MigrationState {
        let migrator = try migrator(of: url)
        defer { migrator.close() }
        return try migrator.state()
    }
}

extension MigrationPlan {
    /// Why a program may not run it by itself.
    fileprivate var hindrance: String {
        if isLossless { return "This kind of store isn't migrated by opening it." }
        return (losses.map { "\($0) would be lost." } + undecided).joined(separator: " ")
    }
}
