public import Foundation

/// A backend's connection that migrates a store.
///
/// A migrator is one connection, used by one thread at a time.
public protocol StoreMigrator: AnyObject {
    /// Returns the state of the store, including an unfinished migration.
    func state() throws -> MigrationState
    /// Returns the plan of transitions; it changes nothing.
    ///
    /// - Throws: ``StoreError/Code/migrationRefused`` if a transition is impossible.
    func plan(_ transitions: [ModelTransition]) throws -> MigrationPlan
    /// Returns the numbers of rows of tables, by name; it changes nothing.
    ///
    /// The numbers are for reviewers and the call is fast: if counting would take long, it returns the database's estimate. It omits tables
    /// that don't exist or can't be read.
    func rowCounts(of tables: [String]) throws -> [String: RowCount]
    /// Counts the rows of the store that prevent a step; it changes nothing.
    func count(_ check: MigrationStep.Check) throws -> Int
    /// Finishes an unfinished migration and then runs the rest, while no other process can migrate the store.
    ///
    /// - Throws: ``StoreError/Code/migrationRefused`` if a loss isn't accepted, if a decision is missing, or if the plan isn't the reviewed
    ///   one.
    func migrate(to versions: ModelVersions, _ options: MigrationOptions) throws -> MigrationOutcome
    /// Rolls back an unfinished migration, so that the store has its previous state.
    ///
    /// This is possible until the first step of the last phase is done. If a reviewed plan is partly done and no migration is unfinished,
    /// it withdraws the approval of the rest of the plan.
    ///
    /// - Throws: ``StoreError/Code/migrationRefused`` if no migration is unfinished or too much of it is done, and if programs of the newer
    ///   version may have saved data in added properties whose loss isn't accepted.
    func rollBack(_ options: MigrationOptions) throws
    /// Compares the tables with those of the store's model, and returns a sentence for each difference.
    func drift() throws -> [String]
    /// Records that the tables are those of a version; if they aren't, it changes nothing.
    ///
    /// - Returns: The differences, a sentence each.
    /// - Throws: ``StoreError/Code/migrationUnfinished`` if a migration is unfinished.
    func adopt(_ version: ModelVersion, _ options: MigrationOptions) throws -> [String]
    /// Closes the connection; a second call does nothing.
    func close()
}

/// The models, versions and migrations of a store.
public struct MigrationState: Sendable, Hashable {
    /// An unfinished migration.
    public struct Run: Sendable, Hashable {
        /// The two versions: `V1-V2`.
        public var transition: String
        /// The fingerprint of the target model.
        public var fingerprint: String
        /// The target model, as the text of a model file.
        public var fileText: String
        /// The fingerprint of the model before the migration.
        public var origin: String
        /// The entities and properties whose data is lost: `Game`, or `Game.title`.
        public var losses: [String]
        /// The entities and properties of the newer model only, which a rollback removes.
        public var added: [String]
        /// Whether programs of both versions can use the store at present.
        public var isShared: Bool
        /// Whether it is an automatic migration of a program that knows only its own model.
        public var isAutomatic: Bool
        /// The last phase that was requested since the migration started.
        public var lastPhase: MigrationPhase
        /// The steps between the two versions.
        public var steps: [MigrationStep]
        /// The number of finished steps.
        public var done: Int

        package init(
            transition: String, fingerprint: String, fileText: String, origin: String, losses: [String],
            added: [String], isShared: Bool, isAutomatic: Bool, lastPhase: MigrationPhase,
            steps: [MigrationStep], done: Int
        ) {
            self.transition = transition
            self.fingerprint = fingerprint
            self.fileText = fileText
            self.origin = origin
            self.losses = losses
            self.added = added
            self.isShared = isShared
            self.isAutomatic = isAutomatic
            self.lastPhase = lastPhase
            self.steps = steps
            self.done = done
        }
    }

    /// A finished migration.
    public struct Entry: Sendable, Hashable {
        /// The two versions: `V1-V2`.
        public var transition: String
        /// The time of the migration.
        public var date: Date
        /// The plan's digest, the duration and the process identifier.
        public var detail: String

        package init(transition: String, date: Date, detail: String) {
            self.transition = transition
            self.date = date
            self.detail = detail
        }
    }

    /// The store's identity.
    public var storeID: UUID
    /// The models with which the store was made and migrated; the last one is current.
    public var models: [StoredModel]
    /// The numbers of the models to which the store was migrated automatically.
    public var automatic: Set<Int>
    /// The fingerprints of the versions that the store has had, by version name.
    public var versions: [String: String]
    /// The unfinished migration, if any.
    public var run: Run?
    /// The digest of a reviewed plan that is partly done; nil if there is none.
    ///
    /// A migration with this digest runs the rest of that plan.
    public var reviewed: String?
    /// The finished migrations, oldest first.
    public var entries: [Entry]

    package init(
        storeID: UUID, models: [StoredModel], automatic: Set<Int> = [], versions: [String: String] = [:],
        run: Run?, reviewed: String? = nil, entries: [Entry]
    ) {
        self.storeID = storeID
        self.models = models
        self.automatic = automatic
        self.versions = versions
        self.run = run
        self.reviewed = reviewed
        self.entries = entries
    }
}
