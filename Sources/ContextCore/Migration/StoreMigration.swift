/// Says what is done where a program opens a store of another version of its model.
public enum StoreMigration: Sendable {
    /// What nothing is lost by, and nobody has to decide, is done by itself in a file; on a server it is refused, with what to run.
    ///
    /// A program may take back what another one did in this way, as long as nothing is kept in what goes.
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
        let adopt: (@Sendable (StoreURL, ObjectModel) throws -> [String])?
        let examine: (@Sendable (ObjectModel) throws -> [MigrationFinding])?

        /// Offers migrations.
        ///
        /// - Parameters:
        ///   - happensOnOpening: Whether a program may migrate a store by itself when it opens it.
        ///   - plan: Says what has to be done to a fresh store, without one.
        ///   - open: Opens a migrator of a store; it may block.
        ///   - adopt: Makes a store of a database that is none yet and has the tables of a model, or answers in what they differ and
        ///     changes nothing; nil where that can't be.
        ///   - examine: Says what people should know of how stores keep a model, without a store; nil where there is nothing to say.
        public init(
            happensOnOpening: Bool, plan: @escaping @Sendable ([ModelTransition]) throws -> MigrationPlan,
            open: @escaping @Sendable (StoreURL, MigrationOptions) throws -> any StoreMigrator,
            adopt: (@Sendable (StoreURL, ObjectModel) throws -> [String])? = nil,
            examine: (@Sendable (ObjectModel) throws -> [MigrationFinding])? = nil
        ) {
            self.happensOnOpening = happensOnOpening
            self.plan = plan
            self.open = open
            self.adopt = adopt
            self.examine = examine
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

    /// Says what a store is, as migrations see it; nothing is changed.
    ///
    /// Blocks its thread.
    package func migrationState(of url: StoreURL) throws -> MigrationState {
        let migrator = try migrator(of: url)
        defer { migrator.close() }
        return try migrator.state()
    }

    /// Says what has to be done to a store so that it is of the last version, or of another, and how many rows its tables have; nothing
    /// is changed.
    ///
    /// Blocks its thread.
    public func migrationPlan(
        of url: StoreURL, to versions: ModelVersions, version: String? = nil
    ) throws -> MigrationPlan {
        let migrator = try migrator(of: url)
        defer { migrator.close() }
        let model = try ObjectModel(inForceAmong: migrator.state().models)
        return try migrator.plan(versions.transitions(from: model, to: version)).counted(by: migrator)
    }

    /// The same plan, with what its conversions and stages make of a few rows; a stage is run for copies of them.
    ///
    /// Blocks its thread.
    package func sampledMigrationPlan(
        of url: StoreURL, to versions: ModelVersions, version: String? = nil
    ) throws -> MigrationPlan {
        let migrator = try migrator(of: url)
        defer { migrator.close() }
        let model = try ObjectModel(inForceAmong: migrator.state().models)
        return try migrator.plan(versions.transitions(from: model, to: version)).counted(by: migrator)
            .sampled(by: migrator)
    }

    /// Says what has to be done to any store of some versions, without one.
    public func migrationPlan(_ transitions: [ModelTransition]) throws -> MigrationPlan {
        try needMigrating().plan(transitions)
    }

    /// Says what people should know of how stores keep a model, without one.
    public func findings(on model: ObjectModel) throws -> [MigrationFinding] {
        try migrating?.examine?(model) ?? []
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

    /// Notes in a database of which version its tables are, where they are what a fresh store of that version would have.
    ///
    /// The database may be a store whose tables somebody has changed by hand, or have been made by other means; it is a store from then
    /// on. No table of an entity is changed, and none is ever made or dropped. Blocks its thread.
    ///
    /// - Returns: In what the tables differ, a sentence each; where there is anything, nothing was changed.
    /// - Throws: ``StoreError/Code/migrationUnfinished`` where a migration was begun and not finished, and
    ///   ``StoreError/Code/notAStore`` for a database of another program.
    public func adopt(
        _ url: StoreURL, as version: ModelVersion, _ options: MigrationOptions = MigrationOptions()
    ) throws -> [String] {
        do {
            let migrator = try migrator(of: url, options)
            defer { migrator.close() }
            return try migrator.adopt(version, options)
        } catch let error as StoreError where error.code == .notAStore {
            guard let adopt = migrating?.adopt else { throw error }
            let differences = try adopt(url, version.model)
            if !differences.isEmpty { return differences }
            // It is a store now, and notes what the version is called.
            let migrator = try migrator(of: url, options)
            defer { migrator.close() }
            return try migrator.adopt(version, options)
        }
    }

    private func needMigrating() throws(StoreError) -> Migrating {
        if let migrating { return migrating }
        throw StoreError(
            .unsupportedRequest, "A store of \(name) has one model all its life.",
            remedy: "Copy it into a new one with “storectl data copy”.")
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
            switch migration {
            case .stages(let versions) where migrating != nil: try migrate(url, to: versions, running)
            case .automatic where migrating != nil:
                try AutomaticMigration(backend: self, url: url, model: model, mismatch: error).run(running)
            default: throw error
            }
            return try coordinator(for: url, model, options)
        }
    }
}
