#if SQLite
import CSQLite
import ContextCore
import SQLStore

/// Writes a change set in which something may stand in the way, and finds everything that does.
///
/// Versions are compared first. Then all rows that change or go are taken out of their tables and those that are to be are put
/// in, so that what unique constraints compare is the state that the whole change set leaves.
struct CarefulWriter {
    let store: SQLiteStore
    let connection: SQLiteConnection

    /// Writes what can be written.
    ///
    /// Where there are conflicts, whoever called undoes it.
    func write(_ changes: ChangeSet) throws(StoreError) -> ([RowConflict], HistoryEncoder) {
        var history = HistoryEncoder()
        let conflicts = try VersionCheck(SessionReader(store: store, connection: connection)).conflicts(
            changes)
        if !conflicts.isEmpty { return (conflicts, history) }
        let uniqueness = UniquenessSearch(store: store, connection: connection)
        let before = try uniqueness.rowsBefore(changes)
        let positions = try takeOut(changes, &history)
        var found = try uniqueness.conflicts(changes, before: before)
        let colliding = Set(found.map { CollidingRow(entityIndex: $0.entityIndex, key: $0.key) })
        try putIn(changes, colliding, &history)
        try positions.restore()
        try LinkWriter(store: store, connection: connection).write(changes.links, &history)
        found += try ReferenceCheck(store: store, connection: connection).conflicts(changes)
        return (found.sorted(), history)
    }

    /// Deletes the rows that go, and those that change; returns the places of the latter in ordered relationships.
    private func takeOut(
        _ changes: ChangeSet, _ history: inout HistoryEncoder
    ) throws(StoreError) -> RowPositions {
        for deletion in changes.deletes {
            let keys = try SessionReader(store: store, connection: connection).present(deletion)
            try LinkWriter(store: store, connection: connection).deleteLinks(
                of: keys, entityIndex: deletion.entityIndex, &history)
            try Tombstones(SessionReader(store: store, connection: connection)).note(
                keys, entityIndex: deletion.entityIndex, &history)
            try delete(keys, of: deletion.entityIndex)
        }
        var positions = RowPositions(store: store, connection: connection)
        for update in changes.updates {
            try positions.remember(BatchKeys(update.rows), of: update.entityIndex)
            try delete(BatchKeys(update.rows), of: update.entityIndex)
        }
        return positions
    }

    private func delete(_ keys: some Collection<Int64>, of entityIndex: Int) throws(StoreError) {
        let statement = try connection.statement(store.statements[entityIndex].deletion)
        defer { statement.reset() }
        for key in keys {
            statement.bind(1, key)
            try statement.run()
            statement.rewind()
        }
    }

    /// Inserts the rows that are to be, but for those that collide with others.
    private func putIn(
        _ changes: ChangeSet, _ colliding: Set<CollidingRow>, _ history: inout HistoryEncoder
    ) throws(StoreError) {
        for update in changes.updates {
            try insert(update.rows, of: update.entityIndex, colliding)
            let entity = store.mapping.entities[update.entityIndex]
            history.append(
                .update, entity: entity.number, properties: entity.propertyNames(ofColumns: update.columns),
                keys: BatchKeys(update.rows))
        }
        for insertion in changes.inserts {
            try insert(insertion.rows, of: insertion.entityIndex, colliding)
            history.append(
                .insert, entity: store.mapping.entities[insertion.entityIndex].number,
                keys: BatchKeys(insertion.rows))
        }
    }

    private func insert(
        _ batch: RowBatch, of entityIndex: Int, _ colliding: Set<CollidingRow>
    ) throws(StoreError) {
        let statements = store.statements[entityIndex]
        let writer = ChangeSetWriter(store: store, connection: connection)
        let statement = try connection.statement(statements.insertion)
        defer { statement.reset() }
        for row in 0..<batch.count {
            let place = CollidingRow(entityIndex: entityIndex, key: batch.key(at: row))
            if colliding.contains(place) { continue }
            try writer.bind(batch, row, statements, to: statement)
            try statement.run()
            statement.rewind()
        }
    }

    /// A row that has values which no other may have.
    private struct CollidingRow: Hashable {
        let entityIndex: Int
        let key: Int64
    }
}
#endif
