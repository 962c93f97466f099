package import ContextCore

/// Writes a change set that may have conflicts, and finds all of them.
///
/// It compares versions first. Then it deletes all rows that change or are deleted, and inserts the new ones, so that unique
/// constraints are checked against the state after the whole change set.
package struct ConflictFindingWriter<Writer: RowWriter> {
    private let writer: Writer

    package init(_ writer: Writer) { self.writer = writer }

    /// Writes the change set and returns its conflicts and its history record.
    ///
    /// The caller must roll back if there are conflicts.
    package func write(_ changes: ChangeSet) throws(StoreError) -> ([RowConflict], HistoryEncoder) {
        var history = HistoryEncoder()
        let conflicts = try RowVersionCheck(writer.reader).conflicts(changes)
        if !conflicts.isEmpty { return (conflicts, history) }
        let uniqueness = UniquenessSearch(writer.reader)
        let before = try uniqueness.rowsBefore(changes)
        let positions = try deleteRows(changes, &history)
        var found = try uniqueness.conflicts(changes, before: before)
        let colliding = Dictionary(grouping: found, by: \.entityIndex).mapValues { Set($0.map(\.key)) }
        try insertRows(changes, colliding, &history)
        try positions.restore()
        try LinkWriter(writer).write(changes.links, &history)
        found += try ReferenceCheck(writer.reader).conflicts(changes)
        return (found.sorted(), history)
    }

    /// Deletes the deleted and the updated rows; returns the positions of the latter in ordered relationships.
    private func deleteRows(
        _ changes: ChangeSet, _ history: inout HistoryEncoder
    ) throws(StoreError) -> RowPositions<Writer> {
        for deletion in changes.deletes {
            let keys = try writer.reader.existingKeys(deletion)
            try writer.prepareDeletion(of: keys, entityIndex: deletion.entityIndex, &history)
            try writer.delete(keys, of: deletion.entityIndex)
        }
        var positions = RowPositions(writer)
        for update in changes.updates {
            let keys = Array(BatchKeys(update.rows))
            try positions.recordPositions(keys, of: update.entityIndex)
            try writer.delete(keys, of: update.entityIndex)
        }
        return positions
    }

    /// Inserts the new and the updated rows, except those that collide with others.
    ///
    /// - Parameter colliding: The keys of colliding rows by entity.
    private func insertRows(
        _ changes: ChangeSet, _ colliding: [Int: Set<Int64>], _ history: inout HistoryEncoder
    ) throws(StoreError) {
        let mapping = writer.reader.mapping
        for update in changes.updates {
            try writer.insert(
                update.rows, of: update.entityIndex, except: colliding[update.entityIndex] ?? [])
            history.append(update, mapping)
        }
        for insertion in changes.inserts {
            try writer.insert(
                insertion.rows, of: insertion.entityIndex, except: colliding[insertion.entityIndex] ?? [])
            history.append(insertion, mapping)
        }
    }
}
