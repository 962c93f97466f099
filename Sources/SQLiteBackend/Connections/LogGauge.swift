#if SQLite
import CSQLite

/// Knows how long the write-ahead log was after a connection's last commit, which SQLite tells for nothing.
///
/// It is used by its connection's thread only: SQLite calls back on the thread that commits.
final class LogGauge {
    /// How many pages the log had.
    private(set) var pages = 0
    /// How many it had when it was last tried to empty it; 0 when it has begun anew since.
    private var tried = 0

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

    /// Whether the log has grown by so many pages since it began, or since it was last tried to empty it.
    func hasGrown(by count: Int) -> Bool {
        if pages < tried { tried = 0 }
        return pages - tried >= count
    }

    /// From here on, growth counts anew.
    func noteTry() { tried = pages }
}
#endif
