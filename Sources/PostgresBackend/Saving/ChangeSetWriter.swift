#if Postgres
import ContextCore
import SQLStore

/// Writes a change set in the quickest way, on the assumption that nothing stands in its way.
struct ChangeSetWriter {
    /// How many rows cross at once: few enough that neither side holds much, many enough that round trips don't count.
    private static let chunk = 10_000

    let store: PostgresStore
    let connection: PostgresConnection

    /// Writes everything, and returns what the history is to say; nil as soon as a row is not what it was changed from.
    ///
    /// Deletions come first, so that values of unique constraints are free again for others.
    func write(_ changes: ChangeSet) throws(StoreError) -> HistoryEncoder? {
        var history = HistoryEncoder()
        let links = LinkWriter(store: store, connection: connection)
        for deletion in changes.deletes {
            guard try delete(deletion, &history) else { return nil }
        }
        for update in changes.updates {
            guard try self.update(update, &history) else { return nil }
        }
        for insertion in changes.inserts {
            try insert(insertion.rows, of: insertion.entityIndex)
            history.append(.insert, entity: number(insertion.entityIndex), keys: BatchKeys(insertion.rows))
        }
        for change in changes.links { try links.write(change, &history) }
        try checkReferences()
        return history
    }

    /// Lets the server check now what it would check at the commit.
    private func checkReferences() throws(StoreError) {
        try connection.execute("SET CONSTRAINTS ALL IMMEDIATE; SET CONSTRAINTS ALL DEFERRED")
    }

    private func number(_ entityIndex: Int) -> Int { store.mapping.entities[entityIndex].number }

    /// Inserts rows.
    func insert(_ batch: RowBatch, of entityIndex: Int) throws(StoreError) {
        let entity = store.mapping.entities[entityIndex]
        let columns = RowColumns(entity, columns: Array(entity.columns.indices))
        let sql = ArrayStatements(entity: entity).insertion()
        for rows in Self.chunks(batch.count) {
            var parameters = PostgresParameters()
            parameters.append(keys: rows.lazy.map { batch.key(at: $0) })
            parameters.append(keys: rows.lazy.map { batch.version(at: $0) })
            columns.append(batch, rows: rows, to: &parameters)
            try connection.run(sql, parameters)
        }
    }

    /// Changes rows; false when one of them is not what it was changed from.
    private func update(_ update: ChangeSet.Update, _ history: inout HistoryEncoder) throws(StoreError)
        -> Bool
    {
        let entity = store.mapping.entities[update.entityIndex]
        let batch = update.rows
        let columns = RowColumns(entity, columns: update.columns)
        let sql = ArrayStatements(entity: entity).update(columns: update.columns)
        for rows in Self.chunks(batch.count) {
            var parameters = PostgresParameters()
            parameters.append(keys: rows.lazy.map { batch.key(at: $0) })
            parameters.append(keys: update.baseVersions[rows])
            parameters.append(keys: rows.lazy.map { batch.version(at: $0) })
            columns.append(batch, rows: rows, to: &parameters)
            if try connection.run(sql, parameters).changedRows != rows.count { return false }
        }
        history.append(
            .update, entity: entity.number, properties: entity.propertyNames(ofColumns: update.columns),
            keys: BatchKeys(batch))
        return true
    }

    /// Deletes rows and their links; false when one of them is not what it was deleted at.
    private func delete(_ deletion: ChangeSet.Deletion, _ history: inout HistoryEncoder) throws(StoreError)
        -> Bool
    {
        try LinkWriter(store: store, connection: connection).deleteLinks(
            of: deletion.keys, entityIndex: deletion.entityIndex, &history)
        try Tombstones(SessionReader(store: store, connection: connection)).note(
            deletion.keys, entityIndex: deletion.entityIndex, &history)
        let rows = zip(deletion.keys, deletion.baseVersions)
        let versioned = rows.compactMap { key, base in base.map { (key: key, base: $0) } }
        try delete(rows.filter { $1 == nil }.map(\.0), of: deletion.entityIndex)
        let sql = ArrayStatements(entity: store.mapping.entities[deletion.entityIndex]).deletion()
        for part in Self.chunks(versioned.count) {
            var parameters = PostgresParameters()
            parameters.append(keys: versioned[part].lazy.map(\.key))
            parameters.append(keys: versioned[part].lazy.map(\.base))
            if try connection.run(sql, parameters).changedRows != part.count { return false }
        }
        return true
    }

    /// Deletes rows whatever their versions are.
    func delete(_ keys: [Int64], of entityIndex: Int) throws(StoreError) {
        if keys.isEmpty { return }
        let table = store.mapping.entities[entityIndex].table
        let sql = SQLText(
            "DELETE FROM \(name: table) WHERE \(name: StoreNames.key) = ANY (\(.place(.keys)))", .postgres
        ).sql
        try connection.run(sql, SessionReader.keys(keys))
    }

    static func chunks(_ count: Int) -> [Range<Int>] {
        stride(from: 0, to: count, by: chunk).map { $0..<min($0 + chunk, count) }
    }
}
#endif
