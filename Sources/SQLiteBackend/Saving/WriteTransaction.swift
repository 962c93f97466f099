#if SQLite
import CSQLite
import ContextCore
import Foundation
import SQLStore

/// The transaction of a write session, whose changes become visible and durable when it commits.
final class WriteTransaction {
    /// The position of the last save that the transaction sees, including its own.
    private(set) var sequence: Int64
    private var sequenceAtSavepoint: Int64 = 0
    private let store: SQLiteStore
    private let connection: SQLiteConnection
    /// The unique marker in the history records of this transaction.
    private let mark = TransactionMarker.unused()
    private let first: Int64
    private var changedRowsBefore: Int64
    /// Whether the savepoint of a block that shares the transaction is open.
    private var isInPart = false

    /// Begins an immediate transaction, so that it never fails later because another writer was first.
    init(_ store: SQLiteStore, _ connection: SQLiteConnection) throws(StoreError) {
        self.store = store
        self.connection = connection
        try connection.begin(writing: true)
        sequence = try store.lastSequence(connection)
        first = sequence
        changedRowsBefore = connection.totalChangedRows
        // The files are checked fully before the commit.
        try store.files.checkFileInPlace(of: connection)
        try store.files.checkLightly()
    }

    // MARK: Applying

    /// Applies changes in a savepoint, all or nothing.
    func apply(_ changes: ChangeSet) throws(StoreError) -> SaveReceipt {
        SaveReceipt(conflicts: try applyChanges(changes).conflicts)
    }

    /// Applies changes and returns their conflicts and history record.
    private func applyChanges(_ changes: ChangeSet) throws(StoreError) -> AppliedChanges {
        if changes.isEmpty { return AppliedChanges() }
        try changes.check(for: store.model)
        try RowSizes().check(changes, store.model)
        try recordKeys(of: changes)
        let writer = ChangeSetWriter(store: store, connection: connection)
        if isUntouched, isOneRow(changes) {
            do throws(StoreError) {
                if let history = try writer.write(changes) {
                    try writeHistory(history, author: changes.author, context: changes.contextName)
                    return AppliedChanges(history: history)
                }
            } catch {
                // If SQLite has rolled back the transaction, it stays lost.
                if connection.isInTransaction { restart() }
                throw error
            }
        }
        return try atSavepoint { () throws(StoreError) in
            if let history = try writer.write(changes) {
                try writeHistory(history, author: changes.author, context: changes.contextName)
                return AppliedChanges(history: history)
            }
            try connection.rollback(to: "work")
            let (conflicts, history) = try ConflictFindingWriter(writer).write(changes)
            if conflicts.isEmpty {
                try writeHistory(history, author: changes.author, context: changes.contextName)
            }
            return AppliedChanges(conflicts: conflicts, history: history)
        } keepingIf: {
            $0.conflicts.isEmpty
        }
    }

    /// Whether the transaction has changed nothing yet and no savepoint of a shared block is open.
    private var isUntouched: Bool { !isInPart && connection.totalChangedRows == changedRowsBefore }

    /// Rolls back the first change and restarts the transaction; abandons it if another process has saved in between.
    private func restart() {
        connection.rollback()
        changedRowsBefore = connection.totalChangedRows
        do throws(StoreError) {
            try connection.begin(writing: true)
            if try store.lastSequence(connection) == first { return sequence = first }
        } catch {
            // The caller throws the original error.
        }
        connection.abandon()
    }

    /// Whether the changes consist of one row without references.
    ///
    /// Such a row is written by a single statement, which changes nothing if a constraint or a version check fails. As the first change
    /// of a transaction it needs no savepoint, which would take as long as the row: after any other error the transaction restarts.
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

