#if Postgres
import ContextCore
import Foundation
import SQLStore

/// The transaction of a write session, with the history records of the changes that it has applied.
final class WriteTransaction: ChangeTransaction {
    /// The end of the history when the transaction began; its own saves have no numbers before the commit.
    let historyEnd: HistoryEnd
    /// The numbers of its saves; empty before the commit.
    private(set) var numbers: [Int64] = []
    /// The history records of its saves, which the commit inserts.
    private(set) var records: [BatchedInsertions.Record] = []
    /// The identifiers by which a later query can find out whether it was committed.
    var identity: TransactionIdentity {
        TransactionIdentity(
            marker: marker, sequence: records.isEmpty ? nil : historyEnd.end + 1,
            number: historyEnd.transaction)
    }
    private let marker = Int64.random(in: .min ... .max)
    /// The number of saves before the caller's savepoint.
    private var atSavepoint = 0
    private let store: PostgresStore
    private let connection: PostgresConnection

    init(_ store: PostgresStore, _ connection: PostgresConnection, after historyEnd: HistoryEnd) {
        self.store = store
        self.connection = connection
        self.historyEnd = historyEnd
    }

    /// Removes the history records of all but the first saves.
    private func removeRecords(after count: Int) { records.removeLast(records.count - count) }

    // MARK: Applying

    var writer: ChangeSetWriter { ChangeSetWriter(store: store, connection: connection) }

    var hasConcurrentWriters: Bool { true }

    func runQueries<Answer>(
        _ work: (SessionReader) throws(StoreError) -> Answer
    ) throws(StoreError) -> Answer {
        try connection.withRollbackOnFailure { () throws(StoreError) in try work(writer.reader) }
    }

    /// Runs work, and undoes it if it fails or isn't kept; runs it again if the server has rejected a prepared statement as outdated.
    func atomically<Receipt>(
        _ work: () throws(StoreError) -> Receipt, keepingIf isKept: (Receipt) -> Bool
    ) throws(StoreError) -> Receipt {
        do throws(StoreError) {
            return try atomicallyOnce(work, keepingIf: isKept)
        } catch {
            if !connection.discardStalePreparedStatements() { throw error }
        }
        return try atomicallyOnce(work, keepingIf: isKept)
    }

    private func atomicallyOnce<Receipt>(
        _ work: () throws(StoreError) -> Receipt, keepingIf isKept: (Receipt) -> Bool
    ) throws(StoreError) -> Receipt {
        let before = records.count
        do throws(StoreError) {
            let receipt = try work()
            if isKept(receipt) {
                try advanceSavepoint()
            } else {
                try undoWork()
                removeRecords(after: before)
            }
            return receipt
        } catch {
            // Reads the results of the pipelined statements, which may be errors too.
            _ = try? connection.finishPipeline()
            // If the rollback to the savepoint fails too, the transaction stays failed.
            if connection.isInTransaction { try? undoWork() }
            removeRecords(after: before)
            throw error
        }
    }

    func undoWork() throws(StoreError) { try connection.execute(connection.rollbackStatement) }

    // MARK: Surviving errors

    /// Waits for the pipelined statements, and schedules a new savepoint after their changes.
    ///
    /// If a statement has failed, the old savepoint is still set, and the caller rolls back to it.
    private func advanceSavepoint() throws(StoreError) {
        try connection.collect()
        connection.scheduleSavepoint()
    }

    /// Runs work that locks rows, and keeps the locks if a later statement fails.
    func locking<Answer>(
        _ limit: LockLimit, _ work: () throws(StoreError) -> Answer
    ) throws(StoreError) -> Answer {
        do throws(StoreError) {
            return try connection.withRollbackOnFailure { () throws(StoreError) in
                try withLockLimit(limit, work)
            }
        } catch {
            guard error.isLockTimeout else { throw error }
            throw StoreError(
                .busy, "Another transaction has locked some of the rows.",
                remedy: "Try again later, wait longer, or skip locked rows with .skipLocked.",
                detail: error.detail, cause: error
            ).addingLockHolder(of: .rows, on: connection)
        }
    }

    /// Runs work with a limit for its lock waits, and restores the usual limits afterwards.
    private func withLockLimit<Answer>(
        _ limit: LockLimit, _ work: () throws(StoreError) -> Answer
    ) throws(StoreError) -> Answer {
        if limit == .default {
            let answer = try work()
            try advanceSavepoint()
            return answer
        }
        let answer: Answer
        do throws(StoreError) {
            try setLimits(limit)
            answer = try work()
        } catch {
            // If a statement has failed, the rollback to the savepoint also restores the settings.
            if connection.isAlive, !connection.hasFailedStatement { try? connection.execute(defaultLimits) }
            throw error
        }
        try connection.execute(defaultLimits)
        try advanceSavepoint()
        return answer
    }

    /// Limits the following statements to the remaining time of a limit.
    func setLimits(_ limit: LockLimit) throws(StoreError) {
        switch limit {
        case .default: return
        case .none: try connection.execute(lockTimeout(.zero))
        case .until(let deadline):
            // The server counts whole milliseconds, and must not time out before the deadline.
            let rest = ContinuousClock.now.duration(to: deadline) + .milliseconds(1)
            let usual = store.configuration.statementTimeout
            try connection.execute(lockTimeout(rest) + "; " + statementTimeout(min(rest, usual ?? rest)))
        }
    }

