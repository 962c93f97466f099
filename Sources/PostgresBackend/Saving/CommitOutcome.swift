#if Postgres
import ContextCore
import SQLStore

/// Finds out whether a commit happened whose answer was lost.
struct CommitOutcome {
    let store: PostgresStore
    let mark: Int64
    /// Whether the transaction wrote a line of the history, by which it can be told.
    let hasHistory: Bool

    /// Returns where the commit happened; throws what came of it otherwise.
    ///
    /// The lost transaction holds the store's lock as long as the server still works on it: whoever gets the lock sees its end.
    func resolve(_ error: StoreError) throws(StoreError) {
        guard hasHistory, let isThere = try? look() else {
            throw StoreError(
                .commitOutcomeUnknown, "The connection was lost while a save was committed.",
                remedy: "Fetch the objects and see whether they were saved.", detail: error.detail,
                cause: error)
        }
        if isThere { return }
        throw error
    }

    private func look() throws(StoreError) -> Bool {
        let (connection, found) = try store.begin(
            """
            BEGIN; SELECT pg_advisory_xact_lock(\(store.lockNumber)); \
            SELECT count(*) FROM "_store_history" WHERE "mark" = \(mark)
            """, "the outcome of a commit")
        try? connection.execute("ROLLBACK")
        store.pool.giveBack(connection, from: "the outcome of a commit")
        return found > 0
    }
}
#endif
