#if SQLite
package import ContextCore

/// Where tests get between a store and the world, to see what it does when that fails.
package struct SQLiteSeams: Sendable, Hashable {
    /// The name of the file system, registered with SQLite, by which files are opened; nil for the usual one.
    package var fileSystem: String?
    /// What is asked before every statement.
    package var probe: StatementProbe?
    /// How many instructions of SQLite's machine pass until a statement is asked whether it may go on; nil for the usual number.
    package var watchPace: Int32?

    /// How long a log is when it is checkpointed.
    package var logSizes = LogSizes()
    /// What hears, on the thread that works, whenever a statement is asked whether it may go on.
    package var watchBell: WatchBell?

    package init(fileSystem: String? = nil, probe: StatementProbe? = nil, watchPace: Int32? = nil) {
        self.fileSystem = fileSystem
        self.probe = probe
        self.watchPace = watchPace
    }
}

/// Says at which sizes, in bytes, a write-ahead log is moved into the store's file.
package struct LogSizes: Sendable, Hashable {
    /// When it is worth a checkpoint.
    package var worthwhile = 4 << 20
    /// When the writer waits for readers that are in the way.
    package var urgent = 256 << 20

    package init() {}
}

/// Hears in the middle of a statement that it is asked whether it may go on.
package final class WatchBell: Sendable, Hashable {
    let ring: @Sendable () -> Void

    package init(_ ring: @escaping @Sendable () -> Void) {
        self.ring = ring
    }

    package static func == (left: WatchBell, right: WatchBell) -> Bool { left === right }

    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// Sees every statement before it is run, and may fail it.
package final class StatementProbe: Sendable, Hashable {
    /// What a statement fails with.
    package typealias Failure = StoreError

    let check: @Sendable (String) throws(Failure) -> Void

    package init(_ check: @escaping @Sendable (String) throws(Failure) -> Void) {
        self.check = check
    }

    package static func == (left: StatementProbe, right: StatementProbe) -> Bool { left === right }

    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
#endif
