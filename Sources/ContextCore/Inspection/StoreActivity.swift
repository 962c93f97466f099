import Foundation

/// The sessions, locks and obstacles of a database at one time, without those that the current process is not allowed to see.
public struct StoreActivity: Sendable, Hashable {
    /// The time of the report, by the clock that its other times are from: that of the server, or of this machine.
    public var time: Date
    /// The sessions or processes of other programs that use the database; first those that use the store at this time.
    public var sessions: [Session] = []
    /// The lock requests on the store that aren't granted yet, the oldest first.
    public var waits: [LockWait] = []
    /// What prevents the database from removing old rows or copying its log, or followers from reading the newest saves.
    public var obstacles: [Obstacle] = []
    /// The servers that receive a copy of the database's changes.
    public var replicas: [Replica] = []
    /// The connections to the server; nil for a file.
    public var connections: ConnectionUse?
    /// The statements that took the most time, the slowest in total first; empty if the database doesn't record them.
    public var slowStatements: [StatementCost] = []
    /// The write-ahead log; nil for a server.
    public var log: WriteAheadLog?
    /// The pages of the database's file; nil for a server.
    public var pages: PageUse?
    /// Whether a transaction is being written now; nil if that can't be seen, as on a server, where several may be.
    public var isWriting: Bool?
    /// The size of the database in bytes, with other stores in it and with logs; nil if it is unknown.
    public var bytes: Int64?
    /// Sentences that say what this report can't contain, and what would be needed for that.
    public var limits: [String] = []

    /// Creates a report without contents.
    public init(time: Date) { self.time = time }
}

extension StoreActivity {
    /// A session on a server, or a process that has the file open.
    public struct Session: Sendable, Hashable {
        /// The number of the process: on the server, or for a file on this machine.
        public var process: Int64
        /// The name of the program, as it calls itself.
        public var program: String?
        /// The role of the database, or the account of the system.
        public var user: String?
        /// The network address from which it is connected; nil on the same machine.
        public var address: String?
        /// What it does, such as `active`, `idle in transaction`, `writing` or `open`; nil if this process may not see it.
        public var state: String?
        /// Since when it has been in the state.
        public var since: Date?
        /// What it waits for, such as `Lock relation`.
        public var wait: String?
        /// The processes whose locks it waits for; 0 is a prepared transaction.
        public var blockers: [Int64] = []
        /// When its transaction began.
        public var transactionStart: Date?
        /// Whether it holds or requests a lock of the store.
        public var usesStore = false
        /// Whether it is a process of this program.
        public var isOwn = false
        /// The statement that it runs, or has run last.
        public var statement: String?

        /// Creates a session.
        public init(process: Int64) { self.process = process }
    }

    /// A lock that a session has requested and not got yet.
    public struct LockWait: Sendable, Hashable {
        /// The waiting process.
        public var process: Int64
        /// What the lock protects: the name of a table, or for example `the store`.
        public var target: String
        /// The mode of the lock, in the database's terms.
        public var mode: String
        /// Since when it waits; nil if that is unknown.
        public var since: Date?
        /// The processes that hold the lock, or wait for it first; 0 is a prepared transaction.
        public var blockers: [Int64]

        /// Creates a wait.
        public init(process: Int64, target: String, mode: String, since: Date?, blockers: [Int64]) {
            self.process = process
            self.target = target
            self.mode = mode
            self.since = since
            self.blockers = blockers
        }
    }

    /// The oldest transaction that holds back a part of the database's work.
    public struct Obstacle: Sendable, Hashable {
        /// The work that is held back.
        public enum Work: String, Sendable, Hashable {
            /// Removing old versions of rows.
            case vacuum
            /// Reading the newest saves from the history, as followers of the store do.
            case following
            /// Copying the write-ahead log to the file.
            case checkpoint
        }

        /// The kind of what holds it back.
        public enum Kind: String, Sendable, Hashable {
            /// A session of a program.
            case session
            /// A transaction that waits for its second phase, without a session.
            case preparedTransaction
            /// A replica whose queries read old rows.
            case replica
            /// A replication slot.
            case replicationSlot
        }

        /// The work that is held back.
        public var work: Work
        /// The kind of what holds it back.
        public var kind: Kind
        /// The number of the process; nil if there is none.
        public var process: Int64?
        /// The name of the program, the transaction or the slot.
        public var name: String?
        /// When the transaction began; nil if that is unknown.
        public var since: Date?
        /// How many transactions, or pages of a log, it is behind.
        public var distance: Int64

        /// Creates an obstacle.
        public init(
            _ work: Work, _ kind: Kind, process: Int64?, name: String?, since: Date?, distance: Int64
        ) {
            self.work = work
            self.kind = kind
            self.process = process
            self.name = name
            self.since = since
            self.distance = distance
        }
    }
}
