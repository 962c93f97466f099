#if SQLite
import CSQLite
import ContextCore

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
    /// What is left of a log's file when it begins anew.
    static let keptSize = 64 << 20

    private static let pageSize = 4096

    let connection: SQLiteConnection

    /// Checkpoints if the log has grown long enough.
    ///
    /// What keeps it from going on is no error: a later save tries again.
    func runIfDue() {
        let size = connection.log.pages * Self.pageSize
        guard size >= Self.worthwhile, !connection.isInTransaction else { return }
        run(size >= Self.urgent ? SQLITE_CHECKPOINT_RESTART : SQLITE_CHECKPOINT_PASSIVE)
    }

    /// Moves as much into the file as readers let it.
    func runBesideReaders() { run(SQLITE_CHECKPOINT_PASSIVE) }

    private func run(_ mode: Int32) {
        connection.log.reset()
        sqlite3_wal_checkpoint_v2(connection.handle, nil, mode, nil, nil)
    }

    /// Moves everything into the file, and sees it onto the disk; waits for readers that are in the way.
    func finish() throws(StoreError) {
        var (pages, moved): (Int32, Int32) = (0, 0)
        let result = sqlite3_wal_checkpoint_v2(
            connection.handle, nil, SQLITE_CHECKPOINT_FULL, &pages, &moved)
        guard result == SQLITE_OK else { throw connection.error(result) }
        guard pages == moved else {
            throw StoreError.sqlite(SQLITE_BUSY, detail: "\(moved) of \(pages) pages were checkpointed")
        }
    }
}
#endif
