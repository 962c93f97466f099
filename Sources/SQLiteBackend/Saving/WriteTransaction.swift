#if SQLite
import CSQLite
import ContextCore
import Foundation
import SQLStore

/// The transaction of a write session, whose changes become visible and durable when it commits.
final class WriteTransaction: ChangeTransaction {
    /// The position of the last save that the transaction sees, including its own.
    private(set) var sequence: Int64
    private var sequenceAtSavepoint: Int64 = 0
    private let store: SQLiteStore
    private let connection: SQLiteConnection
    /// The unique marker in the history records of this transaction.
    private let marker = TransactionMarker.makeMarker()
    private let first: Int64
    private var changedRowsBefore: Int64
    /// Whether the savepoint of a block that shares the transaction is open.
    private var isInSavepoint = false

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
        try store.files.checkUnlessRecent()
    }

    // MARK: Applying

    var writer: ChangeSetWriter { ChangeSetWriter(store: store, connection: connection) }

    var hasConcurrentWriters: Bool { false }

    func applyChecked(_ changes: ChangeSet) throws(StoreError) -> AppliedChanges {
        try recordKeys(of: changes)
        if isUntouched, isOneRow(changes) {
            do throws(StoreError) {
                if let applied = try applyWithoutConflicts(changes) { return applied }
            } catch {
                // If SQLite has rolled back the transaction, it stays lost.
                if connection.isInTransaction { restart() }
                throw error
            }
        }
        return try applyAtomically(changes)
    }

    /// Whether the transaction has changed nothing yet and no savepoint of a shared block is open.
    private var isUntouched: Bool { !isInSavepoint && connection.totalChangedRows == changedRowsBefore }

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
        connection.abandonTransaction()
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
            let insertions = try BatchedInsertions(changeSets, store.mapping)
            try recordKeys(of: insertions.changes)
            return try atomically { () throws(StoreError) -> [Int64]? in
                guard try writer.write(insertions.changes) != nil else { return nil }
                let first = sequence + 1
                for record in insertions.records {
                    try recordSave(record.history, author: record.author, context: record.contextName)
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

    /// Deletes the history up to a save; the last record stays, because it determines the next position.
    func pruneHistory(through sequence: Int64) throws(StoreError) {
        try StoreCatalog(connection: connection).pruneHistory(
            through: sequence, keeping: self.sequence, end: self.sequence)
    }

    func atomically<Receipt>(
        _ work: () throws(StoreError) -> Receipt, keepingIf isKept: (Receipt) -> Bool
    ) throws(StoreError) -> Receipt {
        try connection.execute(.savepoint)
        let before = sequence
        do throws(StoreError) {
            let receipt = try work()
            if !isKept(receipt) {
                try undoWork()
                sequence = before
            }
            try connection.execute(.releaseSavepoint)
            return receipt
        } catch {
            // The original error is thrown, not that of the rollback. If the partial rollback fails, the whole transaction is abandoned.
            if connection.isInTransaction,
                (try? undoWork()) == nil || (try? connection.forget("work")) == nil
            {
                connection.abandonTransaction()
            }
            sequence = before
            throw error
        }
    }

    func undoWork() throws(StoreError) { try connection.rollback(to: "work") }

    // MARK: Savepoints

    func beginSavepoint() throws(StoreError) {
        try connection.execute("SAVEPOINT part")
        isInSavepoint = true
        sequenceAtSavepoint = sequence
    }

    func endSavepoint(keepingWork: Bool) throws(StoreError) {
        isInSavepoint = false
        if keepingWork { return try connection.execute("RELEASE part") }
        try connection.rollback(to: "part")
        sequence = sequenceAtSavepoint
        try connection.forget("part")
    }

    func addRecord(_ record: BatchedInsertions.Record) throws(StoreError) {
        guard sequence < .max else {
            throw StoreError(
                .corrupt, "The store's history has reached its last position.",
                remedy: "Restore a backup, or copy the readable rows into a new store.")
        }
        let statement = try connection.statement(.historyInsertion)
        defer { statement.reset() }
        statement.bind(1, sequence + 1)
        statement.bind(2, marker)
        statement.bind(3, Date.now.microseconds)
        if let author = record.author { try statement.bind(4, author) }
        if let context = record.contextName { try statement.bind(5, context) }
        if store.configuration.keepsHistory {
            try statement.bindCopy(6, record.history.bytes(by: .current))
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
        case outcomeUnknown(TransactionMarker, StoreError)
    }

    /// Commits the transaction.
    ///
    /// A failed commit leaves the transaction open if nothing was written. If the disk is full, the last page is missing in the log,
    /// without which the other pages don't count. In all other cases the transaction may be in the log.
    func commit() -> Outcome {
        let transaction = TransactionMarker(sequence: sequence, marker: marker, isInHistory: sequence > first)
        var setsLogFlag = false
        do throws(StoreError) {
            if connection.totalChangedRows != changedRowsBefore {
                try transaction.write(connection)
                setsLogFlag = try store.logFlag.write(connection)
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
            return isRefused ? .failed(error) : .outcomeUnknown(transaction, error)
        }
        connection.cachedState?.sequence = sequence
        if setsLogFlag {
            store.logFlag.finish(
                Checkpointing(connection: connection, file: store.file, configuration: store.configuration))
        }
        return .committed
    }
}
#endif
