#if Postgres
import ContextCore

/// How a transaction outlives a statement that fails.
extension PostgresConnection {
    /// Sets a savepoint after everything that is to stay, so that a statement that fails takes nothing with it.
    ///
    /// It costs nothing: it goes to the server with other statements.
    static let firstMark = setting(usualMark)
    /// What that savepoint is called; inside a savepoint of somebody who shares the transaction it has a name of its own, so that
    /// nobody goes back to others' by mistake.
    static let usualMark = "settled"

    static func setting(_ mark: String) -> String { "SAVEPOINT \(mark)" }

    /// Sets that savepoint anew.
    var nextMark: [String] { ["RELEASE SAVEPOINT \(mark)", Self.setting(mark)] }

    /// Undoes what was done since.
    var undoing: String { "ROLLBACK TO SAVEPOINT \(mark)" }

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
