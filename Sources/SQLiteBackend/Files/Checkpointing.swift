#if SQLite
import CSQLite
import ContextCore
import Foundation

/// Checkpoints the write-ahead log, so that it doesn't grow without bound.
///
/// SQLite's automatic checkpoints are off, because a checkpoint on one connection during a commit on another can corrupt the file in
/// SQLite versions that distributions ship (<https://sqlite.org/wal.html#walresetbug>). So the writer's connection holds SQLite's
/// write lock, which excludes commits in all processes, while a second connection of the same thread checkpoints.
struct Checkpointing {
    /// The size to which SQLite truncates the log's file when it restarts.
    static let truncatedSize = 64 << 20

    private static let pageSize = 4096
    private static let pause: UInt32 = 10_000
    /// The maximum wait for readers, and for writers of other processes.
    private static let waitLimit = Duration.milliseconds(200)

    /// The writer's connection.
    let connection: SQLiteConnection
    let file: StoreFile
    let configuration: SQLiteConfiguration

    /// Checkpoints if the log has grown enough.
    ///
    /// A failure is not an error, because a later save tries again. Continuous readers keep the log from restarting although everything
    /// in it may be in the file; when it has become very long, this waits for them, in proportion to its size.
    func runIfDue() {
        let sizes = configuration.testHooks.logSizes
        guard connection.log.hasGrown(by: sizes.worthwhile / Self.pageSize), !connection.isInTransaction
        else { return }
        connection.log.recordCheckpoint()
        let size = connection.log.pages * Self.pageSize
        guard size >= sizes.urgent else {
            _ = try? run { false }
            return
        }
        let limit = min(configuration.busyTimeout, Self.waitLimit * (size / sizes.urgent))
        try? resetLog(until: .now + limit)
    }

    /// Checkpoints as much as possible without waiting for readers.
    func runBesideReaders() {
        connection.log.recordCheckpoint()
        _ = try? run { false }
    }

    /// Checkpoints and syncs the whole log; waits for readers that block it.
    func finish() throws(StoreError) {
        let deadline = ContinuousClock.now + configuration.busyTimeout
        let isComplete = try run { ContinuousClock.now < deadline }
        if !isComplete {
            throw StoreError.sqlite(SQLITE_BUSY, detail: "readers prevented a complete checkpoint")
        }
    }

    /// Checkpoints repeatedly while incomplete and the caller wants to continue; returns whether the whole log is in the file.
    private func run(whileIncomplete shouldContinue: () -> Bool) throws(StoreError) -> Bool {
        try withSecondConnection { (second) throws(StoreError) in
            try checkpoint(second, whileIncomplete: shouldContinue)
        }
    }

    /// Checkpoints the whole log, and waits until no connection reads from it, so that the next save restarts it.
    ///
    /// Readers that begin meanwhile read only from the file, since commits are excluded, so this waits for earlier readers only.
    private func resetLog(until deadline: ContinuousClock.Instant) throws(StoreError) {
        try withSecondConnection { (second) throws(StoreError) in
            guard try checkpoint(second, whileIncomplete: { ContinuousClock.now < deadline }) else { return }
            // The transaction in `checkpoint` may read from the log itself, because it began before the whole log was in the file.
            try connection.begin(writing: true)
            defer { connection.rollback() }
            while second.isLogRead, ContinuousClock.now < deadline { usleep(Self.pause) }
        }
    }

    private func checkpoint(
        _ second: SQLiteConnection, whileIncomplete shouldContinue: () -> Bool
    ) throws(StoreError) -> Bool {
        try connection.begin(writing: true)
        defer { connection.rollback() }
        while true {
            var (pages, moved): (Int32, Int32) = (0, 0)
            let result = sqlite3_wal_checkpoint_v2(
                second.handle, nil, SQLITE_CHECKPOINT_PASSIVE, &pages, &moved)
            guard result == SQLITE_OK else { throw second.error(result) }
            if pages == moved { return true }
            if !shouldContinue() { return false }
            usleep(Self.pause)
        }
    }

    /// Opens the second connection; the writer's lock timeout is limited because a checkpoint is not worth a long wait.
    private func withSecondConnection<Answer>(
        _ body: (SQLiteConnection) throws(StoreError) -> Answer
    ) throws(StoreError) -> Answer {
        let timeout = connection.busy.timeout
        connection.busy.timeout = min(timeout, Self.waitLimit)
        defer { connection.busy.timeout = timeout }
        let second = try SQLiteConnection.open(.read, file, configuration)
        defer { second.close() }
        _ = try second.integer("SELECT count(*) FROM sqlite_schema")
        return try body(second)
    }
}
#endif
