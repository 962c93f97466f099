#if SQLite
import ContextCore
import SQLStore

/// Determines whether a transaction whose commit failed was committed.
///
/// Such a transaction may be committed now, or after the next crash: all of its pages may have been written before the disk failed, and
/// the next connection that recovers the log treats them as committed. So a lookup is not enough. The inquiry commits a transaction of
/// its own: if the transaction in question is not in the log, that overwrites its remains; if it is, a checkpoint then syncs it to the
/// disk, since the effects of a failed sync are undefined. Only then is the outcome final.
struct CommitInquiry {
    private static let maximumAttempts = 3

    let store: SQLiteStore
    let transaction: TransactionMarker
    let failure: StoreError

    /// Determines whether the transaction was committed.
    ///
    /// It first closes all connections that it can: SQLite recovers the log only if no connection is open, and the page cache of the
    /// failed connection is unreliable.
    ///
    /// - Returns: Whether the transaction was committed, and a connection for the next writer.
    /// - Throws: ``StoreError/Code/commitOutcomeUnknown`` if the disk keeps failing.
    func resolveOutcome() throws(StoreError) -> (isCommitted: Bool, connection: SQLiteConnection) {
        store.readers.discardIdle()
        store.files.forgetLog()
        var lastError = failure
        for _ in 0..<Self.maximumAttempts {
            do throws(StoreError) {
                let connection = try SQLiteConnection.open(.readAndWrite, store.file, store.configuration)
                if let isCommitted = try outcome(on: connection) { return (isCommitted, connection) }
                break
            } catch {
                lastError = error
            }
        }
        throw StoreError(
            .commitOutcomeUnknown,
            "The disk failed during a commit, and it is unknown whether the transaction was committed.",
            remedy: """
                Check the disk, open the store again, and fetch the saved objects: either all changes of the transaction are there or \
                none. Save again only if they are not.
                """,
            detail: failure.detail, cause: lastError)
    }

    private func outcome(on connection: SQLiteConnection) throws(StoreError) -> Bool? {
        var isDone = false
        defer { if !isDone { connection.close() } }
        try connection.begin(writing: true)
        defer { connection.rollback() }
        try connection.checkFileInPlace()
        guard let isFound = try transaction.isFound(connection) else { return nil }
        try StoreCatalog(connection: connection).setValue("last_inquiry", String(transaction.marker))
        try connection.commit()
        if isFound, try connection.text("PRAGMA journal_mode") == "wal" {
            try Checkpointing(
                connection: connection, file: store.file, configuration: store.configuration
            ).finish()
        }
        isDone = true
        return isFound
    }
}
#endif
