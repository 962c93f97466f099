#if Postgres
import ContextCore
import SQLStore

/// Writes a change set in which something may stand in the way, and finds everything that does.
///
/// Versions are compared first. Then all rows that change or go are taken out of their tables, so that what unique constraints
/// are compared with is what stays; and those that are to be are put in unless they collide.
struct CarefulWriter {
    let store: PostgresStore
    let connection: PostgresConnection

    /// Writes what can be written.
    ///
    /// Where there are conflicts, whoever called undoes it.
    func write(_ changes: ChangeSet) throws(StoreError) -> ([RowConflict], HistoryEncoder) {
        var history = HistoryEncoder()
        let conflicts = try VersionCheck(SessionReader(store: store, connection: connection)).conflicts(
            changes)
        if !conflicts.isEmpty { return (conflicts, history) }
        let positions = try takeOut(changes, &history)
        var found = try UniquenessSearch(store: store, connection: connection).conflicts(changes)
        found += try ReferenceCheck(store: store, connection: connection).conflicts(changes)
        if found.isEmpty { try putIn(changes, positions, &history) }
        return (found, history)
    }

    /// Deletes the rows that go, and those that change; returns the places of the latter in ordered relationships.
    private func takeOut(_ changes: ChangeSet, _ history: inout HistoryEncoder) throws(StoreError)
        -> RowPositions
    {
        let writer = ChangeSetWriter(store: store, connection: connection)
        for deletion in changes.deletes {
            try LinkWriter(store: store, connection: connection).deleteLinks(
                of: deletion.keys, entityIndex: deletion.entityIndex, &history)
            try Tombstones(SessionReader(store: store, connection: connection)).note(
                deletion.keys, entityIndex: deletion.entityIndex, &history)
            try writer.delete(deletion.keys, of: deletion.entityIndex)
        }
        var positions = RowPositions(store: store, connection: connection)
        for update in changes.updates {
            let keys = Array(BatchKeys(update.rows))
            try positions.remember(keys, of: update.entityIndex)
            try writer.delete(keys, of: update.entityIndex)
        }
        return positions
    }

    private func putIn(
        _ changes: ChangeSet, _ positions: RowPositions, _ history: inout HistoryEncoder
    ) throws(StoreError) {
        let writer = ChangeSetWriter(store: store, connection: connection)
        for update in changes.updates {
            try writer.insert(update.rows, of: update.entityIndex)
            let entity = store.mapping.entities[update.entityIndex]
            history.append(
                .update, entity: entity.number, properties: entity.propertyNames(ofColumns: update.columns),
                keys: BatchKeys(update.rows))
        }
        for insertion in changes.inserts {
            try writer.insert(insertion.rows, of: insertion.entityIndex)
            history.append(
                .insert, entity: store.mapping.entities[insertion.entityIndex].number,
                keys: BatchKeys(insertion.rows))
        }
        try positions.restore()
        let links = LinkWriter(store: store, connection: connection)
        for change in changes.links { try links.write(change, &history) }
    }
}
#endif
