#if SQLite
import CSQLite

/// Tracks the length of the write-ahead log after a connection's commits.
///
/// Only its connection's thread uses it: SQLite calls the WAL hook on the thread that commits.
final class LogGauge {
    /// The length of the log in pages.
    private(set) var pages = 0
    /// The length at the last checkpoint, or 0 if the log has restarted since.
    private var checkpointedPages = 0

    /// Installs the WAL hook on a connection; the gauge must live as long as the connection.
    ///
    /// Automatic checkpoints use the same hook, so this turns them off.
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

    /// Whether the log has grown by a number of pages since it restarted or since the last checkpoint.
    func hasGrown(by count: Int) -> Bool {
        if pages < checkpointedPages { checkpointedPages = 0 }
        return pages - checkpointedPages >= count
    }

    /// Records a checkpoint, from which growth is measured.
    func recordCheckpoint() { checkpointedPages = pages }
}
#endif
