/// The options for using a store, independent of its backend.
public struct StoreOptions: Sendable, Hashable {
    /// Whether reads run concurrently with writes.
    public enum Discipline: String, Sendable, Hashable, Codable {
        /// Reads run concurrently with writes, each on its own snapshot of the store.
        case snapshot
        /// A write runs alone: it starts after all operations submitted before it have ended, and operations submitted later start after it
        /// has ended.
        case exclusive
    }

    /// Whether the writes of a process run one at a time or concurrently.
    public enum WriteOrder: Sendable, Hashable {
        /// One at a time, in the order of submission. Other processes may write concurrently, if the store supports it.
        case ordered
        /// Up to `limit` at once, each in its own transaction, ordered by their commits.
        ///
        /// Only writes of one lane keep their order: `store.write("move", lane: "account 7") { … }`.
        ///
        /// Stores in memory and on SQLite have one writer, so this behaves like ``ordered`` for them.
        case concurrent(limit: Int)
    }

    /// What happens to an operation submitted while ``StoreOptions/waitingLimit`` operations are waiting.
    public enum OverflowPolicy: String, Sendable, Hashable, Codable {
        /// It throws ``StoreError/Code/overloaded``, unless it can start at once.
        case fail
        /// It waits, in the order of submission.
        case wait
    }

    /// The number of context threads in addition to one for each operation that may run at once.
    ///
    /// They run blocks that don't use the store while other blocks wait for it.
    static let spareContextThreads = 16

    /// The number of reads that may run at once, each with its own session and thread.
    ///
    /// More reads wait their turn.
    ///
    /// It also bounds the threads of ``ContextActor`` blocks: their number is the number of reads and writes that may run at once, plus
    /// 16. Contexts that wait for a thread use none. Only contexts that a thread waits for, and contexts that replace blocks stalled
    /// outside the store, exceed the bound.
    public var readLimit: Int
    /// Whether the writes of this process run one at a time or concurrently.
    public var writes: WriteOrder
    /// The number of operations that may wait; nil for no limit.
    ///
    /// The operation's `overflow` argument, or else ``overflow``, decides what happens to the next one.
    public var waitingLimit: Int?
    /// What happens to an operation submitted while ``waitingLimit`` operations are waiting, unless it has its own `overflow` argument.
    ///
    /// It always applies to fetches and saves of long-lived contexts.
    public var overflow: OverflowPolicy
    /// Whether reads run concurrently with writes.
    public var discipline: Discipline
    /// Whether consecutive writes may share one commit, if that is faster for all of them.
    ///
    /// Each write stays atomic, and returns only after its changes are durable.
    public var groupsCommits: Bool
    /// The interval at which a store shared with other processes polls for their commits while it has listeners; nil for no polling.
    ///
    /// A store that is notified of commits, as stores on PostgreSQL are, also polls at each notification.
    public var watchInterval: Duration?
    /// How long a blocking read or save waits for another context whose block makes no progress; nil for no limit.
    ///
    /// It applies to contexts over a ``ContextActor``: proxies, and children in another isolation. Their reads and saves wait for the
    /// parent context, whose block may itself be waiting for their thread, as a shared block that calls `DispatchQueue.main.sync` is. Such
    /// a wait fails with ``StoreError/Code/wouldDeadlock``, which names the call site of the block. A property access can't throw: it
    /// returns an empty value, and the context's next operation throws the error.
    ///
    /// A block makes progress while its thread uses the processor or the store, so long computations and long waits for the store never
    /// time out. A block that waits for something else for this long, such as a server or a lock, does. Wait for that before the block,
    /// or raise the limit. ``ContextActor/performAndWait(fileID:line:_:)`` has no limit.
    public var deadlockTimeout: Duration?
    /// The log that receives the statements sent to the store's database, if it has one.
    public var statementLog: StatementLog?
    /// The log that receives a report about each operation that has ended.
    public var operationLog: OperationLog?

    /// Creates options.
    ///
    /// A `log`, such as `.standardError(slowerThan: .milliseconds(100))`, provides ``statementLog`` and ``operationLog`` unless these are
    /// given.
    public init(
        readLimit: Int = 4, writes: WriteOrder = .ordered, waitingLimit: Int? = nil,
        overflow: OverflowPolicy = .fail,
        discipline: Discipline = .snapshot,
        groupsCommits: Bool = true, watchInterval: Duration? = .seconds(1),
        deadlockTimeout: Duration? = .seconds(10), statementLog: StatementLog? = nil,
        operationLog: OperationLog? = nil, log: StoreLog? = nil
    ) {
        self.readLimit = readLimit
        self.writes = writes
        self.waitingLimit = waitingLimit
        self.overflow = overflow
        self.discipline = discipline
        self.groupsCommits = groupsCommits
        self.watchInterval = watchInterval
        self.deadlockTimeout = deadlockTimeout
        self.statementLog = statementLog ?? log?.statementLog
        self.operationLog = operationLog ?? log?.operationLog
    }

    /// Checks the limits.
    ///
    /// - Throws: ``StoreError/Code/configuration`` if a limit is below 1, or the deadlock timeout isn't positive.
    func check() throws {
        var limits = [("readLimit", readLimit), ("waitingLimit", waitingLimit ?? 1)]
        if case .concurrent(let limit) = writes { limits.append(("writes: .concurrent(limit:)", limit)) }
        for (name, limit) in limits
        where limit < 1 {
            throw StoreError(
                .configuration, "The store option \(name) must be at least 1, but it is \(limit).",
                remedy: "Pass a number of at least 1.")
        }
        if let deadlockTimeout, deadlockTimeout <= .zero {
            throw StoreError(
                .configuration,
                "The store option deadlockTimeout must be longer than zero, but it is \(deadlockTimeout).",
                remedy: "Pass a longer time, or nil for no limit.")
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
