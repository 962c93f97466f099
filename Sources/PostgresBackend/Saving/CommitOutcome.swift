#if Postgres
import ContextCore
import Foundation
import SQLStore

/// What a transaction leaves behind, by which it can be told afterwards whether it was committed.
struct TransactionTrace {
    /// What its lines in the history have, and no others.
    let mark: Int64
    /// A number that is not behind those of its lines; nil where it has written none.
    var sequence: Int64?
    /// Its number on the server.
    let number: Int64?
}

/// Finds out whether a commit happened whose answer was lost.
struct CommitOutcome {
    let store: PostgresStore
    /// The server's process that was told to commit.
    let process: ServerProcess
    let trace: TransactionTrace

    /// Returns where the commit happened, with the numbers of its lines; throws what came of it otherwise.
    ///
    /// There are none where they were pruned since, or never written.
    ///
    /// Mostly the server knows at once, by the transaction's number. One without a number may not even have begun, and is over when its
    /// process is gone. A server that can't be reached is tried again until the time is over, and twice at least: one that says nothing
    /// may take all of it at once.
    @discardableResult
    func resolve(_ error: StoreError) throws(StoreError) -> [Int64] {
        let deadline = ContinuousClock.now + store.configuration.timeout
        var backoff = Backoff()
        var looks = 0
        while true {
            looks += 1
            let outcome = look()
            switch outcome {
            case .happened(let lines):
                ring()
                return lines
            case .failed: throw error
            case .unknown: throw Self.unknown(error)
            case .notNow, .unreached:
                let pause = backoff.next()
                let isOver = ContinuousClock.now + pause >= deadline
                if isOver, looks > 1 || outcome == .notNow { throw Self.unknown(error) }
                Thread.sleep(pause)
            }
        }
    }

    /// Rings for other processes, as the server may not have come to do.
    private func ring() {
        guard let bell = store.bell, let connection = try? store.pool.take(for: "a commit") else { return }
        defer { store.pool.giveBack(connection) }
        try? connection.execute(bell)
    }

    static func unknown(_ error: StoreError) -> StoreError {
        StoreError(
            .commitOutcomeUnknown, "The connection was lost while a save was committed.",
            remedy: "Fetch the objects and see whether they were saved.", detail: error.detail, cause: error)
    }

    private enum Outcome: Equatable {
        case happened(lines: [Int64])
        case failed, unknown, notNow, unreached
    }

    private func look() -> Outcome {
        do throws(StoreError) {
            if trace.number != nil {
                let outcome = try ask(question)
                if outcome == .notNow { endProcess() }
                return outcome
            }
            let outcome = try ask(askingForLines("2"))
            if case .happened = outcome { return outcome }
            // Behind a pooler nobody knows which process it is.
            if store.configuration.isPooled { return .unknown }
            return try hasProcessEnded() ? ask(question) : .notNow
        } catch {
            return switch error.code {
            case .connectionLost: .unreached
            case .busy: .notNow
            default: .unknown
            }
        }
    }

    private func ask(_ question: String) throws(StoreError) -> Outcome {
        let options = SessionOptions(identifier: "the outcome of a commit", heedsCancellation: false)
        let (connection, _, answer) = try store.beginAnswering(options) { _ in
            store.start.looking + [OpeningStatement(question)]
        }
        try? connection.execute("ROLLBACK")
        store.pool.giveBack(connection)
        return switch answer.number(0) {
        case 0: .failed
        case 1: .happened(lines: answer.numbers(1))
        case 2: .notNow
        default: .unknown
        }
    }

    /// Whether the process is gone, which is ended unless it works on what it was told.
    private func hasProcessEnded() throws(StoreError) -> Bool {
        let connection = try store.pool.take(for: "the end of a lost connection")
        defer { store.pool.giveBack(connection) }
        guard try connection.integer(process.termination) == 0 else { return false }
        return try connection.integer(process.presence) == 0
    }

    /// Lets the server end a process that waits for a program which is gone; one that commits works, and is left alone
    /// unless it waits for another's lock before.
    private func endProcess() {
        if store.configuration.isPooled { return }
        guard let connection = try? store.pool.take(for: "the end of a lost connection") else { return }
        try? connection.execute(process.termination)
        store.pool.giveBack(connection)
    }

    /// Answers 1 for a transaction that was committed, 0 for one that was not, 2 for one that is still open, and 3 where nobody knows.
    ///
    /// The line in the history says it. Only where there can be none, or no more, the transaction's number has to do: after a failover
    /// it could be another's.
    private var question: String {
        let number = trace.number.map { "'\($0)'::pg_catalog.xid8" }
        let status = number.map { number in
            """
            CASE WHEN \(isOver(number)) THEN CASE pg_catalog.pg_xact_status(\(number)) \
            WHEN 'committed' THEN 1 WHEN 'aborted' THEN 0 ELSE 3 END ELSE 2 END
            """
        }
        let metadata = store.configuration.stored(StoreNames.metadata)
        // Asked where the rows are, since the number is that node's.
        guard let sequence = trace.sequence else {
            return "SELECT (\(status ?? "3"))::text FROM \(metadata) WHERE \"name\" = 'store_id'"
        }
        let withoutLine = number.map { "CASE WHEN \(isOver($0)) THEN 0 ELSE 2 END" } ?? "0"
        return askingForLines(
            """
            CASE WHEN EXISTS (SELECT FROM \(metadata) \
            WHERE CASE "name" WHEN '\(PostgresNames.prunedHistory)' THEN "value"::int8 >= \(sequence) ELSE FALSE END) \
            THEN \(status ?? "3") ELSE \(withoutLine) END
            """)
    }

    /// Whether a transaction was over at the moment that the statement sees, so that its line is seen, if there is one.
    ///
    /// A number that the server has not given out yet is one of before a failover. Numbers after the last that has come to its end are of
    /// transactions that are open.
    private func isOver(_ number: String) -> String {
        """
        (\(number) > pg_catalog.pg_current_xact_id() \
        OR \(number) < pg_catalog.pg_snapshot_xmax(pg_catalog.pg_current_snapshot()) \
        AND pg_catalog.pg_visible_in_snapshot(\(number), pg_catalog.pg_current_snapshot()))
        """
    }

    /// Answers 1 and the numbers of the lines where there are any, and something else where there are none.
    private func askingForLines(_ otherwise: String) -> String {
        """
        SELECT (CASE WHEN "numbers" IS NULL THEN \(otherwise) ELSE 1 END)::text, "numbers" \
        FROM (SELECT pg_catalog.string_agg("sequence"::text, ' ' ORDER BY "sequence") AS "numbers" \
        FROM \(store.history) WHERE "mark" = \(trace.mark)) AS "lines"
        """
    }
}
#endif
