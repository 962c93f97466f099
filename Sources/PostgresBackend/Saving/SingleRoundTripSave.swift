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
        guard let insertions = try? BatchedInsertions(changeSets, store.mapping),
            reportsConflictsAsErrors(insertions)
        else { return nil }
        let connection = try store.pool.borrow(for: identifier, isCancellable: isCancellable)
        store.performHistoryTask(on: connection)
        connection.limitCancellationToLockWaits()
        // Read before the commit: later the newest end may be past the numbers of this transaction's records.
        let identity = TransactionIdentity(
            marker: .random(in: .min ... .max), sequence: store.newestSeenNumber + 1, number: nil)
        var isLost = false
        do throws(StoreError) {
            defer {
                // Once the connection is back in the pool, another session may use it.
                isLost = !connection.isAlive
                returnConnection(connection)
            }
            return try namingMigrationLockHolder(connection) { () throws(StoreError) in
                guard try sendInPipeline(insertions, identity.marker, connection) else { return nil }
                return try commit(insertions, connection)
            }
        } catch {
            if error.isWaitFailure { throw error }
            return isLost ? try numbers(ofLost: identity, connection.process, error, changeSets.count) : nil
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
    private func reportsConflictsAsErrors(_ insertions: BatchedInsertions) -> Bool {
        !insertions.changes.inserts.isEmpty
            && insertions.changes.inserts.allSatisfy {
                store.mapping.entities[$0.entityIndex].narrowReferences.isEmpty
            }
    }

    /// Sends all statements but the COMMIT in the pipeline; false if that fails.
    private func sendInPipeline(
        _ insertions: BatchedInsertions, _ marker: Int64, _ connection: PostgresConnection
    ) throws(StoreError) -> Bool {
        do throws(StoreError) {
            // If the server has closed the connection, nothing has been sent yet.
            try connection.readOutstandingResults()
            guard try connection.enterPipeline() else { return false }
            for statement in store.start.insertingOnly { try connection.sendInPipeline(statement) }
            let writer = ChangeSetWriter(store: store, connection: connection)
            try writer.sendInsertions(insertions.changes)
            try writer.checkReferencesBeforeCommit(insertions.changes)
            try connection.sendInPipeline(store.start.storeCheck)
            try HistoryRecords(insertions.records, marker: marker).sendInPipeline(
                to: store, connection, by: store.pipelinedHistoryStatements)
            return true
        } catch {
            // The COMMIT has not been sent.
            _ = try? connection.finishPipeline()
            if error.isWaitFailure { throw error }
            return false
        }
    }

    private func commit(
        _ insertions: BatchedInsertions, _ connection: PostgresConnection
    ) throws(StoreError) -> [Int64] {
        let rows: PostgresResult?
        do throws(StoreError) {
            rows = try connection.commitPipeline(notifying: store.notifyStatement)
        } catch {
            throw error.isCommitLockTimeout ? .commitLockTimeoutError(error) : error
        }
        guard let rows, rows.count == insertions.records.count else { throw connection.abandonWithError() }
        return rows.integers(0)
    }

    /// Returns the numbers of the saves if their transaction was committed although its result was lost; nil if it was rolled back.
    private func numbers(
        ofLost identity: TransactionIdentity, _ process: ServerProcess, _ error: StoreError, _ count: Int
    ) throws(StoreError) -> [Int64]? {
        let numbers: [Int64]
        do throws(StoreError) {
            numbers = try CommitOutcome(store: store, process: process, identity: identity).resolve(error)
        } catch {
            if error.code == .commitOutcomeUnknown { throw error }
            return nil
        }
        // The first records may have been pruned. The history can't be read from a pruned record on, so use the next number instead.
        guard let first = numbers.first else { throw CommitOutcome.unknownOutcomeError(error) }
        return Array(repeating: first, count: max(0, count - numbers.count)) + numbers
    }

    private func returnConnection(_ connection: PostgresConnection) {
        connection.setCancellationScope(.nothing)
        connection.rollback()
        store.pool.returnConnection(connection)
    }
}

extension StoreError {
    /// Whether a wait has timed out or the task was cancelled, so that saving in another way would only take longer.
    var isWaitFailure: Bool { isLockTimeout || code == .busy || code == .cancelled }

    /// Whether the COMMIT has timed out waiting for a lock.
    var isCommitLockTimeout: Bool { isLockTimeout && detail?.hasSuffix("; statement: COMMIT") == true }
}
#endif
