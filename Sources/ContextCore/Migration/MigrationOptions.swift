/// Says how a migration is run.
public struct MigrationOptions: Sendable {
    /// The version at which the store is to end; nil for the last.
    public var version: String?
    /// The digest of the plan that was reviewed; nil where any will do.
    public var digest: String?
    /// The last phase that is run.
    ///
    /// Up to ``MigrationPhase/validate``, programs of the older and the newer version work on the store, where both can. Where they
    /// can't, all phases are run: there is nothing to wait for.
    public var lastPhase: MigrationPhase = .contract
    /// What may be lost, by name, beside what the versions say themselves.
    public var acceptedLosses: Set<String> = []
    /// How long another process that migrates the store is waited for.
    public var patience: Duration = .seconds(60)
    /// How long a step waits for those who use the tables, before it lets go and tries again.
    ///
    /// Whoever comes later waits behind it. Shorter than a server's `deadlock_timeout`, it is always the migration that gives way.
    public var lockTimeout: Duration = .milliseconds(500)
    /// How often a step is tried that others got in the way of.
    public var attempts = 10
    /// Where a copy of the store is put before anything is lost or rewritten; nil for none.
    ///
    /// Where there is a file already, that is left alone, and the copy is put beside it: `before-2.sqlite` for `before.sqlite`. One that
    /// goes on with what was begun copies the store before the last phase, where programs of both versions were in force until then, and
    /// where it wasn't copied before; otherwise nobody has kept anything since. A migration that is refused leaves no copy.
    /// ``MigrationOutcome/backups`` says where copies are. Only stores in files are copied.
    public var backupPath: String?
    /// Whether what was begun is finished and nothing else is done.
    package var finishesOnly = false
    /// Whether a program does it by itself that opens the store and knows no model but its own.
    package var isOpening = false
    /// The fingerprint of a model, where only what a program began by opening a store of that model is taken back.
    package var begunFrom: String?
    /// What goes only where nothing is kept in it, by name.
    package var spared: Set<String> = []
    /// Hears of what is done.
    public var progress: (@Sendable (MigrationProgress) -> Void)?
    /// Asked between steps and batches; the migration stops where the answer is true, and can be resumed.
    public var isCancelled: @Sendable () -> Bool = { false }

    /// The usual way: all phases, to the last version.
    public init() {}
}

/// How far a migration is.
public struct MigrationProgress: Sendable, Hashable {
    /// The two versions: `V1-V2`.
    public let transition: String
    /// Which step it is, from 1.
    public let step: Int
    /// How many steps there are between the two versions.
    public let steps: Int
    /// What the step does.
    public let sentence: String
    /// How many rows it has gone through.
    public let rows: Int

    package init(transition: String, step: Int, steps: Int, sentence: String, rows: Int) {
        self.transition = transition
        self.step = step
        self.steps = steps
        self.sentence = sentence
        self.rows = rows
    }
}

/// What has become of a migration.
public struct MigrationOutcome: Sendable, Hashable {
    /// The transitions that were made: `V1-V2`.
    public var transitions: [String] = []
    /// How many steps were run.
    public var steps = 0
    /// Whether one is left unfinished: the last phase was not asked for.
    public var isPending = false
    /// The phases that are left of that one.
    public var leftPhases: [MigrationPhase] = []
    /// What was found and left alone, a sentence each: references that lead nowhere, for instance.
    public var notes: [String] = []
    /// The paths of the copies that were made of the store, the first one first.
    public var backups: [String] = []

    package init() {}
}
