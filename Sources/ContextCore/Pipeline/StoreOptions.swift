/// Says how a program wants to use a store, whatever its backend.
public struct StoreOptions: Sendable, Hashable {
    /// What may run beside a write.
    public enum Discipline: String, Sendable, Hashable, Codable {
        /// Reads run beside a write, each on a moment of its own.
        case snapshot
        /// A write runs beside nothing: it begins when all that was submitted before it has ended, and what is submitted after it
        /// begins when it has ended.
        case exclusive
    }

    /// How the writes of a process follow each other.
    public enum WriteOrder: Sendable, Hashable {
        /// One at a time, in the order of submission. Other processes write meanwhile, where the store lets them.
        case ordered
        /// Up to so many at once, each in a transaction of its own; the order is that of their commits.
        ///
        /// Only writes of one lane keep their order: `store.write("move", lane: "account 7") { … }`.
        ///
        /// A store in memory or on SQLite has one writer, so there this is ``ordered``.
        case concurrent(limit: Int)
    }

    /// What becomes of an operation when as many wait as may.
    public enum WhenFull: String, Sendable, Hashable, Codable {
        /// It throws ``StoreError/Code/overloaded`` at once, unless it can begin at once.
        case fail
        /// It waits like those before it, in the order of submission.
        case wait
    }

    /// How many threads contexts have beside one for each operation that may run at once.
    ///
    /// Blocks of contexts that need no session run on them while others wait for the store.
    static let spareContextThreads = 16

    /// How many reads may run at once, each with a session and a thread of its own.
    ///
    /// More reads wait their turn.
    ///
    /// The threads of a store are bounded too. ``ContextActor`` blocks run on as many threads as reads and writes may
    /// run at once, and 16 more; however many contexts have something to do, the others wait in a queue that costs no
    /// thread. Only contexts that a thread waits for, and those that come in the place of blocks that wait for
    /// something else than the store, go over that bound.
    public var readLimit: Int
    /// How the writes of this process follow each other.
    public var writes: WriteOrder
    /// How many operations may wait; nil for as many as come.
    ///
    /// What becomes of the next one is said by the operation, or else by ``whenFull``.
    public var waitingLimit: Int?
    /// What becomes of an operation when ``waitingLimit`` others wait, unless the operation says.
    ///
    /// The fetches and saves of long-lived contexts don't say.
    public var whenFull: WhenFull
    /// What may run beside a write.
    public var discipline: Discipline
    /// Whether writes that wait already may share the commit of the one before, where that is quicker for all of them.
    ///
    /// Each is still whole or not at all, and none is answered before it is durable.
    public var groupsCommits: Bool
    /// How often a store that other processes may use looks for what they have saved, while somebody listens; nil for never.
    ///
    /// A store that says so itself when somebody saves, as those on PostgreSQL do, looks then besides.
    public var watchInterval: Duration?
    /// How long a read or save that blocks its thread waits for another context whose work makes no progress; nil for any time.
    ///
    /// It is for contexts over a ``ContextActor``: proxies, and children in another isolation. What they read and save waits for the
    /// context above, and that one's block may be waiting for their thread, as a shared block does that calls `DispatchQueue.main.sync`. Such
    /// a wait is given up with ``StoreError/Code/wouldDeadlock``, which says where the block was submitted. A property can't throw: it
    /// is as if it were empty, and what the context does next throws the error.
    ///
    /// A block makes progress while its thread uses the processor or the store. So one that computes for long, or waits for the store, is
    /// never meant; one that waits for something else for this long, such as a server or a lock, is. Let it wait before the block, or raise
    /// the limit. ``ContextActor/performAndWait(fileID:line:_:)`` waits for any time.
    public var deadlockTimeout: Duration?
    /// What hears of the statements that are sent to the store's database, if it has one.
    public var statementLog: StatementLog?
    /// What hears of operations that have ended.
    public var operationLog: OperationLog?

    /// Chooses options.
    public init(
        readLimit: Int = 4, writes: WriteOrder = .ordered, waitingLimit: Int? = nil,
        whenFull: WhenFull = .fail,
        discipline: Discipline = .snapshot,
        groupsCommits: Bool = true, watchInterval: Duration? = .seconds(1),
        deadlockTimeout: Duration? = .seconds(10), statementLog: StatementLog? = nil,
        operationLog: OperationLog? = nil
    ) {
        self.readLimit = readLimit
        self.writes = writes
        self.waitingLimit = waitingLimit
        self.whenFull = whenFull
        self.discipline = discipline
        self.groupsCommits = groupsCommits
        self.watchInterval = watchInterval
        self.deadlockTimeout = deadlockTimeout
        self.statementLog = statementLog
        self.operationLog = operationLog
    }

    /// - Throws: ``StoreError/Code/configuration`` where nothing could ever run.
    func check() throws {
        var limits = [("readLimit", readLimit), ("waitingLimit", waitingLimit ?? 1)]
        if case .concurrent(let limit) = writes { limits.append(("limit of concurrent writes", limit)) }
        for (name, limit) in limits
        where limit < 1 {
            throw StoreError(.configuration, "A store needs a \(name) of at least 1.")
        }
        if let deadlockTimeout, deadlockTimeout <= .zero {
            throw StoreError(
                .configuration, "A store needs a deadlockTimeout of more than no time, or nil for no limit.")
        }
    }
}

extension PipelineQueue.Rules {
    init(_ options: StoreOptions, _ capabilities: StoreCapabilities) {
        let writeLimit =
            switch options.writes {
            case .concurrent(let limit) where capabilities.contains(.concurrentWrites): limit
            case .ordered, .concurrent: 1
            }
        self.init(
            readLimit: options.readLimit, writeLimit: writeLimit,
            waitingLimit: options.waitingLimit, isExclusive: options.discipline == .exclusive)
    }
}
