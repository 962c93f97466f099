#if Postgres
import ContextCore

/// Savepoints that let a transaction survive a failed statement.
extension PostgresConnection {
    /// The statement that sets the first savepoint, to which a failed statement rolls back.
    ///
    /// It is sent together with other statements, so it takes no additional round trip.
    static let setFirstSavepoint = savepointStatement(defaultSavepoint)
    /// The name of that savepoint; within a caller's savepoint it has another name, so that a rollback can't undo earlier changes.
    static let defaultSavepoint = "settled"
    private static let nestedSavepoint = "settled_in_part"
    private static let callerSavepoint = "part"

    private static func savepointStatement(_ savepointName: String) -> String { "SAVEPOINT \(savepointName)" }

    /// The statement that rolls back to the savepoint.
    var rollbackStatement: String { "ROLLBACK TO SAVEPOINT \(savepointName)" }

    /// Schedules a new savepoint before the next statement, unless one is scheduled already.
    func scheduleSavepoint() {
        if !scheduledStatements.isEmpty { return }
        // The caller's savepoint stays, since it may be rolled back as a whole.
        if savepointName == Self.callerSavepoint {
            savepointName = Self.nestedSavepoint
        } else {
            scheduledStatements = ["RELEASE SAVEPOINT \(savepointName)"]
        }
        scheduledStatements.append(Self.savepointStatement(savepointName))
    }

    /// Schedules a caller's savepoint before the next statement.
    func beginCallerSavepoint() {
        // The end of the caller's savepoint sets the outer savepoint again, and nothing needs it before.
        if scheduledStatements.last == Self.savepointStatement(savepointName) {
            scheduledStatements.removeLast(2)
        }
        savepointName = Self.callerSavepoint
        scheduledStatements.append(Self.savepointStatement(savepointName))
    }

    /// Releases the caller's savepoint, and keeps its changes.
    func releaseSavepoint() {
        let isBegun = scheduledStatements.last != Self.savepointStatement(Self.callerSavepoint)
        // Releasing it also releases the savepoints that are scheduled since.
        scheduledStatements =
            isBegun ? ["RELEASE SAVEPOINT \(Self.callerSavepoint)"] : scheduledStatements.dropLast()
        endCallerSavepoint()
    }

    /// Rolls back to the caller's savepoint, and releases it.
    func rollBackSavepoint() throws(StoreError) {
        defer { endCallerSavepoint() }
        // If the savepoint is only scheduled, no statement ran since.
        if scheduledStatements.last == Self.savepointStatement(Self.callerSavepoint) {
            return _ = scheduledStatements.removeLast()
        }
        try execute(
            "ROLLBACK TO SAVEPOINT \(Self.callerSavepoint); RELEASE SAVEPOINT \(Self.callerSavepoint)")
    }

    /// Schedules the outer savepoint again, after the changes of the caller's savepoint.
    private func endCallerSavepoint() {
        savepointName = Self.defaultSavepoint
        scheduledStatements += ["RELEASE SAVEPOINT \(savepointName)", Self.savepointStatement(savepointName)]
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
