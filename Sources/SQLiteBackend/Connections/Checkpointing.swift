#if SQLite
import CSQLite
import Foundation

/// Moves what was committed from the write-ahead log into the file, so that the log doesn't grow without end.
///
/// SQLite's automatic checkpoints are off, because a checkpoint by one connection beside another's commit can corrupt a file in
/// the versions that distributions ship (<https://sqlite.org/wal.html#walresetbug>). Only the writer checkpoints, between two of
/// its transactions. Beside readers it goes as far as they let it; a log that is far too long makes it wait for them.
struct Checkpointing {
    /// The size at which a log is worth a checkpoint.
    static let worthwhile = 4 << 20
    /// The size at which the writer waits for readers.
    static let urgent = 256 << 20

    private let log: String

    init(_ file: StoreFile) { log = file.path + "-wal" }

    /// Checkpoints if the log has grown long enough.
    ///
    /// What keeps it from going on is no error: the next save tries again.
    func runIfDue(on connection: SQLiteConnection) {
        let size = self.size
        guard size >= Self.worthwhile, !connection.isInTransaction else { return }
        let mode = size >= Self.urgent ? SQLITE_CHECKPOINT_RESTART : SQLITE_CHECKPOINT_PASSIVE
        sqlite3_wal_checkpoint_v2(connection.handle, nil, mode, nil, nil)
    }

    private var size: Int {
        var status = stat()
        return stat(log, &status) == 0 ? Int(status.st_size) : 0
    }
}
#endif
