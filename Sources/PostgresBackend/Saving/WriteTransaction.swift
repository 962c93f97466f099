#if Postgres
import ContextCore
import Foundation
import SQLStore

/// The transaction of a write session: what it applied is in the store when it has been committed, and not before.
final class WriteTransaction {
    /// The number of the last save that the transaction sees, its own included.
    private(set) var sequence: Int64
    /// By what it can be told later that it was committed.
    private(set) var trace: TransactionTrace
    /// Whether those are rung for who have the store open; the server does it at the commit, once.
    private var hasRung = false
    /// What was done when the savepoint began.
    private var atSavepoint: Point
    private let store: PostgresStore
    private let connection: PostgresConnection

    init(_ store: PostgresStore, _ connection: PostgresConnection, after clock: ClockReading) {
        self.store = store
        self.connection = connection
        sequence = clock.sequence
        trace = TransactionTrace(mark: .random(in: .min ... .max), number: clock.transaction)
        atSavepoint = Point(sequence: clock.sequence, lastLine: nil, hasRung: false)
    }

    /// What has been done up to a moment, to which a failure goes back.
    private struct Point {
        let sequence: Int64
        let lastLine: Int64?
        let hasRung: Bool
    }

    private var point: Point { Point(sequence: sequence, lastLine: trace.sequence, hasRung: hasRung) }

    private func goBack(to point: Point) {
        (sequence, trace.sequence, hasRung) = (point.sequence, point.lastLine, point.hasRung)
    }

    // MARK: Applying

    /// Applies changes, all of them or none: whatever was to stay is before a savepoint.
    func apply(_ changes: ChangeSet) throws(StoreError) -> SaveReceipt {
        SaveReceipt(conflicts: try carryOut(changes).conflicts)
    }

    /// Applies changes, and says what the history says of them.
    private func carryOut(_ changes: ChangeSet) throws(StoreError) -> AppliedChanges {
        if changes.isEmpty { return AppliedChanges() }
        try changes.check(for: store.model)
        try RowSizes().check(changes, store.model)
        return try atomically { () throws(StoreError) in
            let before = point
            if let history = try quickly(changes) { return AppliedChanges(history: history) }
            goBack(to: before)
            try connection.execute(connection.undoing)
            let (conflicts, history) = try CarefulWriter(writer).write(changes)
            if conflicts.isEmpty { try note(history, author: changes.author, context: changes.contextName) }
            return AppliedChanges(conflicts: conflicts, history: history)
        } keepingIf: {
            $0.conflicts.isEmpty
        }
    }

    /// Applies what several saves insert, all of it in one round trip, and answers the number of each; nil, with nothing done, where
    /// anything stands in the way.
    func applyTogether(_ changeSets: [ChangeSet]) throws(StoreError) -> [Int64]? {
        do throws(StoreError) {
            let gathered = try GatheredInsertions(changeSets, store.mapping)
            return try atomically { () throws(StoreError) -> [Int64]? in
                try writer.postInsertions(gathered.changes)
                let first = sequence + 1
                try HistoryLines(gathered.lines, mark: trace.mark).post(
                    to: store, connection, by: store.historyTexts)
                try ring()
                sequence += Int64(changeSets.count)
                trace.sequence = sequence
                return try writer.holds(gathered.changes) ? Array(first...sequence) : nil
            } keepingIf: {
                $0 != nil
            }
        } catch {
            if !connection.isInTransaction { throw error }
            return nil
        }
    }

    /// Writes everything, its line in the history too, in one round trip if it can; nil where something stands in the way.
    private func quickly(_ changes: ChangeSet) throws(StoreError) -> HistoryEncoder? {
        do throws(StoreError) {
            return try writer.write(changes) { history throws(StoreError) in
                try note(history, author: changes.author, context: changes.contextName)
            }
        } catch {
            if error.code == .duplicate || error.code == .missingReference { return nil }
            throw error
        }
    }

    private var writer: ChangeSetWriter { ChangeSetWriter(store: store, connection: connection) }
    private var reader: SessionReader { writer.reader }

    // MARK: Batches

