/// The options of a migration.
public struct MigrationOptions: Sendable {
    /// The version to which the store is migrated; nil for the last.
    public var version: String?
    /// The digest of the reviewed plan; nil to accept any plan.
    public var digest: String?
    /// The last phase to run.
    ///
    /// Up to ``MigrationPhase/validate``, programs of the older and the newer version can use the store, if the change allows that. If it
    /// doesn't, all phases are run, because there is nothing to wait for.
    public var lastPhase: MigrationPhase = .contract
    /// The entities and properties whose data may be lost, in addition to those that the versions accept.
    public var acceptedLosses: Set<String> = []
    /// How long to wait for another process that is migrating the store.
    public var waitTimeout: Duration = .seconds(60)
    /// How long a step waits for locks of tables before it gives up and retries.
    ///
    /// Other transactions queue behind a waiting migration. If this is shorter than a server's `deadlock_timeout`, the migration
    /// always gives up its locks before the server cancels another transaction because of a deadlock.
    public var lockTimeout: Duration = .milliseconds(500)
    /// The maximum number of attempts at a step that fails because of other transactions.
    public var maximumAttempts = 10
    /// The path to which the store is copied before data is lost or rewritten; nil for no copy.
    ///
    /// An existing file isn't overwritten; the copy gets the next free name: `before-2.sqlite` for `before.sqlite`. A resumed
    /// migration makes a copy before its last phase if programs of both versions could save until then, and if there is no copy
    /// yet; otherwise no program can have saved in between. A migration that fails its checks leaves no copy.
    /// ``MigrationOutcome/backups`` has the paths of copies. Only stores in files are copied.
    public var backupPath: String?
    /// Whether only an unfinished migration is finished, without starting another one.
    package var finishesOnly = false
    /// Whether this is the automatic migration of a program that opens the store and knows only its own model.
    package var isOpening = false
    /// The fingerprint of a model; if set, only an automatic migration from this model is rolled back.
    package var requiredOrigin: String?
    /// The entities and properties that may be removed only if they contain no data.
    package var removedOnlyIfEmpty: Set<String> = []
    /// A callback for progress.
    public var progress: (@Sendable (MigrationProgress) -> Void)?
    /// A callback between steps and batches; the migration stops when it returns true, and can be resumed.
    public var isCancelled: @Sendable () -> Bool = { false }

    /// Creates options for all phases, to the last version.
    public init() {}

    /// Returns the remedy of a refusal: how to accept losses with the tool and in code.
    static func remedy(accepting losses: [String]) -> String {
        "If that data may be lost, add --accept-loss \(losses.joined(separator: ",").shellQuoted) to the command, or the "
            + "\(losses.count == 1 ? "name" : "names") to MigrationOptions.acceptedLosses. Nothing was changed."
    }
}

/// The progress of a migration.
public struct MigrationProgress: Sendable, Hashable {
    /// The two versions: `V1-V2`.
    public let transition: String
    /// The number of the current step, from 1.
    public let step: Int
    /// The number of steps between the two versions.
    public let steps: Int
    /// What the step does, as a sentence.
    public let sentence: String
    /// The number of rows that the step has processed.
    public let rows: Int

    package init(transition: String, step: Int, steps: Int, sentence: String, rows: Int) {
        self.transition = transition
        self.step = step
        self.steps = steps
        self.sentence = sentence
        self.rows = rows
    }
}

/// The result of a migration.
public struct MigrationOutcome: Sendable, Hashable {
    /// The finished transitions: `V1-V2`.
    public var transitions: [String] = []
    /// The number of steps that were run.
    public var steps = 0
    /// Whether a transition is unfinished because its last phase was not requested.
    public var isPending = false
    /// The remaining phases of the unfinished transition.
    public var remainingPhases: [MigrationPhase] = []
    /// Problems that were found and not changed, a sentence each, such as dangling references.
    public var notes: [String] = []
    /// The paths of the copies of the store, oldest first.
    public var backups: [String] = []

    package init() {}
}
