#if SQLite
import CSQLite
import ContextCore
import Foundation
import SQLStore

/// The transaction of a write session: what it applied is in the file when it has been committed, and not before.
final class WriteTransaction {
    /// The number of the last save that the transaction sees, its own included.
    private(set) var sequence: Int64
    private var sequenceAtSavepoint: Int64 = 0
    private let store: SQLiteStore
    private let connection: SQLiteConnection
    /// What tells the rows of this transaction in the history from those of any other.
    private let mark = TransactionMark.unused()
    private let first: Int64
    private var changedRowsBefore: Int64
    /// Whether the savepoint of somebody who shares the transaction is open.
    private var isInPart = false

    /// Begins the transaction as one that writes, so that it never finds out later that another writer was quicker.
    init(_ store: SQLiteStore, _ connection: SQLiteConnection) throws(StoreError) {
        self.store = store
        self.connection = connection
        try connection.begin(writing: true)
        sequence = try store.lastSequence(connection)
        first = sequence
        changedRowsBefore = connection.totalChangedRows
        // Looked at closely before the commit.
        try store.files.checkPlace(of: connection)
        try store.files.checkLightly()
    }

    // MARK: Applying

    /// Applies changes inside a savepoint: all of them, or none.
    func apply(_ changes: ChangeSet) throws(StoreError) -> SaveReceipt {
        SaveReceipt(conflicts: try carryOut(changes).conflicts)
    }

    /// Applies changes, and says what the history says of them.
    private func carryOut(_ changes: ChangeSet) throws(StoreError) -> AppliedChanges {
        if changes.isEmpty { return AppliedChanges() }
        try changes.check(for: store.model)
        try RowSizes().check(changes, store.model)
        try noteKeys(of: changes)
        let writer = ChangeSetWriter(store: store, connection: connection)
        if isUntouched, isOneRow(changes) {
            do throws(StoreError) {
                if let history = try writer.write(changes) {
                    try note(history, author: changes.author, context: changes.contextName)
                    return AppliedChanges(history: history)
                }
            } catch {
                // Where SQLite has ended the transaction, it stays ended.
                if connection.isInTransaction { beginAnew() }
                throw error
            }
        }
        return try atSavepoint { () throws(StoreError) in
            if let history = try writer.write(changes) {
                try note(history, author: changes.author, context: changes.contextName)
                return AppliedChanges(history: history)
            }
            try connection.rollback(to: "work")
            let (conflicts, history) = try CarefulWriter(writer).write(changes)
            if conflicts.isEmpty { try note(history, author: changes.author, context: changes.contextName) }
            return AppliedChanges(conflicts: conflicts, history: history)
        } keepingIf: {
            $0.conflicts.isEmpty
        }
    }

    /// Whether nobody has done anything in the transaction yet, of those who share it.
    private var isUntouched: Bool { !isInPart && connection.totalChangedRows == changedRowsBefore }

    /// Undoes the first that was done in the transaction, and begins it anew; where others have saved meanwhile, it is over.
    private func beginAnew() {
        connection.rollback()
        changedRowsBefore = connection.totalChangedRows
        do throws(StoreError) {
            try connection.begin(writing: true)
            if try store.lastSequence(connection) == first { return sequence = first }
        } catch {
            // The first error says why.
        }
        connection.abandon()
    }

    /// Whether changes are one row that leads nowhere.
    ///
    /// Such a row is written by one statement, which has done nothing where a constraint or a version refuses it. As the first in its
    /// transaction it needs no savepoint, which takes as long as the row: after any other error the transaction begins anew.
    private func isOneRow(_ changes: ChangeSet) -> Bool {
        guard changes.deletes.isEmpty, changes.links.isEmpty,
            changes.inserts.count + changes.updates.count == 1
        else { return false }
        if let insertion = changes.inserts.first {
            return insertion.rows.count == 1 && !store.statements[insertion.entityIndex].hasReferences
        }
        guard let update = changes.updates.first, update.rows.count == 1 else { return false }
        let columns = store.model.layouts[update.entityIndex].columns
        return update.columns.allSatisfy { !columns[$0].isReference }
    }

    /// Applies what several saves insert behind one savepoint, and answers the number of each; nil, with nothing done, where anything
    /// stands in the way.
    func applyTogether(_ changeSets: [ChangeSet]) throws(StoreError) -> [Int64]? {
        do throws(StoreError) {
            let gathered = try GatheredInsertions(changeSets, store.mapping)
            try noteKeys(of: gathered.changes)
            return try atSavepoint { () throws(StoreError) -> [Int64]? in
                let writer = ChangeSetWriter(store: store, connection: connection)
                guard try writer.write(gathered.changes) != nil else { return nil }
                let first = sequence + 1
                for line in gathered.lines {
                    try note(line.history, author: line.author, context: line.contextName)
                }
                return Array(first...sequence)
            } keepingIf: {
                $0 != nil
            }
        } catch {
            if !connection.isInTransaction { throw error }
            return nil
        }
    }

    private func noteKeys(of changes: ChangeSet) throws(StoreError) {
        for group in changes.inserts {
            let root = store.mapping.entities[store.model.layouts[group.entityIndex].rootIndex]
            guard let greatest = BatchKeys(group.rows).max() else { continue }
            try store.keys.noteInserted(greatest, of: root, connection)
        }
    }

    // MARK: Batches

    private var reader: SessionReader { SessionReader(store: store, connection: connection) }

