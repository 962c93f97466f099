#if SQLite
public import ContextCore

/// Says which file a store is in, and how it is used.
public struct SQLiteConfiguration: Sendable, Hashable {
    /// What may be done with the file.
    public enum Mode: String, Sendable, Hashable, CaseIterable {
        /// Reading only.
        case read = "ro"
        /// Reading and writing a store that is there.
        case write = "rw"
        /// Reading and writing, and making the store where there is none.
        case create = "rwc"
    }

    /// How SQLite gets a transaction into the file whole.
    public enum Journal: String, Sendable, Hashable, CaseIterable {
        /// A log beside the file: readers and the writer don't wait for each other.
        case wal
        /// A journal that is deleted after each save: readers and the writer exclude each other.
        case delete
    }

    /// What a save waits for.
    public enum Synchronous: String, Sendable, Hashable, CaseIterable {
        /// Nothing: power loss may damage the store.
        case off
        /// The file system, now and then: power loss may undo the last saves.
        case normal
        /// The disk: a save that was acknowledged survives power loss.
        case full
        /// The disk, folders included.
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

    /// Where the store is; nil for one in memory, which ends with its coordinator.
    public var path: String?
    /// What may be done with the file.
    public var mode: Mode
    /// How a transaction gets into the file.
    public var journal: Journal
    /// What a save waits for.
    public var synchronous: Synchronous
    /// How long another writer is waited for.
    public var busyTimeout: Duration
    /// Whether each save is written to a history that can be fetched.
    public var keepsHistory: Bool
    /// How long a statement may take; nil for as long as it likes.
    public var statementTimeout: Duration?
    /// What hears of the statements that are run.
    public var statementLog: StatementLog?
    /// Where tests make the store fail.
    package var seams = SQLiteSeams()

    /// Makes a configuration.
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
