#if SQLite
import ContextCore

/// Finds out what has become of a transaction whose commit was answered with an error.
///
/// Such a transaction may be in the store, now or after the next crash: its pages may all have been written before the disk
/// failed, and whoever next reads the log from its beginning takes them for committed. So it is not enough to look. A transaction
/// of the inquiry's own is committed behind it: if the one in question is not there, it writes over what is left of it; if it is
/// there, a checkpoint then sees it onto the disk, since what a failed sync left behind can't be trusted to be there. Only after
/// that is the answer final.
struct CommitInquiry {
    private static let attempts = 3

    let store: SQLiteStore
    let transaction: TransactionMark
    let failure: StoreError

    /// Settles whether the transaction happened.
    ///
    /// All connections that can be are closed before: SQLite looks at the log afresh only when nobody has it open, and what a
    /// failed connection has in its cache is not to be relied upon.
    ///
    /// - Returns: The answer, and a connection for the next writer.
    /// - Throws: ``StoreError/Code/commitOutcomeUnknown``.
    func settle() throws(StoreError) -> (hasHappened: Bool, connection: SQLiteConnection) {
        store.readers.discardIdle()
        store.files.forgetLog()
        var obstacle = failure
        for _ in 0..<Self.attempts {
            do throws(StoreError) {
                let connection = try SQLiteConnection.open(.readAndWrite, store.file, store.configuration)
                if let hasHappened = try settle(connection) { return (hasHappened, connection) }
                break
            } catch {
                obstacle = error
            }
        }
        throw StoreError(
            .commitOutcomeUnknown,
            "The disk failed during a commit, and whether it happened can't be found out.",
            remedy: """
                Look after the disk, open the store again, and fetch what was to be saved: it is there as a whole or not at \
                all. Save it again only if it isn't.
                """,
            detail: failure.detail, cause: obstacle)
    }

    private func settle(_ connection: SQLiteConnection) throws(StoreError) -> Bool? {
        var isDone = false
        defer { if !isDone { connection.close() } }
        try connection.begin(writing: true)
        defer { connection.rollback() }
        try connection.checkPlace()
        guard let isFound = try transaction.isFound(connection) else { return nil }
        try StoreCatalogue(connection: connection).note("last_inquiry", String(transaction.mark))
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