    private var defaultLimits: String {
        // Zero means no limit. Behind a pooler, where settings last for one transaction, DEFAULT would be the role's setting.
        lockTimeout(store.configuration.timeout) + "; "
            + statementTimeout(store.configuration.statementTimeout ?? .zero)
    }

    private func lockTimeout(_ limit: Duration) -> String {
        "SET LOCAL lock_timeout = \(limit.wholeMilliseconds)"
    }

    private func statementTimeout(_ limit: Duration) -> String {
        "SET LOCAL statement_timeout = \(limit.wholeMilliseconds)"
    }

    /// Runs work that writes; if it fails, only its own changes are rolled back.
    func performWrite(_ work: () throws(StoreError) -> Void) throws(StoreError) {
        try connection.withRollbackOnFailure { () throws(StoreError) in
            try work()
            try advanceSavepoint()
        }
    }

    // MARK: Savepoints

    /// Schedules a savepoint before the next statement, so that its cancellation doesn't undo earlier changes.
    func beginSavepoint() {
        connection.beginCallerSavepoint()
        atSavepoint = records.count
    }

    func endSavepoint(keepingWork: Bool) throws(StoreError) {
        if !keepingWork {
            try connection.rollBackSavepoint()
            return removeRecords(after: atSavepoint)
        }
        if connection.hasFailedStatement {
            throw StoreError(
                .database,
                "A statement of the transaction has failed, so the changes of the block can't be saved.",
                remedy: "Run the write again.")
        }
        connection.releaseSavepoint()
    }

    func addRecord(_ record: BatchedInsertions.Record) { records.append(record) }

    /// Applies the last changes and commits, in one round trip.
    ///
    /// - Returns: false if the changes can't be applied in this way; the transaction is still open then, without them.
    func commit(applying changes: ChangeSet) throws(StoreError) -> Bool {
        let last = FinalChanges(changes: changes, writer: writer)
        guard !changes.isEmpty, last.reportsConflictsAsErrors else { return false }
        try changes.check(for: store.model)
        try RowSizeCheck().check(changes, store.model)
        let before = records.count
        do throws(StoreError) {
            try commitRecords { () throws(StoreError) in
                let history = try last.sendInPipeline()
                try recordSave(history, author: changes.author, context: changes.contextName)
            }
            return true
        } catch {
            if !connection.isAlive || error.isCommitLockTimeout { throw error }
            _ = try? connection.finishPipeline()
            if connection.isInTransaction { try? undoWork() }
            let isWhole = connection.isInTransaction && !connection.hasFailedStatement
            let wasStale = connection.discardStalePreparedStatements()
            guard isWhole, wasStale || error.isConflict else { throw error }
            removeRecords(after: before)
            return false
        }
    }

    /// Commits the applied changes.
    func commit() throws(StoreError) {
        if records.isEmpty { return try connection.commit() }
        do throws(StoreError) {
            return try commitRecords()
        } catch {
            if connection.isAlive, connection.isInTransaction, !error.isLockTimeout {
                try? undoWork()
            }
            // Commit again if the server has rejected a prepared statement as outdated, or if another process has filled the number of
            // a record as a gap. If the COMMIT itself has failed, no transaction is open any more.
            let isNumberFilled =
                error.code == .duplicate
                && error.detail?.contains("; statement: INSERT INTO \(store.history) ") == true
            guard connection.isAlive, connection.isInTransaction,
                connection.discardStalePreparedStatements() || isNumberFilled, !connection.hasFailedStatement
            else { throw error }
        }
        try commitRecords()
    }

    private func commitRecords(
        after sendInPipeline: () throws(StoreError) -> Void = { () throws(StoreError) in }
    ) throws(StoreError) {
        let rows = try connection.commit(notifying: store.notifyStatement) { () throws(StoreError) in
            try sendInPipeline()
            try HistoryRecords(records, marker: marker).sendInPipeline(
                to: store, connection, by: store.historyStatements)
        }
        guard let rows, rows.count == records.count else { throw connection.abandonWithError() }
        numbers = rows.integers(0)
    }

    /// Records that the transaction was committed, although the result was lost.
    ///
    /// - Parameter numbers: The numbers of its saves that the history still has.
    func recordCommit(_ numbers: [Int64]) { self.numbers = numbers }

    /// Deletes history records up to a number, but keeps the last record, from which a copied store determines its next number.
    func pruneHistory(through sequence: Int64) throws(StoreError) {
        try StoreCatalog(connection: connection).pruneHistory(
            through: sequence, keeping: records.isEmpty ? historyEnd.end : historyEnd.end + 1,
            end: historyEnd.end)
    }
}

extension StoreError {
    /// Whether a statement has reported a conflict: a stale version, which is a division by zero, or a violated constraint.
    fileprivate var isConflict: Bool {
        code == .duplicate || code == .missingReference || detail?.hasPrefix("SQLSTATE 22012") == true
    }
}

/// The limit for the waits of statements that lock rows.
enum LockLimit: Equatable {
    /// The limit of all other statements.
    case `default`
    /// No wait, not even for a lock of the whole table.
    case none
    /// A deadline for whole statements.
    ///
    /// The server's `lock_timeout` applies to each lock separately, and so starts again with each row.
    case until(ContinuousClock.Instant)
}
#endif
