#if Postgres
/// The savepoints of a transaction, and the statements that set them together with the next statement.
///
/// A failed statement rolls back to the current savepoint, which follows all changes that must survive. Within a caller's savepoint it
/// has another name, so that a rollback can't undo earlier changes.
struct SavepointStack {
    private enum Savepoint: String {
        case outer = "settled"
        case caller = "part"
        case nested = "settled_in_part"

        var setStatement: String { "SAVEPOINT \(rawValue)" }
        var releaseStatement: String { "RELEASE SAVEPOINT \(rawValue)" }
        var rollbackStatement: String { "ROLLBACK TO SAVEPOINT \(rawValue)" }
    }

    /// The statement that sets the first savepoint of a transaction.
    static let setFirst = Savepoint.outer.setStatement
    /// The statements that roll back to the caller's savepoint and release it.
    static let rollBackCaller = Savepoint.caller.rollbackStatement + "; " + Savepoint.caller.releaseStatement

    private var current = Savepoint.outer
    /// The statements to send before the transaction's next statement; a commit discards them.
    private(set) var scheduledStatements: [String] = []

    /// The statement that rolls back to the current savepoint.
    var rollbackStatement: String { current.rollbackStatement }

    /// Schedules a new savepoint before the next statement, unless one is scheduled already.
    mutating func schedule() {
        if !scheduledStatements.isEmpty { return }
        // The caller's savepoint stays, since it may be rolled back as a whole.
        if current == .caller {
            current = .nested
        } else {
            scheduledStatements = [current.releaseStatement]
        }
        scheduledStatements.append(current.setStatement)
    }

    /// Removes and returns the scheduled statements.
    mutating func removeScheduledStatements() -> [String] {
        if scheduledStatements.isEmpty { return [] }
        defer { scheduledStatements = [] }
        return scheduledStatements
    }

    /// Schedules a caller's savepoint before the next statement.
    mutating func beginCaller() {
        // The end of the caller's savepoint sets the outer savepoint again, and nothing needs it before.
        if scheduledStatements.last == current.setStatement { scheduledStatements.removeLast(2) }
        current = .caller
        scheduledStatements.append(current.setStatement)
    }

    /// Schedules the release of the caller's savepoint, which keeps its changes.
    mutating func releaseCaller() {
        // Releasing it also releases the savepoints that are scheduled since.
        if !unscheduleCaller() { scheduledStatements = [Savepoint.caller.releaseStatement] }
        endCaller()
    }

    /// Removes the caller's savepoint from the scheduled statements; false if it was sent.
    mutating func unscheduleCaller() -> Bool {
        guard scheduledStatements.last == Savepoint.caller.setStatement else { return false }
        scheduledStatements.removeLast()
        return true
    }

    /// Schedules the outer savepoint again, after the changes of the caller's savepoint.
    mutating func endCaller() {
        current = .outer
        scheduledStatements += [current.releaseStatement, current.setStatement]
    }
}
#endif