    /// Changes many rows by predicate, all of them or none.
    func perform(_ batch: BatchPlan) throws(StoreError) -> BatchReceipt {
        switch batch.operation {
        case .insert(let rows):
            try batch.check(rows, store.model)
            var changes = ChangeSet(author: batch.author)
            changes.inserts = [ChangeSet.Insertion(entityIndex: batch.entityIndex, rows: rows)]
            return try carryOut(reading { reader throws(StoreError) in try reader.derived(changes) }).receipt(
                store.mapping)
        case .update(let values):
            try batch.check(values, store.model)
            if let done = try updateAtOnce(batch, values) { return try done.receipt(store.mapping) }
            let changes = try reading { reader throws(StoreError) in
                try reader.derived(reader.changes(of: batch, values))
            }
            return try carryOut(changes).receipt(store.mapping)
        case .delete:
            let (changes, conflicts) = try reading {
                reader throws(StoreError) -> (ChangeSet, [RowConflict]) in
                var deletion = BatchDeletion(reader)
                try deletion.delete(batch)
                let (changes, conflicts) = try deletion.finish(author: batch.author)
                return (conflicts.isEmpty ? try reader.derived(changes) : changes, conflicts)
            }
            if !conflicts.isEmpty { return BatchReceipt(changes: [], conflicts: conflicts) }
            return try carryOut(changes).receipt(store.mapping)
        }
    }

    /// Reads what a batch is about, before anything of it is written.
    private func reading<Answer>(
        _ work: (SessionReader) throws(StoreError) -> Answer
    ) throws(StoreError) -> Answer {
        try connection.surviving { () throws(StoreError) in try work(reader) }
    }

    /// Updates by one statement; nil, with nothing done, where something may stand in the way, or derived attributes follow.
    private func updateAtOnce(_ batch: BatchPlan, _ values: [Int: StoredValue]) throws(StoreError)
        -> AppliedChanges?
    {
        if batch.isDerivedFrom(values, store.model) { return nil }
        return try atomically { () throws(StoreError) -> AppliedChanges? in
            let update = BatchUpdate(store: store, connection: connection)
            guard let history = try update.run(batch, values) else { return nil }
            try note(history, author: batch.author, context: nil)
            return AppliedChanges(history: history)
        } keepingIf: {
            $0 != nil
        }
    }

    /// Does something as a whole, or not at all; once more where the server had forgotten a prepared statement, or can't use it any more.
    private func atomically<Receipt>(
        _ work: () throws(StoreError) -> Receipt, keepingIf isKept: (Receipt) -> Bool
    ) throws(StoreError) -> Receipt {
        do throws(StoreError) {
            return try atomicallyOnce(work, keepingIf: isKept)
        } catch {
            if !connection.takeStaleness() { throw error }
        }
        return try atomicallyOnce(work, keepingIf: isKept)
    }

    private func atomicallyOnce<Receipt>(
        _ work: () throws(StoreError) -> Receipt, keepingIf isKept: (Receipt) -> Bool
    ) throws(StoreError) -> Receipt {
        let before = point
        do throws(StoreError) {
            let receipt = try work()
            if isKept(receipt) {
                try settle()
            } else {
                try connection.execute(connection.undoing)
                goBack(to: before)
            }
            return receipt
        } catch {
            // What was posted before the error may have errors of its own.
            _ = try? connection.settle()
            // Where the savepoint is gone too, the transaction has failed for good.
            if connection.isInTransaction { try? connection.execute(connection.undoing) }
            goBack(to: before)
            throw error
        }
    }

    // MARK: Surviving errors

    /// Hears of everything that was posted, and sets the savepoint anew after which nothing is lost, before anything else is done.
    ///
    /// Where anything fails, the old one is still there, and what was done since is undone.
    private func settle() throws(StoreError) {
        try connection.collect()
        connection.renewMark()
    }

    /// Does what locks rows, which then stay locked whatever fails later.
    func locking<Answer>(
        _ limit: LockLimit, _ work: () throws(StoreError) -> Answer
    ) throws(StoreError) -> Answer {
        do throws(StoreError) {
            return try connection.surviving { () throws(StoreError) in try limited(limit, work) }
        } catch {
            guard error.isLockTimeout else { throw error }
            throw StoreError(
                .busy, "Somebody else has locked rows that are to be locked.",
                remedy: "Try again later, wait longer, or pass over them: .skipLocked.", detail: error.detail,
                cause: error
            ).namingHolder(of: .rows, store.lockNumber, on: connection)
        }
    }

