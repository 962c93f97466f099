#if SQLite
public import ContextCore

/// The file of a store, and how the store uses it.
public struct SQLiteConfiguration: Sendable, Hashable {
    /// How a store may access its file.
    public enum Mode: String, Sendable, Hashable, CaseIterable {
        /// Reading only.
        case read = "ro"
        /// Reading and writing an existing store.
        case write = "rw"
        /// Reading and writing, and creating the store if it doesn't exist.
        case create = "rwc"
    }

    /// How SQLite makes transactions atomic.
    public enum Journal: String, Sendable, Hashable, CaseIterable {
        /// A write-ahead log beside the file: readers and the writer don't block each other.
        case wal
        /// A rollback journal that is deleted after each save: readers and the writer block each other.
        case delete
    }

    /// When SQLite syncs writes to the disk.
    public enum Synchronous: String, Sendable, Hashable, CaseIterable {
        /// Never: power loss may corrupt the store.
        case off
        /// At checkpoints only: power loss may undo the last saves.
        case normal
        /// With each save: an acknowledged save survives power loss.
        case full
        /// With each save, folders included.
        case extra

        var level: Int64 {
            switch self {
            case .off: 0
            case .normal: 1
            case .full: 2
            case .extra: 3
            }
        }
    }

    /// The path of the store's file, or nil for an in-memory store, which ends with its coordinator.
    public var path: String?
    /// How the store may access the file.
    public var mode: Mode
    /// How transactions are made atomic.
    public var journal: Journal
    /// When writes are synced to the disk.
    public var synchronous: Synchronous
    /// The maximum time to wait for another writer.
    public var busyTimeout: Duration
    /// Whether each save is recorded in the history.
    public var keepsHistory: Bool
    /// The time limit of a statement, or nil for no limit.
    public var statementTimeout: Duration?
    /// The log to which the store reports its statements, or nil for none.
    public var statementLog: StatementLog?
    /// The name of the database, without the folder of the file.
    var databaseName: DatabaseName {
        let name = path.map { String($0.split(separator: "/").last ?? "") }
        return DatabaseName(system: "sqlite", namespace: name ?? ":memory:")
    }
    /// The test hooks.
    package var testHooks = SQLiteTestHooks()

    /// Creates a configuration.
    public init(
        path: String?, mode: Mode = .create, journal: Journal = .wal, synchronous: Synchronous = .full,
        busyTimeout: Duration = .seconds(30), keepsHistory: Bool = true,
        statementTimeout: Duration? = nil, statementLog: StatementLog? = nil
    ) {
        self.path = path
        self.mode = mode
        self.journal = journal
        self.synchronous = synchronous
        self.busyTimeout = busyTimeout
        self.keepsHistory = keepsHistory
        self.statementTimeout = statementTimeout
        self.statementLog = statementLog
    }
}
#endif
