#if Postgres
import ContextCore

/// Savepoints that let a transaction survive a failed statement.
extension PostgresConnection {
    /// The statement that sets the first savepoint, to which a failed statement rolls back.
    ///
    /// It is sent together with other statements, so it takes no additional round trip.
    static let setFirstSavepoint = setting(defaultSavepoint)
    /// The name of that savepoint; within a caller's savepoint it has another name, so that a rollback can't undo earlier changes.
    static let defaultSavepoint = "settled"
    private static let markInPart = "settled_in_part"
    private static let part = "part"

    private static func setting(_ mark: String) -> String { "SAVEPOINT \(mark)" }

    /// The statement that rolls back to the savepoint.
    var undoing: String { "ROLLBACK TO SAVEPOINT \(mark)" }

    /// Schedules a new savepoint before the next statement, unless one is scheduled already.
    func scheduleSavepoint() {
        if !scheduledStatements.isEmpty { return }
        // The caller's savepoint stays, since it may be rolled back as a whole.
        if mark == Self.part {
            mark = Self.markInPart
        } else {
            scheduledStatements = ["RELEASE SAVEPOINT \(mark)"]
        }
        scheduledStatements.append(Self.setting(mark))
    }

    /// Schedules a caller's savepoint before the next statement.
    func beginPart() {
        // The end of the caller's savepoint sets the outer savepoint again, and nothing needs it before.
        if scheduledStatements.last == Self.setting(mark) { scheduledStatements.removeLast(2) }
        mark = Self.part
        scheduledStatements.append(Self.setting(mark))
    }

    /// Releases the caller's savepoint, and keeps its changes.
    func releaseSavepoint() {
        let isBegun = scheduledStatements.last != Self.setting(Self.part)
        // Releasing it also releases the savepoints that are scheduled since.
        scheduledStatements = isBegun ? ["RELEASE SAVEPOINT \(Self.part)"] : scheduledStatements.dropLast()
        endPart()
    }

    /// Rolls back to the caller's savepoint, and releases it.
    func rollBackSavepoint() throws(StoreError) {
        defer { endPart() }
        // If the savepoint is only scheduled, no statement ran since.
        if scheduledStatements.last == Self.setting(Self.part) { return _ = scheduledStatements.removeLast() }
        try execute("ROLLBACK TO SAVEPOINT \(Self.part); RELEASE SAVEPOINT \(Self.part)")
    }

    /// Schedules the outer savepoint again, after the changes of the caller's savepoint.
    private func endPart() {
        mark = Self.defaultSavepoint
        scheduledStatements += ["RELEASE SAVEPOINT \(mark)", Self.setting(mark)]
    }

    /// Runs work that writes nothing; if it fails, the transaction is rolled back to the savepoint and stays usable.
    ///
    /// It runs the work again if the server has rejected a prepared statement as unknown or outdated.
    func undoingOnFailure<Answer, Failure: Error>(_ work: () throws(Failure) -> Answer) throws(Failure)
        -> Answer
    {
        do throws(Failure) {
            return try rollingBackOnFailure(work)
        } catch {
            if !discardStalePreparedStatements() { throw error }
        }
        return try rollingBackOnFailure(work)
    }

    private func rollingBackOnFailure<Answer, Failure: Error>(
        _ work: () throws(Failure) -> Answer
    ) throws(Failure) -> Answer {
        do throws(Failure) {
            return try work()
        } catch {
            if hasFailedStatement { try? execute(undoing) }
            throw error
        }
    }
}
#endif
