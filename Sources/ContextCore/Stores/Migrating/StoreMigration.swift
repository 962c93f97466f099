/// What happens when a program opens a store that has another version of its model.
public enum StoreMigration: Sendable {
    /// Migrates a store in a file if no data is lost and no decision is needed; for a store on a server, throws an error with the command
    /// to run.
    ///
    /// A program may undo another program's automatic migration if what it removes contains no data.
    case automatic
    /// Fails without migrating the store.
    case none
    /// Migrates a store from its version to the last of the given versions, one version at a time, in files and on servers.
    case stages(ModelVersions)
}

extension StoreBackend {
    /// The functions with which a backend migrates stores.
    public struct MigrationSupport: Sendable {
        /// Whether opening a store may migrate it automatically.
        public var migratesOnOpening: Bool
        let plan: @Sendable ([ModelTransition]) throws -> MigrationPlan
        let open: @Sendable (StoreURL, MigrationOptions) throws -> any StoreMigrator
        let adopt: (@Sendable (StoreURL, ObjectModel) throws -> [String])?
        let examine: (@Sendable (ObjectModel) throws -> [MigrationFinding])?

        /// Creates a description of a backend's migrations.
        ///
        /// - Parameters:
        ///   - migratesOnOpening: Whether opening a store may migrate it automatically.
        ///   - plan: Returns the plan for a new store, without opening one.
        ///   - open: Opens a migrator of a store; it may block.
        ///   - adopt: Turns a database that has the tables of a model into a store, or returns the differences and changes nothing; nil
        ///     if the backend doesn't support that.
        ///   - examine: Returns findings about how the backend stores a model; nil if there never are any.
        public init(
            migratesOnOpening: Bool, plan: @escaping @Sendable ([ModelTransition]) throws -> MigrationPlan,
            open: @escaping @Sendable (StoreURL, MigrationOptions) throws -> any StoreMigrator,
            adopt: (@Sendable (StoreURL, ObjectModel) throws -> [String])? = nil,
            examine: (@Sendable (ObjectModel) throws -> [MigrationFinding])? = nil
        ) {
            self.migratesOnOpening = migratesOnOpening
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
    /// - Throws: ``StoreError/Code/unsupportedRequest`` if the backend doesn't support migrations.
    public func migrator(
        of url: StoreURL, _ options: MigrationOptions = MigrationOptions()
    ) throws -> any StoreMigrator {
        try requireMigrationSupport().open(url, options)
    }

    /// Returns the models and the unfinished migration of a store, which it doesn't change.
    ///
    /// Blocks its thread.
    package func migrationState(of url: StoreURL) throws -> MigrationState {
        let migrator = try migrator(of: url)
        defer { migrator.close() }
        return try migrator.state()
    }

    /// Returns the plan that migrates a store to the last or the given version, with the numbers of rows of its tables; the store isn't
    /// changed.
    ///
    /// Blocks its thread.
    public func migrationPlan(
        of url: StoreURL, to versions: ModelVersions, version: String? = nil
    ) throws -> MigrationPlan {
        try countedPlan(of: url, to: versions, version) { plan, _ in plan }
    }

    /// Returns a migration plan with sample results of its conversions and stages, which run on copies of a few objects.
    ///
    /// Blocks its thread.
    package func sampledMigrationPlan(
        of url: StoreURL, to versions: ModelVersions, version: String? = nil
    ) throws -> MigrationPlan {
        try countedPlan(of: url, to: versions, version) { plan, migrator in try plan.sampled(by: migrator) }
    }

    private func countedPlan(
        of url: StoreURL, to versions: ModelVersions, _ version: String?,
        _ complete: (MigrationPlan, any StoreMigrator) throws -> MigrationPlan
    ) throws -> MigrationPlan {
        let migrator = try migrator(of: url)
        defer { migrator.close() }
        let model = try ObjectModel(currentAmong: migrator.state().models)
        let plan = try migrator.plan(versions.transitions(from: model, to: version))
        return try complete(plan.counted(by: migrator), migrator)
    }

    /// Returns the plan of the given transitions, without opening a store.
    public func migrationPlan(_ transitions: [ModelTransition]) throws -> MigrationPlan {
        try requireMigrationSupport().plan(transitions)
    }

    /// Returns findings about how the backend stores a model, without opening a store.
    public func findings(on model: ObjectModel) throws -> [MigrationFinding] {
        try migrationSupport?.examine?(model) ?? []
    }

    /// Migrates a store, after finishing its unfinished migration if there is one.
    ///
    /// Blocks its thread. A store that is already at the target version isn't changed.
    @discardableResult
    public func migrate(
        _ url: StoreURL, to versions: ModelVersions, _ options: MigrationOptions = MigrationOptions()
    ) throws -> MigrationOutcome {
        let migrator = try migrator(of: url, options)
        defer { migrator.close() }
        return try migrator.migrate(to: versions, options)
    }

    /// Rolls back an unfinished migration of a store.
    ///
    /// Blocks its thread.
    ///
    /// - Throws: ``StoreError/Code/migrationRefused`` if no migration is unfinished, or its last phase has started.
    public func rollBackMigration(of url: StoreURL, _ options: MigrationOptions = MigrationOptions()) throws {
        let migrator = try migrator(of: url, options)
        defer { migrator.close() }
        try migrator.rollBack(options)
    }

    /// Records the version of a database whose tables are exactly those of a new store of that version.
    ///
    /// The database may be a store whose tables were changed by hand, or a database without metadata, which becomes a store. No table of an
    /// entity is created, changed or dropped. Blocks its thread.
    ///
    /// - Returns: The differences of the tables, a sentence each; if there are any, nothing was changed.
    /// - Throws: ``StoreError/Code/migrationUnfinished`` if a migration is unfinished, and
    ///   ``StoreError/Code/notAStore`` for a database of another program.
    public func adopt(
        _ url: StoreURL, as version: ModelVersion, _ options: MigrationOptions = MigrationOptions()
    ) throws -> [String] {
        do {
            let migrator = try migrator(of: url, options)
            defer { migrator.close() }
            return try migrator.adopt(version, options)
        } catch let error as StoreError where error.code == .notAStore {
            guard let adopt = migrationSupport?.adopt else { throw error }
            let differences = try adopt(url, version.model)
            if !differences.isEmpty { return differences }
            // The database is a store now, so the name of the version can be recorded.
            let migrator = try migrator(of: url, options)
            defer { migrator.close() }
            return try migrator.adopt(version, options)
        }
    }

    private func requireMigrationSupport() throws(StoreError) -> MigrationSupport {
        if let migrationSupport { return migrationSupport }
        throw StoreError(
            .unsupportedRequest, "Stores of the backend \(name) can't be migrated.",
            remedy: "Copy the data into a new store with 'storectl data copy'.")
    }
}

extension StoreBackend {
    /// Opens a store, and migrates it first if necessary and allowed.
    ///
    /// Blocks its thread.
    func coordinator(
        for url: StoreURL, _ model: ObjectModel, _ options: StoreOptions, _ migration: StoreMigration,
        _ migrationOptions: MigrationOptions
    ) throws -> any StoreCoordinator {
        do {
            return try coordinator(for: url, model, options)
        } catch let error as StoreError
            where error.code == .modelMismatch || error.code == .migrationUnfinished
        {
            switch migration {
            case .stages(let versions) where migrationSupport != nil:
                try migrate(url, to: versions, migrationOptions)
            case .automatic where migrationSupport != nil:
                try AutomaticMigration(backend: self, url: url, model: model, mismatch: error).run(
                    migrationOptions)
            default: throw error
            }
            return try coordinator(for: url, model, options)
        }
    }
}
