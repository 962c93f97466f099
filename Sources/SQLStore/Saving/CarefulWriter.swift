package import ContextCore

/// Writes a change set in which something may stand in the way, and finds everything that does.
///
/// Versions are compared first. Then all rows that change or go are taken out of their tables and those that are to be are put
/// in, so that what unique constraints compare is the state that the whole change set leaves.
package struct CarefulWriter<Writer: RowWriter> {
    private let writer: Writer

    package init(_ writer: Writer) { self.writer = writer }

    /// Writes what can be written.
    ///
    /// Where there are conflicts, whoever called undoes it.
    package func write(_ changes: ChangeSet) throws(StoreError) -> ([RowConflict], HistoryEncoder) {
        var history = HistoryEncoder()
        let conflicts = try VersionCheck(writer.reader).conflicts(changes)
        if !conflicts.isEmpty { return (conflicts, history) }
        let uniqueness = UniquenessSearch(writer.reader)
        let before = try uniqueness.rowsBefore(changes)
        let positions = try takeOut(changes, &history)
        var found = try uniqueness.conflicts(changes, before: before)
        let colliding = Dictionary(grouping: found, by: \.entityIndex).mapValues { Set($0.map(\.key)) }
        try putIn(changes, colliding, &history)
        try positions.restore()
        try LinkWriter(writer).write(changes.links, &history)
        found += try ReferenceCheck(writer.reader).conflicts(changes)
        return (found.sorted(), history)
    }

    /// Deletes the rows that go, and those that change; returns the places of the latter in ordered relationships.
    private func takeOut(
        _ changes: ChangeSet, _ history: inout HistoryEncoder
    ) throws(StoreError) -> RowPositions<Writer> {
        for deletion in changes.deletes {
            let keys = try writer.reader.present(deletion)
            try LinkWriter(writer).deleteLinks(of: keys, entityIndex: deletion.entityIndex, &history)
            try Tombstones(writer.reader).note(keys, entityIndex: deletion.entityIndex, &history)
            try writer.delete(keys, of: deletion.entityIndex)
        }
        var positions = RowPositions(writer)
        for update in changes.updates {
            let keys = Array(BatchKeys(update.rows))
            try positions.remember(keys, of: update.entityIndex)
            try writer.delete(keys, of: update.entityIndex)
        }
        return positions
    }

    /// Inserts the rows that are to be, but for those that collide with others.
    ///
    /// - Parameter colliding: Their keys, by entity.
    private func putIn(
        _ changes: ChangeSet, _ colliding: [Int: Set<Int64>], _ history: inout HistoryEncoder
    ) throws(StoreError) {
        for update in changes.updates {
            try writer.insert(
                update.rows, of: update.entityIndex, except: colliding[update.entityIndex] ?? [])
            let entity = writer.reader.mapping.entities[update.entityIndex]
            history.append(
                .update, entity: entity.number, properties: entity.propertyNames(ofColumns: update.columns),
                keys: BatchKeys(update.rows))
        }
        for insertion in changes.inserts {
            try writer.insert(
                insertion.rows, of: insertion.entityIndex, except: colliding[insertion.entityIndex] ?? [])
            history.append(
                .insert, entity: writer.reader.mapping.entities[insertion.entityIndex].number,
                keys: BatchKeys(insertion.rows))
        }
    }
}