    /// Applies the insertions of several saves in one savepoint and returns the position of each, or nil if there is a conflict, in which
    /// case nothing is changed.
    func applyBatch(_ changeSets: [ChangeSet]) throws(StoreError) -> [Int64]? {
        do throws(StoreError) {
            let gathered = try BatchedInsertions(changeSets, store.mapping)
            try recordKeys(of: gathered.changes)
            return try atSavepoint { () throws(StoreError) -> [Int64]? in
                let writer = ChangeSetWriter(store: store, connection: connection)
                guard try writer.write(gathered.changes) != nil else { return nil }
                let first = sequence + 1
                for line in gathered.lines {
                    try writeHistory(line.history, author: line.author, context: line.contextName)
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

    private func recordKeys(of changes: ChangeSet) throws(StoreError) {
        for group in changes.inserts {
            let root = store.mapping.entities[store.model.layouts[group.entityIndex].rootIndex]
            guard let greatest = BatchKeys(group.rows).max() else { continue }
            try store.keys.recordInsertedKey(greatest, of: root, connection)
        }
    }

    // MARK: Batches

    private var reader: SessionReader { SessionReader(store: store, connection: connection) }

    /// Performs a batch in a savepoint.
    func perform(_ batch: BatchPlan) throws(StoreError) -> BatchReceipt {
        switch batch.operation {
        case .insert(let rows):
            try batch.check(rows, store.model)
            var changes = ChangeSet(author: batch.author)
            changes.inserts = [ChangeSet.Insertion(entityIndex: batch.entityIndex, rows: rows)]
            return try applyChanges(reader.derived(changes)).receipt(store.mapping)
        case .update(let values):
            try batch.check(values, store.model)
            if let done = try updateAtOnce(batch, values) { return try done.receipt(store.mapping) }
            return try applyChanges(reader.derived(reader.changes(of: batch, values))).receipt(store.mapping)
        case .delete:
            var deletion = BatchDeletion(reader)
            try deletion.delete(batch)
            let (changes, conflicts) = try deletion.finish(author: batch.author)
            if !conflicts.isEmpty { return BatchReceipt(changes: [], conflicts: conflicts) }
            return try applyChanges(reader.derived(changes)).receipt(store.mapping)
        }
    }

    /// Updates with one statement; returns nil without changes if there may be conflicts or derived attributes depend on the values.
    private func updateAtOnce(_ batch: BatchPlan, _ values: [Int: StoredValue]) throws(StoreError)
        -> AppliedChanges?
    {
        if batch.isDerivedFrom(values, store.model) { return nil }
        return try atSavepoint { () throws(StoreError) -> AppliedChanges? in
            let update = BatchUpdate(store: store, connection: connection)
            guard let history = try update.run(batch, values) else { return nil }
            try writeHistory(history, author: batch.author, context: nil)
            return AppliedChanges(history: history)
        } keepingIf: {
            $0 != nil
        }
    }

    /// Deletes the history up to a save; the last record stays, because it determines the next position.
    func pruneHistory(through sequence: Int64) throws(StoreError) {
        try StoreCatalogue(connection: connection).pruneHistory(
            through: sequence, keeping: self.sequence, end: self.sequence)
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
            // The original error is thrown, not that of the rollback. If the partial rollback fails, the whole transaction is abandoned.
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

    /// Writes the history record of a save.
    private func writeHistory(_ history: HistoryEncoder, author: String?, context: String?) throws(StoreError)
    {
        if history.isEmpty { return }
        try history.checkRows()
        guard sequence < .max else {
            throw StoreError(
                .corrupt, "The store's history has reached its last position.",
                remedy: "Restore a backup, or copy the readable rows into a new store.")
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

    /// The outcome of a commit.
    enum Outcome {
        /// The changes are visible and durable.
        case committed
        /// The changes are not in the store, and never will be.
        case failed(StoreError)
        /// It is unknown whether the changes are in the store.
        case doubtful(TransactionMarker, StoreError)
    }

    /// Commits the transaction.
    ///
    /// A failed commit leaves the transaction open if nothing was written. If the disk is full, the last page is missing in the log,
    /// without which the other pages don't count. In all other cases the transaction may be in the log.
    func commit() -> Outcome {
        let mark = TransactionMarker(sequence: sequence, mark: mark, isInHistory: sequence > first)
        var marksLog = false
        do throws(StoreError) {
            if connection.totalChangedRows != changedRowsBefore {
                try mark.write(connection)
                marksLog = try store.logMark.write(connection)
            }
            try connection.checkFileInPlace()
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
