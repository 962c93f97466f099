#if SQLite
import CSQLite
import ContextCore
import Foundation

/// Moves what was committed from the write-ahead log into the file, so that the log doesn't grow without end.
///
/// SQLite's automatic checkpoints are off, because a checkpoint by one connection beside another's commit can corrupt a file in
/// the versions that distributions ship (<https://sqlite.org/wal.html#walresetbug>). Here the writer's connection holds SQLite's
/// own write lock, which all processes heed, while a second connection of the same thread checkpoints: so nobody commits.
struct Checkpointing {
    /// The size at which a log is worth a checkpoint.
    static let worthwhile = 4 << 20
    /// The size at which the writer waits a little for readers that are in the way.
    static let urgent = 256 << 20
    /// What is left of a log's file when it begins anew.
    static let keptSize = 64 << 20

    private static let pageSize = 4096
    private static let pause: UInt32 = 10_000
    /// How long is waited for readers, and for other processes that write.
    private static let patience = Duration.milliseconds(200)

    /// The writer's connection.
    let connection: SQLiteConnection
    let file: StoreFile
    let configuration: SQLiteConfiguration

    /// Checkpoints if the log has grown long enough.
    ///
    /// What keeps it from going on is no error: a later save tries again.
    func runIfDue() {
        let size = connection.log.pages * Self.pageSize
        guard size >= Self.worthwhile, !connection.isInTransaction else { return }
        connection.log.reset()
        let deadline = ContinuousClock.now + Self.patience
        _ = try? run { size >= Self.urgent && ContinuousClock.now < deadline }
    }

    /// Moves as much into the file as readers let it.
    func runBesideReaders() {
        connection.log.reset()
        _ = try? run { false }
    }

    /// Moves everything into the file, and sees it onto the disk; waits for readers that are in the way.
    func finish() throws(StoreError) {
        let deadline = ContinuousClock.now + configuration.busyTimeout
        let isComplete = try run { ContinuousClock.now < deadline }
        if !isComplete {
            throw StoreError.sqlite(SQLITE_BUSY, detail: "readers keep the log from being checkpointed")
        }
    }

    /// Checkpoints, again and again as long as it is incomplete and should be; returns whether everything is in the file.
    private func run(whileIncomplete goesOn: () -> Bool) throws(StoreError) -> Bool {
        let timeout = connection.busy.timeout
        connection.busy.timeout = min(timeout, Self.patience)
        defer { connection.busy.timeout = timeout }
        let second = try SQLiteConnection.open(.read, file, configuration)
        defer { second.close() }
        _ = try second.integer("SELECT count(*) FROM sqlite_schema")
        try connection.begin(writing: true)
        defer { connection.rollback() }
        while true {
            var (pages, moved): (Int32, Int32) = (0, 0)
            let result = sqlite3_wal_checkpoint_v2(
                second.handle, nil, SQLITE_CHECKPOINT_PASSIVE, &pages, &moved)
            guard result == SQLITE_OK else { throw second.error(result) }
            if pages == moved { return true }
            if !goesOn() { return false }
            usleep(Self.pause)
        }
    }
}
#endif
