#if Postgres
import ContextCore
import Foundation
import SQLStore

/// The transaction of a write session: what it applied is in the store when it has been committed, and not before.
final class WriteTransaction {
    /// The number of the last save that the transaction sees, its own included.
    private(set) var sequence: Int64
    /// By what it can be told later that it was committed.
    private(set) var trace = TransactionTrace(mark: .random(in: .min ... .max))
    /// What the two were when the savepoint began.
    private var atSavepoint: (sequence: Int64, lastLine: Int64?) = (0, nil)
    private let store: PostgresStore
    private let connection: PostgresConnection

    init(_ store: PostgresStore, _ connection: PostgresConnection, after sequence: Int64) {
        self.store = store
        self.connection = connection
        self.sequence = sequence
    }

    // MARK: Applying

    /// Applies changes inside a savepoint: all of them, or none.
    func apply(_ changes: ChangeSet) throws(StoreError) -> SaveReceipt {
        SaveReceipt(conflicts: try carryOut(changes).conflicts)
    }

    /// Applies changes, and says what the history says of them.
    private func carryOut(_ changes: ChangeSet) throws(StoreError) -> Applied {
        if changes.isEmpty { return Applied() }
        try changes.check(for: store.model)
        return try atomically { () throws(StoreError) in
            if let history = try quickly(changes) {
                try note(history, author: changes.author, context: changes.contextName)
                return Applied(history: history)
            }
            try connection.execute("ROLLBACK TO SAVEPOINT work")
            let (conflicts, history) = try CarefulWriter(writer).write(changes)
            if conflicts.isEmpty { try note(history, author: changes.author, context: changes.contextName) }
            return Applied(conflicts: conflicts, history: history)
        } keepingIf: {
            $0.conflicts.isEmpty
        }
    }

    /// Writes everything; nil where something stands in the way.
    private func quickly(_ changes: ChangeSet) throws(StoreError) -> HistoryEncoder? {
        do throws(StoreError) {
            return try writer.write(changes)
        } catch {
            if error.code == .duplicate || error.code == .missingReference { return nil }
            throw error
        }
    }

    private var writer: ChangeSetWriter { ChangeSetWriter(store: store, connection: connection) }
    private var reader: SessionReader { writer.reader }

    /// What became of changes.
    private struct Applied {
        var conflicts: [RowConflict] = []
        var history = HistoryEncoder()
    }

    // MARK: Batches

    /// Changes many rows by predicate inside a savepoint.
    func perform(_ batch: BatchPlan) throws(StoreError) -> BatchReceipt {
        switch batch.operation {
        case .insert(let rows):
            try batch.check(rows, store.model)
            var changes = ChangeSet(author: batch.author)
            changes.inserts = [ChangeSet.Insertion(entityIndex: batch.entityIndex, rows: rows)]
            return try receipt(carryOut(reader.derived(changes)))
        case .update(let values):
            try batch.check(values, store.model)
            if let done = try updateAtOnce(batch, values) { return try receipt(done) }
            return try receipt(carryOut(reader.derived(reader.changes(of: batch, values))))
        case .delete:
            var deletion = BatchDeletion(reader)
            try deletion.delete(batch)
            let (changes, conflicts) = try deletion.finish(author: batch.author)
            if !conflicts.isEmpty { return BatchReceipt(changes: [], conflicts: conflicts) }
            return try receipt(carryOut(reader.derived(changes)))
        }
    }

    /// Updates by one statement; nil, with nothing done, where something may stand in the way, or derived attributes follow.
    private func updateAtOnce(_ batch: BatchPlan, _ values: [Int: StoredValue]) throws(StoreError) -> Applied?
    {
        if batch.isDerivedFrom(values, store.model) { return nil }
        return try atomically { () throws(StoreError) -> Applied? in
            let update = BatchUpdate(store: store, connection: connection)
            guard let history = try update.run(batch, values) else { return nil }
            try note(history, author: batch.author, context: nil)
            return Applied(history: history)
        } keepingIf: {
            $0 != nil
        }
    }

    private func receipt(_ outcome: Applied) throws(StoreError) -> BatchReceipt {
        if !outcome.conflicts.isEmpty { return BatchReceipt(changes: [], conflicts: outcome.conflicts) }
        var decoder = HistoryDecoder(store.mapping, longestLine: .max)
        return BatchReceipt(changes: try decoder.changes(outcome.history.bytes))
    }

    /// Does something as a whole, or not at all; once more where the server had forgotten a prepared statement, or can't use it any more.
    private func atomically<Receipt>(
        _ work: () throws(StoreError) -> Receipt, keepingIf isKept: (Receipt) -> Bool
    ) throws(StoreError) -> Receipt {
        let before = (sequence, trace.sequence)
        do throws(StoreError) {
            return try atomicallyOnce(work, keepingIf: isKept)
        } catch {
            (sequence, trace.sequence) = before
            if !connection.takeStaleness() { throw error }
        }
        return try atomicallyOnce(work, keepingIf: isKept)
    }

