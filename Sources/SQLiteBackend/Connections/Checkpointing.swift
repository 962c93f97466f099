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
    /// What keeps it from going on is no error: a later save tries again. Readers that are always there keep the log from beginning
    /// anew, though everything in it may be in the file; when it has become very long they are waited for, the longer the longer it is.
    func runIfDue() {
        let sizes = configuration.seams.logSizes
        guard connection.log.hasGrown(by: sizes.worthwhile / Self.pageSize), !connection.isInTransaction
        else { return }
        connection.log.noteTry()
        let size = connection.log.pages * Self.pageSize
        guard size >= sizes.urgent else {
            _ = try? run { false }
            return
        }
        let patience = min(configuration.busyTimeout, Self.patience * (size / sizes.urgent))
        try? empty(until: .now + patience)
    }

    /// Moves as much into the file as readers let it.
    func runBesideReaders() {
        connection.log.noteTry()
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
        try withSecond { (second) throws(StoreError) in try move(second, whileIncomplete: goesOn) }
    }

    /// Moves everything into the file, and waits until nobody reads from the log, so that the next save begins it anew.
    ///
    /// Who begins to read meanwhile reads from the file alone, since nobody commits: so this waits only for those that are there.
    private func empty(until deadline: ContinuousClock.Instant) throws(StoreError) {
        try withSecond { (second) throws(StoreError) in
            guard try move(second, whileIncomplete: { ContinuousClock.now < deadline }) else { return }
            // The transaction of the move began before all was in the file, so it reads from the log itself.
            try connection.begin(writing: true)
            defer { connection.rollback() }
            while second.isLogRead, ContinuousClock.now < deadline { usleep(Self.pause) }
        }
    }

    private func move(
        _ second: SQLiteConnection, whileIncomplete goesOn: () -> Bool
    ) throws(StoreError) -> Bool {
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

    /// Opens the connection that checkpoints; the writer's waits for other processes no longer than it is worth.
    private func withSecond<Answer>(
        _ body: (SQLiteConnection) throws(StoreError) -> Answer
    ) throws(StoreError) -> Answer {
        let timeout = connection.busy.timeout
        connection.busy.timeout = min(timeout, Self.patience)
        defer { connection.busy.timeout = timeout }
        let second = try SQLiteConnection.open(.read, file, configuration)
        defer { second.close() }
        _ = try second.integer("SELECT count(*) FROM sqlite_schema")
        return try body(second)
    }
}
#endif
