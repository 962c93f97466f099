public import Foundation

/// Migrates a store: what a backend does for a migration.
///
/// A migrator is one connection, used by one thread at a time.
public protocol StoreMigrator: AnyObject {
    /// Says what the store is, and whether a migration of it was begun and not finished.
    func state() throws -> MigrationState
    /// Says what has to be done; nothing is changed.
    ///
    /// - Throws: ``StoreError/Code/migrationRefused`` where a transition can't be made.
    func plan(_ transitions: [ModelTransition]) throws -> MigrationPlan
    /// Says how many rows tables have, by name; nothing is changed.
    ///
    /// It is for those who review a plan, and quick: where counting would take long, the database's own estimate is the answer. A table
    /// that isn't there, or that somebody keeps others from, is left out.
    func rowCounts(of tables: [String]) throws -> [String: RowCount]
    /// Counts the rows of the store as it is that stand in the way of a step; nothing is changed.
    func count(_ check: MigrationStep.Check) throws -> Int
    /// Finishes what was begun, and then does what has to be done, alone among all processes that migrate the store.
    ///
    /// - Throws: ``StoreError/Code/migrationRefused`` where something would be lost that nobody has named, where nobody has decided
    ///   something, or where the plan isn't the one that was reviewed.
    func migrate(to versions: ModelVersions, _ options: MigrationOptions) throws -> MigrationOutcome
    /// Takes back what was begun and not finished, so that the store is as it was.
    ///
    /// It can be done until the first step of the last phase is. Where a part of a reviewed plan is done and nothing is begun, the rest
    /// of that plan counts no more.
    ///
    /// - Throws: ``StoreError/Code/migrationRefused`` where nothing was begun, or too much is done; and where programs of the newer
    ///   version may have kept something in what was added, unless all of that is among the accepted losses.
    func abandon(_ options: MigrationOptions) throws
    /// Compares the tables with what the store's model asks for, a sentence a difference.
    func drift() throws -> [String]
    /// Notes that the tables are of a version, where they are what that version asks for; otherwise nothing is changed.
    ///
    /// - Returns: In what they differ, a sentence each.
    /// - Throws: ``StoreError/Code/migrationUnfinished`` where a migration was begun and not finished.
    func adopt(_ version: ModelVersion, _ options: MigrationOptions) throws -> [String]
    /// Ends the connection; a second call does nothing.
    func close()
}

/// What a store is, as migrations see it.
public struct MigrationState: Sendable, Hashable {
    /// A migration that was begun.
    public struct Run: Sendable, Hashable {
        /// The two versions: `V1-V2`.
        public var transition: String
        /// The fingerprint of the model that the store is to have.
        public var fingerprint: String
        /// That model, as the text of a model file.
        public var fileText: String
        /// The fingerprint of the model that the store had.
        public var origin: String
        /// What is lost, by name: `Game`, or `Game.title`.
        public var losses: [String]
        /// What the newer model has and the older one hasn't, by name: what goes where the migration is taken back.
        public var added: [String]
        /// Whether programs of both versions can use the store now.
        public var isShared: Bool
        /// Whether a program does it by opening the store that knows no model but its own.
        public var isAutomatic: Bool
        /// The last phase that anybody has asked for since it was begun.
        public var lastPhase: MigrationPhase
        /// The steps between the two versions.
        public var steps: [MigrationStep]
        /// How many of them are done.
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

    /// A migration that was made.
    public struct Entry: Sendable, Hashable {
        /// The two versions: `V1-V2`.
        public var transition: String
        /// When it was made.
        public var date: Date
        /// The plan's digest, and who made it where.
        public var detail: String

        package init(transition: String, date: Date, detail: String) {
            self.transition = transition
            self.date = date
            self.detail = detail
        }
    }

    /// The store's identity.
    public var storeID: UUID
    /// The models that the store was made and migrated with, the last one being in force.
    public var models: [StoredModel]
    /// The numbers of the models that programs put in force by opening the store.
    public var automatic: Set<Int>
    /// The fingerprints of the versions that the store went through, by what people called them.
    public var versions: [String: String]
    /// What was begun and not finished; nil where nothing was.
    public var run: Run?
    /// The digest of a reviewed plan of which a part is done; nil where there is none.
    ///
    /// A migration that is given it does the rest of that plan.
    public var reviewed: String?
    /// The migrations that were made, the first one first.
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