    private func atomicallyOnce<Receipt>(
        _ work: () throws(StoreError) -> Receipt, keepingIf isKept: (Receipt) -> Bool
    ) throws(StoreError) -> Receipt {
        try connection.post("SAVEPOINT work")
        do throws(StoreError) {
            let receipt = try work()
            if isKept(receipt) {
                try settle("RELEASE SAVEPOINT work")
            } else {
                try connection.execute("ROLLBACK TO SAVEPOINT work; RELEASE SAVEPOINT work")
            }
            return receipt
        } catch {
            // What was posted before the error may have errors of its own.
            _ = try? connection.settle()
            // Nothing was written between the two savepoints, and the second may not have been set.
            if connection.isInTransaction { try? connection.execute("ROLLBACK TO SAVEPOINT settled") }
            throw error
        }
    }

    // MARK: Surviving errors

    /// Sets the savepoint anew after which nothing is lost, rings for others once there is something to see, and asks in the same breath for the transaction's
    /// number.
    private func settle(_ sql: String? = nil) throws(StoreError) {
        let ringing = store.configuration.notifies && trace.sequence != nil ? store.channel.ringing : nil
        let statements = [
            sql, ringing, PostgresConnection.nextMark, "SELECT pg_catalog.pg_current_xact_id()::text",
        ]
        trace.number = try connection.integer(statements.compactMap { $0 }.joined(separator: "; "))
    }

    /// Does what locks rows, which then stay locked whatever fails later.
    func locking<Answer>(
        _ wait: LockWait, _ work: () throws(StoreError) -> Answer
    ) throws(StoreError) -> Answer {
        do throws(StoreError) {
            return try connection.surviving { () throws(StoreError) in
                if case .wait(let limit) = wait { try setLockTimeout(limit) }
                let answer = try work()
                if case .wait = wait { try setLockTimeout(store.configuration.timeout) }
                try settle()
                return answer
            }
        } catch {
            guard error.code == .busy else { throw error }
            throw StoreError(
                .busy, "Somebody else has locked rows that are to be locked.",
                remedy: "Try again later, wait longer, or pass over them: .skipLocked.", detail: error.detail,
                cause: error)
        }
    }

    /// It is gone with the transaction, and with the savepoint where what it is set for fails.
    private func setLockTimeout(_ limit: Duration) throws(StoreError) {
        try connection.execute("SET LOCAL lock_timeout = \(limit.wholeMilliseconds)")
    }

    /// Does what writes; when it fails, the transaction goes on as if it had not been tried.
    func change(_ work: () throws(StoreError) -> Void) throws(StoreError) {
        try connection.surviving { () throws(StoreError) in
            try work()
            try settle()
        }
    }

    // MARK: Savepoints

    func beginSavepoint() throws(StoreError) {
        try connection.execute("SAVEPOINT part; SAVEPOINT settled")
        atSavepoint = (sequence, trace.sequence)
    }

    func endSavepoint(keepingWork: Bool) throws(StoreError) {
        if keepingWork {
            return try connection.execute("RELEASE SAVEPOINT part; \(PostgresConnection.nextMark)")
        }
        try connection.execute("ROLLBACK TO SAVEPOINT part; RELEASE SAVEPOINT part")
        (sequence, trace.sequence) = atSavepoint
    }

    /// Writes the line of a save into the history.
    private func note(_ history: HistoryEncoder, author: String?, context: String?) throws(StoreError) {
        if history.isEmpty { return }
        var parameters = PostgresParameters()
        parameters.append(sequence + 1)
        parameters.append(trace.mark)
        parameters.append(moment: Date.now.microseconds)
        parameters.append(author)
        parameters.append(context)
        parameters.append(store.configuration.keepsHistory ? history.bytes : nil)
        try connection.run(
            """
            INSERT INTO \(store.history) ("sequence", "mark", "date", "author", "context", "changes") \
            VALUES ($1, $2, $3, $4, $5, $6)
            """, parameters)
        sequence += 1
        trace.sequence = sequence
    }

    /// Forgets the history up to a save; the last line stays, because it is the store's clock.
    func pruneHistory(through sequence: Int64) throws(StoreError) {
        var parameters = PostgresParameters()
        parameters.append(sequence)
        parameters.append(self.sequence)
        try connection.run(
            "DELETE FROM \(store.history) WHERE \"sequence\" <= $1 AND \"sequence\" < $2", parameters)
        let catalogue = StoreCatalogue(connection: connection)
        if sequence > (try catalogue.prunedSequence()) {
            try catalogue.note("history_pruned", String(min(sequence, self.sequence)))
        }
    }
}
#endif
