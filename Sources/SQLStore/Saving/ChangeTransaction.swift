package import ContextCore

/// The transaction of a write session: applies change sets and batches, each of them whole or not at all.
///
/// A backend sets savepoints, and writes the history when it can number the records.
package protocol ChangeTransaction: AnyObject {
    associatedtype Writer: RowWriter
    var writer: Writer { get }
    /// Whether other transactions may write at the same time, so that rows from which others are derived must be held.
    var hasConcurrentWriters: Bool { get }
    /// Applies changes that were checked; by default with ``applyAtomically(_:)``.
    func applyChecked(_ changes: ChangeSet) throws(StoreError) -> AppliedChanges
    /// Adds the record of a save to the history.
    func addRecord(_ record: BatchedInsertions.Record) throws(StoreError)
    /// Runs work, and undoes it if it fails or isn't kept.
    func atomically<Receipt>(
        _ work: () throws(StoreError) -> Receipt, keepingIf isKept: (Receipt) -> Bool
    ) throws(StoreError) -> Receipt
    /// Undoes what the work of ``atomically(_:keepingIf:)`` has written so far.
    func undoWork() throws(StoreError)
    /// Runs queries that come before the writes of a batch, and keeps the transaction usable if they fail.
    ///
    /// By default it only runs them, which is enough if a failed statement doesn't end the transaction.
    func runQueries<Answer>(
        _ work: (Writer.Reader) throws(StoreError) -> Answer
    ) throws(StoreError) -> Answer
}

extension ChangeTransaction {
    package func applyChecked(_ changes: ChangeSet) throws(StoreError) -> AppliedChanges {
        try applyAtomically(changes)
    }

    package func runQueries<Answer>(
        _ work: (Writer.Reader) throws(StoreError) -> Answer
    ) throws(StoreError) -> Answer {
        try work(writer.reader)
    }

    /// Applies all changes or none of them; earlier changes of the transaction stay in either case.
    package func apply(_ changes: ChangeSet) throws(StoreError) -> SaveReceipt {
        SaveReceipt(conflicts: try applyRecordingHistory(changes).conflicts)
    }

    /// Applies changes, and returns their conflicts and history record.
    func applyRecordingHistory(_ changes: ChangeSet) throws(StoreError) -> AppliedChanges {
        if changes.isEmpty { return AppliedChanges() }
        let model = writer.reader.mapping.model
        try changes.check(for: model)
        try RowSizeCheck().check(changes, model)
        return try applyChecked(changes)
    }

    /// Writes changes in the fastest way, and again in a slower way that finds all conflicts if there is one.
    package func applyAtomically(_ changes: ChangeSet) throws(StoreError) -> AppliedChanges {
        try atomically { () throws(StoreError) in
            if let applied = try applyWithoutConflicts(changes) { return applied }
            try undoWork()
            let (conflicts, history) = try writer.writeFindingConflicts(changes)
            if conflicts.isEmpty {
                try recordSave(history, author: changes.author, context: changes.contextName)
            }
            return AppliedChanges(conflicts: conflicts, history: history)
        } keepingIf: {
            $0.conflicts.isEmpty
        }
    }

    /// Writes changes in the fastest way and records them, or returns nil if they have conflicts.
    package func applyWithoutConflicts(_ changes: ChangeSet) throws(StoreError) -> AppliedChanges? {
        guard let history = try writer.write(changes) else { return nil }
        try recordSave(history, author: changes.author, context: changes.contextName)
        return AppliedChanges(history: history)
    }

    /// Records a save in the history, unless it changed nothing.
    package func recordSave(
        _ history: HistoryEncoder, author: String?, context: String?
    ) throws(StoreError) {
        if history.isEmpty { return }
        try history.checkRows()
        try addRecord(BatchedInsertions.Record(author: author, contextName: context, history: history))
    }

    // MARK: Batches

    /// Inserts, updates or deletes all rows of a batch, or none of them.
    package func perform(_ batch: BatchPlan) throws(StoreError) -> BatchReceipt {
        let mapping = writer.reader.mapping
        switch batch.operation {
        case .insert(let rows):
            try batch.check(rows, mapping.model)
            var changes = ChangeSet(author: batch.author)
            changes.inserts = [ChangeSet.Insertion(entityIndex: batch.entityIndex, rows: rows)]
            let completed = try runQueries { reader throws(StoreError) in try complete(changes, reader) }
            return try applyRecordingHistory(completed).receipt(mapping)
        case .upsert(let upsert): return try perform(batch, upsert)
        case .update(let values):
            try batch.check(values, mapping.model)
            if let done = try updateAtOnce(batch, values, mapping) { return try done.receipt(mapping) }
            let changes = try runQueries { reader throws(StoreError) in
                try complete(reader.changes(of: batch, values), reader)
            }
            return try applyRecordingHistory(changes).receipt(mapping)
        case .delete:
            let (changes, conflicts) = try runQueries {
                reader throws(StoreError) -> (ChangeSet, [RowConflict]) in
                var deletion = RowBatchDeletion(reader)
                try deletion.delete(batch)
                let (changes, conflicts) = try deletion.finish(author: batch.author)
                return (conflicts.isEmpty ? try derive(changes, reader) : changes, conflicts)
            }
            if !conflicts.isEmpty { return BatchReceipt(changes: [], conflicts: conflicts) }
            return try applyRecordingHistory(changes).receipt(mapping)
        }
    }

    /// Adds derived attributes, and the positions of rows that are new to ordered relationships.
    func complete(_ changes: ChangeSet, _ reader: Writer.Reader) throws(StoreError) -> ChangeSet {
        var completed = try derive(changes, reader)
        let model = reader.mapping.model
        let moves = try ListAppending(changes, model).moves { reference, keys throws(StoreError) in
            let layout = model.layouts[reference.entityIndex]
            return Dictionary(
                uniqueKeysWithValues: try reader.references(in: reference.column, of: keys, layout))
        } lastPositions: { list, owners throws(StoreError) in
            try reader.lastPositions(of: owners, entityIndex: list.entityIndex, slot: list.slot)
        }
        for var change in moves {
            // The commit rejects a reference to a row that doesn't exist; until then the history must not contain that row.
            let owners = Set(change.moved.map(\.owner))
            let known = Set(try reader.headers(of: owners, in: model.layouts[change.entityIndex]).map(\.key))
            change.moved.removeAll { !known.contains($0.owner) }
            completed.links.append(change)
        }
        return completed
    }

    func derive(_ changes: ChangeSet, _ reader: Writer.Reader) throws(StoreError) -> ChangeSet {
        try reader.derived(changes, holding: hasConcurrentWriters)
    }

    /// Updates the rows with one statement; nil, without a change, if they have to be updated individually or have derived attributes.
    private func updateAtOnce(
        _ batch: BatchPlan, _ values: [Int: StoredValue], _ mapping: StoreMapping
    ) throws(StoreError) -> AppliedChanges? {
        if batch.affectsDerivations(values, mapping.model) { return nil }
        return try atomically { () throws(StoreError) -> AppliedChanges? in
            guard let history = try BatchUpdate(writer.reader).run(batch, values) else { return nil }
            try recordSave(history, author: batch.author, context: nil)
            return AppliedChanges(history: history)
        } keepingIf: {
            $0 != nil
        }
    }
}
