#if Postgres
import ContextCore
import Foundation
import SQLStore

/// A save in one round trip, which begins a transaction, inserts the rows of several change sets, and commits.
///
/// A transaction that begins with a query takes three round trips. This one begins without a query: one of its statements fails if the
/// store was migrated to another model, and the server doesn't commit a failed transaction.
struct SingleRoundTripSave {
    let store: PostgresStore
    let identifier: String
    let isCancellable: Bool

    /// Saves the change sets, and returns the number of each save; nil, with nothing saved, if they can't be saved in this way.
    ///
    /// - Throws: An error if a wait times out or the task is cancelled, and `StoreError.Code.commitOutcomeUnknown`.
    func run(_ changeSets: [ChangeSet]) throws(StoreError) -> [Int64]? {
        guard let gathered = try? BatchedInsertions(changeSets, store.mapping),
            reportsConflictsAsErrors(gathered)
        else { return nil }
        let connection = try store.pool.borrow(for: identifier, isCancellable: isCancellable)
        store.performHistoryTask(on: connection)
        connection.cancelsLockWaitsOnly = true
        // Read before the commit: later the newest end may be past the numbers of this transaction's records.
        let trace = TransactionIdentity(
            mark: .random(in: .min ... .max), sequence: store.newestSeenNumber + 1, number: nil)
        var isLost = false
        do throws(StoreError) {
            defer {
                // Once the connection is back in the pool, another session may use it.
                isLost = !connection.isAlive
                giveBack(connection)
            }
            return try namingMigrationLockHolder(connection) { () throws(StoreError) in
                guard try post(gathered, trace.mark, connection) else { return nil }
                return try commit(gathered, connection)
            }
        } catch {
            if error.isOfTheWait { throw error }
            return isLost ? try numbers(ofLost: trace, connection.process, error, changeSets.count) : nil
        }
    }

    /// Runs work; if its wait for a lock times out, adds the holder of the lock to the error.
    private func namingMigrationLockHolder<Answer>(
        _ connection: PostgresConnection, _ work: () throws(StoreError) -> Answer
    ) throws(StoreError) -> Answer {
        do throws(StoreError) {
            return try work()
        } catch {
            guard error.isLockTimeout else { throw error }
            connection.rollback()
            throw error.addingLockHolder(of: .migration, on: connection)
        }
    }

    /// Returns whether each possible conflict of the insertions is an error of a statement.
    ///
    /// It is false for references to a subentity, which query the target's entity.
    private func reportsConflictsAsErrors(_ gathered: BatchedInsertions) -> Bool {
        !gathered.changes.inserts.isEmpty
            && gathered.changes.inserts.allSatisfy {
                store.mapping.entities[$0.entityIndex].narrowReferences.isEmpty
            }
    }

    /// Sends all statements but the COMMIT in the pipeline; false if that fails.
    private func post(
        _ gathered: BatchedInsertions, _ mark: Int64, _ connection: PostgresConnection
    ) throws(StoreError) -> Bool {
        do throws(StoreError) {
            // If the server has closed the connection, nothing has been sent yet.
            try connection.readOutstandingResults()
            guard try connection.enterPipeline() else { return false }
            for statement in store.start.writingBlindly { try connection.post(statement) }
            let writer = ChangeSetWriter(store: store, connection: connection)
            try writer.postInsertions(gathered.changes)
            try writer.checkReferencesBeforeCommit(gathered.changes)
            try connection.post(store.start.checkingPlace)
            try HistoryRecords(gathered.lines, mark: mark).post(
                to: store, connection, by: store.pipelinedHistoryStatements)
            return true
        } catch {
            // The COMMIT has not been sent.
            _ = try? connection.finishPipeline()
            if error.isOfTheWait { throw error }
            return false
        }
    }

    private func commit(
        _ gathered: BatchedInsertions, _ connection: PostgresConnection
    ) throws(StoreError) -> [Int64] {
        connection.pipelineRows = nil
        defer { connection.pipelineRows = nil }
        let rows: PostgresResult?
        do throws(StoreError) {
            rows = try connection.commitPipeline(ringing: store.bell)
        } catch {
            throw error.isOfLateCommit ? .commitLockTimeout(error) : error
        }
        guard let rows, rows.count == gathered.lines.count else { throw connection.lost() }
        return rows.integers(0)
    }

    /// Returns the numbers of the saves if their transaction was committed although its result was lost; nil if it was rolled back.
    private func numbers(
        ofLost trace: TransactionIdentity, _ process: ServerProcess, _ error: StoreError, _ count: Int
    ) throws(StoreError) -> [Int64]? {
        let numbers: [Int64]
        do throws(StoreError) {
            numbers = try CommitOutcome(store: store, process: process, trace: trace).resolve(error)
        } catch {
            if error.code == .commitOutcomeUnknown { throw error }
            return nil
        }
        // The first records may have been pruned. The history can't be read from a pruned record on, so use the next number instead.
        guard let first = numbers.first else { throw CommitOutcome.unknown(error) }
        return Array(repeating: first, count: max(0, count - numbers.count)) + numbers
    }

    private func giveBack(_ connection: PostgresConnection) {
        (connection.isCancellable, connection.cancelsLockWaitsOnly) = (false, false)
        connection.rollback()
        store.pool.giveBack(connection)
    }
}

extension StoreError {
    /// Whether a wait has timed out or the task was cancelled, so that saving in another way would only take longer.
    var isOfTheWait: Bool { isLockTimeout || code == .busy || code == .cancelled }

    /// Whether the COMMIT has timed out waiting for a lock.
    var isOfLateCommit: Bool { isLockTimeout && detail?.hasSuffix("; statement: COMMIT") == true }
}
#endif