    /// Lets locks be waited for as long as a fetch says; afterwards others are waited for as long as ever.
    private func limited<Answer>(
        _ limit: LockLimit, _ work: () throws(StoreError) -> Answer
    ) throws(StoreError) -> Answer {
        if limit == .usual {
            let answer = try work()
            try settle()
            return answer
        }
        let answer: Answer
        do throws(StoreError) {
            try keep(limit)
            answer = try work()
        } catch {
            // The server undoes the setting together with a statement that has failed.
            if connection.isAlive, !connection.hasFailedStatement { try? connection.execute(usualLimits) }
            throw error
        }
        try connection.execute(usualLimits)
        try settle()
        return answer
    }

    /// Lets the statements that come take no longer than is left of a limit.
    func keep(_ limit: LockLimit) throws(StoreError) {
        switch limit {
        case .usual: return
        case .none: try connection.execute(lockTimeout(.zero))
        case .until(let deadline):
            // The server counts whole milliseconds, and must not be done before the time is over.
            let rest = ContinuousClock.now.duration(to: deadline) + .milliseconds(1)
            let usual = store.configuration.statementTimeout
            try connection.execute(lockTimeout(rest) + "; " + statementTimeout(min(rest, usual ?? rest)))
        }
    }

    private var usualLimits: String {
        // Zero is none. The default would be the role's behind a pooler, where settings hold for one transaction.
        lockTimeout(store.configuration.timeout) + "; "
            + statementTimeout(store.configuration.statementTimeout ?? .zero)
    }

    private func lockTimeout(_ limit: Duration) -> String {
        "SET LOCAL lock_timeout = \(limit.wholeMilliseconds)"
    }

    private func statementTimeout(_ limit: Duration) -> String {
        "SET LOCAL statement_timeout = \(limit.wholeMilliseconds)"
    }

    /// Does what writes; when it fails, the transaction goes on as if it had not been tried.
    func change(_ work: () throws(StoreError) -> Void) throws(StoreError) {
        try connection.surviving { () throws(StoreError) in
            try work()
            try settle()
        }
    }

    // MARK: Savepoints

    /// Sets a savepoint together with what comes next, whose cancellation must not undo what came before.
    func beginSavepoint() {
        connection.beginPart()
        atSavepoint = point
    }

    func endSavepoint(keepingWork: Bool) throws(StoreError) {
        if !keepingWork {
            try connection.undoPart()
            return goBack(to: atSavepoint)
        }
        if connection.hasFailedStatement {
            throw StoreError(
                .database, "A statement of the transaction has failed, so nothing of the work can be kept.",
                remedy: "Do it again.")
        }
        connection.keepPart()
    }

    /// Writes the line of a save into the history, and rings for others who have the store open.
    private func note(_ history: HistoryEncoder, author: String?, context: String?) throws(StoreError) {
        if history.isEmpty { return }
        try history.checkRows()
        var parameters = PostgresParameters()
        parameters.append(sequence + 1)
        parameters.append(trace.mark)
        parameters.append(moment: Date.now.microseconds)
        parameters.append(author)
        parameters.append(context)
        parameters.append(store.configuration.keepsHistory ? history.bytes(by: .current) : nil)
        try connection.post(
            """
            INSERT INTO \(store.history) ("sequence", "mark", "date", "author", "context", "changes") \
            VALUES ($1, $2, $3, $4, $5, $6)
            """, parameters)
        try ring()
        sequence += 1
        trace.sequence = sequence
    }

    private func ring() throws(StoreError) {
        guard store.configuration.notifies, !hasRung else { return }
        try connection.post(store.channel.ringing)
        hasRung = true
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

/// For how long what locks rows may wait.
enum LockLimit: Equatable {
    /// As long as others wait.
    case usual
    /// Not at all: what is asked for at once must not wait for a lock of the whole table either.
    case none
    /// Until a moment, whatever its statements do by then.
    ///
    /// The server's limit for locks is for each of them, and starts anew with each row, so whole statements are limited.
    case until(ContinuousClock.Instant)
}
#endif
