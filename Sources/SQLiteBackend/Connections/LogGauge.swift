#if SQLite
import CSQLite

/// Knows how long the write-ahead log was after a connection's last commit, which SQLite tells for nothing.
///
/// It is used by its connection's thread only: SQLite calls back on the thread that commits.
final class LogGauge {
    /// How many pages the log had.
    private(set) var pages = 0

    /// Listens to a connection's commits; it must live as long as the connection.
    ///
    /// SQLite's automatic checkpoints use the same hook, so they are off from then on.
    func attach(to database: OpaquePointer) {
        sqlite3_wal_hook(
            database,
            { context, _, _, pages in
                guard let context else { return SQLITE_OK }
                // takeUnretainedValue: the connection owns the gauge for as long as SQLite may call this.
                Unmanaged<LogGauge>.fromOpaque(context).takeUnretainedValue().pages = Int(pages)
                return SQLITE_OK
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    /// Forgets what it knew: the next commit says it anew.
    func reset() { pages = 0 }
}
#endif
