#if Postgres
import ContextCore
import Foundation
import SQLStore

/// The identifiers of a transaction by which a later query can find out whether it was committed.
struct TransactionIdentity {
    /// The marker of the transaction's history records, which is unique.
    let marker: Int64
    /// A lower bound for the numbers of its history records; nil if it has written none.
    var sequence: Int64?
    /// The server's transaction ID.
    let number: Int64?
}

/// Finds out whether a commit succeeded if the connection was lost before its result arrived.
struct CommitOutcome {
    let store: PostgresStore
    /// The server process that received the commit.
    let process: ServerProcess
    let identity: TransactionIdentity

    /// Returns the numbers of the transaction's history records if it was committed.
    ///
    /// The result is empty if the records were pruned since, or if there were none.
    ///
    /// Usually the server knows the outcome at once by the transaction ID. A transaction without one may not even have begun, and has
    /// ended when its process has. If the server can't be reached, it retries until the time limit, but at least once, since a single
    /// attempt can take all of the time.
    ///
    /// - Throws: The given error if the transaction was rolled back, and `StoreError.Code.commitOutcomeUnknown` if that can't be found
    ///   out.
    @discardableResult
    func resolve(_ error: StoreError) throws(StoreError) -> [Int64] {
        let deadline = ContinuousClock.now + store.configuration.timeout
        var backoff = Backoff()
        var attempts = 0
        while true {
            attempts += 1
            let outcome = queryOutcome()
            switch outcome {
            case .committed(let numbers):
                notifyProcesses()
                return numbers
            case .rolledBack: throw error
            case .unknown: throw Self.unknownOutcomeError(error)
            case .pending, .unreachable:
                let pause = backoff.nextPause()
                let isOver = ContinuousClock.now + pause >= deadline
                if isOver, attempts > 1 || outcome == .pending { throw Self.unknownOutcomeError(error) }
                Thread.sleep(pause)
            }
        }
    }

    /// Notifies other processes of the commit, since the server may not have received the statement that notifies them.
    private func notifyProcesses() {
        guard let notifyStatement = store.notifyStatement,
            let connection = try? store.pool.borrow(for: "a commit")
        else { return }
        defer { store.pool.returnConnection(connection) }
        try? connection.execute(notifyStatement)
    }

    static func unknownOutcomeError(_ error: StoreError) -> StoreError {
        StoreError(
            .commitOutcomeUnknown,
            "The connection was lost while a save was being committed, so it is unknown whether it was saved.",
            remedy: "Fetch the objects and check whether they were saved.", detail: error.detail, cause: error
        )
    }

    private enum Outcome: Equatable {
        case committed(numbers: [Int64])
        case rolledBack, unknown, pending, unreachable
    }

    private func queryOutcome() -> Outcome {
        do throws(StoreError) {
            if identity.number != nil {
                let outcome = try self.outcome(of: statusQuery)
                if outcome == .pending { endProcess() }
                return outcome
            }
            let outcome = try self.outcome(of: recordsQuery(otherwise: "2"))
            if case .committed = outcome { return outcome }
            // Behind a pooler the server process is unknown.
            if store.configuration.isPooled { return .unknown }
            return try hasProcessEnded() ? self.outcome(of: statusQuery) : .pending
        } catch {
            return switch error.code {
            case .connectionLost: .unreachable
            case .busy: .pending
            default: .unknown
            }
        }
    }

    private func outcome(of query: String) throws(StoreError) -> Outcome {
        let options = SessionOptions(identifier: "the outcome of a commit", isCancellable: false)
        let (connection, _, answer) = try store.beginReturningResult(options) { _ in
            store.start.readingWithoutLocks + [StartStatement(query)]
        }
        try? connection.execute("ROLLBACK")
        store.pool.returnConnection(connection)
        return switch answer.number(0) {
        case 0: .rolledBack
        case 1: .committed(numbers: answer.numbers(1))
        case 2: .pending
        default: .unknown
        }
    }

    /// Terminates the process unless it is working, and returns whether it has ended.
    private func hasProcessEnded() throws(StoreError) -> Bool {
        let connection = try store.pool.borrow(for: "the end of a lost connection")
        defer { store.pool.returnConnection(connection) }
        guard try connection.integer(process.terminationQuery) == 0 else { return false }
        return try connection.integer(process.presenceQuery) == 0
    }

    /// Terminates the process if it waits for its client or for a lock; a process that is committing isn't interrupted.
    private func endProcess() {
        if store.configuration.isPooled { return }
        guard let connection = try? store.pool.borrow(for: "the end of a lost connection") else { return }
        try? connection.execute(process.terminationQuery)
        store.pool.returnConnection(connection)
    }

    /// The query that returns 1 for a committed transaction, 0 for one that was rolled back, 2 for one that is open, and 3 if unknown.
    ///
    /// A history record proves the commit. Without records, or if they were pruned, the query uses the transaction ID, which could be
    /// another transaction's after a failover.
    private var statusQuery: String {
        let number = identity.number.map { "'\($0)'::pg_catalog.xid8" }
        let status = number.map { number in
            """
            CASE WHEN \(endedCondition(number)) THEN CASE pg_catalog.pg_xact_status(\(number)) \
            WHEN 'committed' THEN 1 WHEN 'aborted' THEN 0 ELSE 3 END ELSE 2 END
            """
        }
        let metadata = store.configuration.stored(StoreNames.metadata)
        // The query reads a row, since in a distributed schema the transaction ID is that of the node with the rows.
        guard let sequence = identity.sequence else {
            return "SELECT (\(status ?? "3"))::text FROM \(metadata) WHERE \"name\" = 'store_id'"
        }
        let withoutRecord = number.map { "CASE WHEN \(endedCondition($0)) THEN 0 ELSE 2 END" } ?? "0"
        return recordsQuery(
            otherwise: """
                CASE WHEN EXISTS (SELECT FROM \(metadata) \
                WHERE CASE "name" WHEN '\(StoreCatalog.prunedHistory)' THEN "value"::int8 >= \(sequence) ELSE FALSE END) \
                THEN \(status ?? "3") ELSE \(withoutRecord) END
                """)
    }

    /// Returns the condition that a transaction had ended in the statement's snapshot, so that its history record is visible if it exists.
    ///
    /// A transaction ID that the server hasn't assigned yet is from before a failover. IDs from the snapshot's `xmax` on belong to
    /// transactions that hadn't ended.
    private func endedCondition(_ number: String) -> String {
        """
        (\(number) > pg_catalog.pg_current_xact_id() \
        OR \(number) < pg_catalog.pg_snapshot_xmax(pg_catalog.pg_current_snapshot()) \
        AND pg_catalog.pg_visible_in_snapshot(\(number), pg_catalog.pg_current_snapshot()))
        """
    }

    /// Returns the query that returns 1 and the numbers of the history records if there are any, and another value if there are none.
    private func recordsQuery(otherwise: String) -> String {
        """
        SELECT (CASE WHEN "numbers" IS NULL THEN \(otherwise) ELSE 1 END)::text, "numbers" \
        FROM (SELECT pg_catalog.string_agg("sequence"::text, ' ' ORDER BY "sequence") AS "numbers" \
        FROM \(store.history) WHERE "mark" = \(identity.marker)) AS "lines"
        """
    }
}
#endif
