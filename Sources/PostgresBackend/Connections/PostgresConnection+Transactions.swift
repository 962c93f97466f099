#if Postgres
import ContextCore

/// Work in transactions.
extension PostgresConnection {
    /// Runs work in a transaction with the settings that statements rely on; runs it again if a prepared statement was outdated.
    func inTransaction<Answer>(_ work: () throws(StoreError) -> Answer) throws(StoreError) -> Answer {
        do throws(StoreError) {
            return try inOneTransaction(work)
        } catch {
            if !discardStalePreparedStatements() { throw error }
        }
        return try inOneTransaction(work)
    }

    private func inOneTransaction<Answer>(
        _ work: () throws(StoreError) -> Answer
    ) throws(StoreError) -> Answer {
        // A failed statement rolls back to the savepoint and keeps the settings. Without it the role's timeout would apply until the
        // rollback, and could end the session.
        let settings =
            configuration.isPooled
            ? SessionSettings(configuration).transactionStatements + [SavepointStack.setFirst] : []
        try execute((["BEGIN"] + settings).joined(separator: "; "))
        do throws(StoreError) {
            let answer = try work()
            try commit()
            return answer
        } catch {
            rollback()
            throw error
        }
    }

    /// Runs work that writes nothing; if it fails, the transaction is rolled back to the savepoint and stays usable.
    ///
    /// It runs the work again if the server has rejected a prepared statement as unknown or outdated.
    func withRollbackOnFailure<Answer, Failure: Error>(_ work: () throws(Failure) -> Answer) throws(Failure)
        -> Answer
    {
        do throws(Failure) {
            return try withRollbackOnFailureOnce(work)
        } catch {
            if !discardStalePreparedStatements() { throw error }
        }
        return try withRollbackOnFailureOnce(work)
    }

    private func withRollbackOnFailureOnce<Answer, Failure: Error>(
        _ work: () throws(Failure) -> Answer
    ) throws(Failure) -> Answer {
        do throws(Failure) {
            return try work()
        } catch {
            if hasFailedStatement { try? execute(rollbackStatement) }
            throw error
        }
    }
}
#endif
