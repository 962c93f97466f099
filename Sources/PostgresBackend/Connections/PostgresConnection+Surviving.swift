#if Postgres
import ContextCore

/// How a transaction outlives a statement that fails.
extension PostgresConnection {
    /// Sets a savepoint after everything that is to stay, so that a statement that fails takes nothing with it.
    ///
    /// It costs nothing: it goes to the server with other statements.
    static let firstMark = setting(usualMark)
    /// What that savepoint is called; inside a savepoint of somebody who shares the transaction it has other names, so that nobody goes
    /// back to others' by mistake.
    static let usualMark = "settled"
    private static let markInPart = "settled_in_part"
    private static let part = "part"

    private static func setting(_ mark: String) -> String { "SAVEPOINT \(mark)" }

    /// Undoes what was done since.
    var undoing: String { "ROLLBACK TO SAVEPOINT \(mark)" }

    /// Has that savepoint set anew before anything else is done; where it is still to be set, nothing was done since.
    func renewMark() {
        if !owed.isEmpty { return }
        // The savepoint of a part stays, since the part may have to be undone as a whole.
        if mark == Self.part { mark = Self.markInPart } else { owed = ["RELEASE SAVEPOINT \(mark)"] }
        owed.append(Self.setting(mark))
    }

    /// Has a savepoint set before anything else is done, to which a part of the transaction can be undone.
    func beginPart() {
        // Nobody goes back to the mark outside before the part ends, which sets it anew.
        if owed.last == Self.setting(mark) { owed.removeLast(2) }
        mark = Self.part
        owed.append(Self.setting(mark))
    }

    /// Keeps what was done since the part began.
    func keepPart() {
        let isBegun = owed.last != Self.setting(Self.part)
        // All that is owed since goes with it.
        owed = isBegun ? ["RELEASE SAVEPOINT \(Self.part)"] : owed.dropLast()
        leavePart()
    }

    /// Undoes what was done since the part began.
    func undoPart() throws(StoreError) {
        defer { leavePart() }
        // Nothing was done since.
        if owed.last == Self.setting(Self.part) { return _ = owed.removeLast() }
        try execute("ROLLBACK TO SAVEPOINT \(Self.part); RELEASE SAVEPOINT \(Self.part)")
    }

    /// Sets the mark outside after everything that earlier parts have done.
    private func leavePart() {
        mark = Self.usualMark
        owed += ["RELEASE SAVEPOINT \(mark)", Self.setting(mark)]
    }

    /// Does what writes nothing; when it fails, the transaction goes on as if it had not been tried.
    ///
    /// It is tried once more where the server had forgotten a prepared statement, or can't use it any more.
    func surviving<Answer, Failure: Error>(_ work: () throws(Failure) -> Answer) throws(Failure) -> Answer {
        do throws(Failure) {
            return try onTrial(work)
        } catch {
            if !takeStaleness() { throw error }
        }
        return try onTrial(work)
    }

    private func onTrial<Answer, Failure: Error>(
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