    /// Changes many rows by predicate inside a savepoint.
    func perform(_ batch: BatchPlan) throws(StoreError) -> BatchReceipt {
        switch batch.operation {
        case .insert(let rows):
            try batch.check(rows, store.model)
            var changes = ChangeSet(author: batch.author)
            changes.inserts = [ChangeSet.Insertion(entityIndex: batch.entityIndex, rows: rows)]
            return try carryOut(reader.derived(changes)).receipt(store.mapping)
        case .update(let values):
            try batch.check(values, store.model)
            if let done = try updateAtOnce(batch, values) { return try done.receipt(store.mapping) }
            return try carryOut(reader.derived(reader.changes(of: batch, values))).receipt(store.mapping)
        case .delete:
            var deletion = BatchDeletion(reader)
            try deletion.delete(batch)
            let (changes, conflicts) = try deletion.finish(author: batch.author)
            if !conflicts.isEmpty { return BatchReceipt(changes: [], conflicts: conflicts) }
            return try carryOut(reader.derived(changes)).receipt(store.mapping)
        }
    }

    /// Updates by one statement; nil, with nothing done, where something may stand in the way, or derived attributes follow.
    private func updateAtOnce(_ batch: BatchPlan, _ values: [Int: StoredValue]) throws(StoreError)
        -> AppliedChanges?
    {
        if batch.isDerivedFrom(values, store.model) { return nil }
        return try atSavepoint { () throws(StoreError) -> AppliedChanges? in
            let update = BatchUpdate(store: store, connection: connection)
            guard let history = try update.run(batch, values) else { return nil }
            try note(history, author: batch.author, context: nil)
            return AppliedChanges(history: history)
        } keepingIf: {
            $0 != nil
        }
    }

    /// Forgets the history up to a save; the last line stays, because it is the store's clock.
    func pruneHistory(through sequence: Int64) throws(StoreError) {
        let statement = try connection.statement(
            "DELETE FROM \"_store_history\" WHERE \"sequence\" <= ?1 AND \"sequence\" < ?2")
        defer { statement.reset() }
        statement.bind(1, sequence)
        statement.bind(2, self.sequence)
        try statement.run()
        let catalogue = StoreCatalogue(connection: connection)
        let pruned = try catalogue.note("history_pruned").flatMap { Int64($0) } ?? 0
        if sequence > pruned { try catalogue.note("history_pruned", String(min(sequence, self.sequence))) }
    }

    private func atSavepoint<Receipt>(
        _ work: () throws(StoreError) -> Receipt, keepingIf isKept: (Receipt) -> Bool
    ) throws(StoreError) -> Receipt {
        try connection.execute(.savepoint)
        let before = sequence
        do throws(StoreError) {
            let receipt = try work()
            if !isKept(receipt) {
                try connection.rollback(to: "work")
                sequence = before
            }
            try connection.execute(.releaseSavepoint)
            return receipt
        } catch {
            // The first error says why; one that follows it is no news. What can't be undone alone goes with the transaction.
            if connection.isInTransaction,
                (try? connection.rollback(to: "work")) == nil || (try? connection.forget("work")) == nil
            {
                connection.abandon()
            }
            sequence = before
            throw error
        }
    }

    // MARK: Savepoints

    func beginSavepoint() throws(StoreError) {
        try connection.execute("SAVEPOINT part")
        isInPart = true
        sequenceAtSavepoint = sequence
    }

    func endSavepoint(keepingWork: Bool) throws(StoreError) {
        isInPart = false
        if keepingWork { return try connection.execute("RELEASE part") }
        try connection.rollback(to: "part")
        sequence = sequenceAtSavepoint
        try connection.forget("part")
    }

    /// Writes the line of a save into the history.
    private func note(_ history: HistoryEncoder, author: String?, context: String?) throws(StoreError) {
        if history.isEmpty { return }
        try history.checkRows()
        guard sequence < .max else {
            throw StoreError(
                .corrupt, "The store's history has come to its last number.",
                remedy: "Restore a backup, or copy what can be read into a new store.")
        }
        let statement = try connection.statement(.historyLine)
        defer { statement.reset() }
        statement.bind(1, sequence + 1)
        statement.bind(2, mark)
        statement.bind(3, Date.now.microseconds)
        if let author { try statement.bind(4, author) }
        if let context { try statement.bind(5, context) }
        if store.configuration.keepsHistory {
            try statement.bindCopy(6, history.bytes(by: .current))
        }
        try statement.run()
        sequence += 1
    }

    // MARK: Committing

    /// What a commit came to.
    enum Outcome {
        /// What was applied is visible and durable.
        case committed
        /// Nothing of it is in the store, and never will be.
        case failed(StoreError)
        /// It may or may not be in the store.
        case doubtful(TransactionMark, StoreError)
    }

    /// Commits.
    ///
    /// A commit that fails leaves the transaction open if it was refused before anything was written. One that found no room has not
    /// written its last page, without which the others don't count. In all other cases the transaction may be in the log.
    func commit() -> Outcome {
        let mark = TransactionMark(sequence: sequence, mark: mark, isInHistory: sequence > first)
        var marksLog = false
        do throws(StoreError) {
            if connection.totalChangedRows != changedRowsBefore {
                try mark.write(connection)
                marksLog = try store.logMark.write(connection)
            }
            try connection.checkPlace()
            try store.files.check()
        } catch {
            return .failed(error)
        }
        do throws(StoreError) {
            try connection.commit()
        } catch {
            let isRefused =
                error.code == .diskFull
                ? connection.writesLastPageOnce : connection.isInTransaction && error.code != .inputOutput
            return isRefused ? .failed(error) : .doubtful(mark, error)
        }
        connection.clock?.sequence = sequence
        if marksLog {
            store.logMark.finish(
                Checkpointing(connection: connection, file: store.file, configuration: store.configuration))
        }
        return .committed
    }
}
#endif
