#if Postgres
import ContextCore
import Foundation
import SQLStore

/// The transaction of a write session: what it applied is in the store when it has been committed, and not before.
final class WriteTransaction {
    /// What the clock said where the transaction began; its own saves have no numbers until it is committed.
    let clock: ClockReading
    /// The numbers of its saves, once it is committed.
    private(set) var numbers: [Int64] = []
    /// What the history is to say of its own saves.
    private(set) var lines: [GatheredInsertions.Line] = []
    /// By what it can be told later that it was committed.
    var trace: TransactionTrace {
        TransactionTrace(mark: mark, sequence: lines.isEmpty ? nil : clock.end + 1, number: clock.transaction)
    }
    private let mark = Int64.random(in: .min ... .max)
    /// How many saves had been made when the savepoint began.
    private var atSavepoint = 0
    private let store: PostgresStore
    private let connection: PostgresConnection

    init(_ store: PostgresStore, _ connection: PostgresConnection, after clock: ClockReading) {
        self.store = store
        self.connection = connection
        self.clock = clock
    }

    /// Takes back what the history is to say of the saves since there were so many.
    private func goBack(to count: Int) { lines.removeLast(lines.count - count) }

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
            if let history = try quickly(changes) {
                try note(history, author: changes.author, context: changes.contextName)
                return AppliedChanges(history: history)
            }
            try connection.execute(connection.undoing)
            try writer.hold(changes.held)
            return try carefully(changes)
        } keepingIf: {
            $0.conflicts.isEmpty
        }
    }

    /// Writes everything, and finds all that stands in the way.
    ///
    /// - Throws: `StoreError.Code.contention` where that is a row which another transaction has committed since this one took its snapshot.
    private func carefully(_ changes: ChangeSet) throws(StoreError) -> AppliedChanges {
        do throws(StoreError) {
            let (conflicts, history) = try CarefulWriter(writer).write(changes)
            if conflicts.isEmpty {
                try writer.checkReferences()
                _ = try connection.settle()
                try note(history, author: changes.author, context: changes.contextName)
            }
            return AppliedChanges(conflicts: conflicts, history: history)
        } catch {
            guard error.code == .duplicate || error.code == .missingReference else { throw error }
            throw StoreError(
                .contention,
                "Another transaction has saved the same unique values, or deleted what is referred to; nothing of this one was saved.",
                remedy: "Do the same again.", detail: error.detail, cause: error)
        }
    }

    /// Writes everything in one round trip if it can; nil where something stands in the way.
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

    // MARK: Batches

    /// Changes many rows by predicate, all of them or none.
    func perform(_ batch: BatchPlan) throws(StoreError) -> BatchReceipt {
        switch batch.operation {
        case .insert(let rows):
            try batch.check(rows, store.model)
            var changes = ChangeSet(author: batch.author)
            changes.inserts = [ChangeSet.Insertion(entityIndex: batch.entityIndex, rows: rows)]
            return try carryOut(
                reading { reader throws(StoreError) in try reader.derived(changes, holding: true) }
            ).receipt(
                store.mapping)
        case .update(let values):
            try batch.check(values, store.model)
            if let done = try updateAtOnce(batch, values) { return try done.receipt(store.mapping) }
            let changes = try reading { reader throws(StoreError) in
                try reader.derived(reader.changes(of: batch, values), holding: true)
            }
            return try carryOut(changes).receipt(store.mapping)
        case .delete:
            let (changes, conflicts) = try reading {
                reader throws(StoreError) -> (ChangeSet, [RowConflict]) in
                var deletion = BatchDeletion(reader)
                try deletion.delete(batch)
                let (changes, conflicts) = try deletion.finish(author: batch.author)
                return (conflicts.isEmpty ? try reader.derived(changes, holding: true) : changes, conflicts)
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
        let before = lines.count
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
            ).namingHolder(of: .rows, on: connection)
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
        atSavepoint = lines.count
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

    /// Notes what the history is to say of a save.
    private func note(_ history: HistoryEncoder, author: String?, context: String?) throws(StoreError) {
        if history.isEmpty { return }
        try history.checkRows()
        lines.append(GatheredInsertions.Line(author: author, contextName: context, history: history))
    }

    /// Applies last changes and commits, in one round trip.
    ///
    /// False where anything stands in the way: then the transaction goes on without the changes.
    func commit(applying changes: ChangeSet) throws(StoreError) -> Bool {
        let last = LastChanges(changes: changes, writer: writer)
        guard !changes.isEmpty, last.canBeStrict else { return false }
        try changes.check(for: store.model)
        try RowSizes().check(changes, store.model)
        let before = lines.count
        do throws(StoreError) {
            try commitLines { () throws(StoreError) in
                let history = try last.post()
                try note(history, author: changes.author, context: changes.contextName)
            }
            return true
        } catch {
            if !connection.isAlive || error.isOfLateCommit { throw error }
            _ = try? connection.settle()
            if connection.isInTransaction { try? connection.execute(connection.undoing) }
            let isWhole = connection.isInTransaction && !connection.hasFailedStatement
            let wasStale = connection.takeStaleness()
            guard isWhole, wasStale || error.isOfStrictness else { throw error }
            goBack(to: before)
            return false
        }
    }

    /// Commits what was applied.
    func commit() throws(StoreError) {
        if lines.isEmpty { return try connection.commit() }
        do throws(StoreError) {
            return try commitLines()
        } catch {
            if connection.isAlive, connection.isInTransaction, !error.isLockTimeout {
                try? connection.execute(connection.undoing)
            }
            // A prepared statement was forgotten by the server, or can't be used any more; or the number of a line was taken for one
            // that no transaction has. Where it is the commit that failed, there is no transaction any more.
            let isNumberTaken =
                error.code == .duplicate
                && error.detail?.contains("; statement: INSERT INTO \(store.history) ") == true
            guard connection.isAlive, connection.isInTransaction,
                connection.takeStaleness() || isNumberTaken, !connection.hasFailedStatement
            else { throw error }
        }
        try commitLines()
    }

    private func commitLines(
        after post: () throws(StoreError) -> Void = { () throws(StoreError) in }
    ) throws(StoreError) {
        let rows = try connection.commit(ringing: store.bell) { () throws(StoreError) in
            try post()
            try HistoryLines(lines, mark: mark).post(to: store, connection, by: store.historyTexts)
        }
        guard let rows, rows.count == lines.count else { throw connection.lost() }
        numbers = rows.numbers
    }

    /// Notes that it was committed though the answer was lost.
    ///
    /// - Parameter numbers: Those of its saves that the history still has.
    func note(committed numbers: [Int64]) { self.numbers = numbers }

    /// Forgets the history up to a save; the last line stays, by which a copied store finds its next number.
    func pruneHistory(through sequence: Int64) throws(StoreError) {
        var parameters = PostgresParameters()
        parameters.append(sequence)
        parameters.append(lines.isEmpty ? clock.end : clock.end + 1)
        try connection.run(
            "DELETE FROM \(store.history) WHERE \"sequence\" <= $1 AND \"sequence\" < $2", parameters)
        let catalogue = StoreCatalogue(connection: connection)
        if sequence > (try catalogue.prunedSequence()) {
            try catalogue.note(PostgresNames.prunedHistory, String(min(sequence, clock.end)))
        }
    }
}

extension StoreError {
    /// Whether a strict statement has failed because a row wasn't there in its version, or a constraint was broken.
    fileprivate var isOfStrictness: Bool {
        code == .duplicate || code == .missingReference || detail?.hasPrefix("SQLSTATE 22012") == true
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
