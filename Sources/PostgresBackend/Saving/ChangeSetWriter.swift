#if Postgres
import ContextCore
import SQLStore

/// Writes a change set in the quickest way, on the assumption that nothing stands in its way.
struct ChangeSetWriter {
    /// How many rows cross at once: few enough that neither side holds much, many enough that round trips don't count.
    private static let chunk = 10_000

    let store: PostgresStore
    let connection: PostgresConnection

    var reader: SessionReader { SessionReader(store: store, connection: connection) }

    /// Writes everything, and returns what the history is to say; nil as soon as a row is not what it was changed from, or leads
    /// to one of another entity.
    ///
    /// Deletions come first, so that values of unique constraints are free again for others.
    func write(_ changes: ChangeSet) throws(StoreError) -> HistoryEncoder? {
        var history = HistoryEncoder()
        for deletion in changes.deletes {
            try delete(deletion, &history)
        }
        for update in changes.updates {
            try self.update(update, &history)
        }
        for insertion in changes.inserts {
            try insert(insertion.rows, of: insertion.entityIndex, except: [])
            history.append(.insert, entity: number(insertion.entityIndex), keys: BatchKeys(insertion.rows))
        }
        try LinkWriter(self).write(changes.links, &history)
        try checkReferences()
        guard try connection.settle(), try EndsCheck(reader).holds(changes) else { return nil }
        return history
    }

    /// Lets the server check now what it would check at the commit.
    private func checkReferences() throws(StoreError) {
        try connection.post("SET CONSTRAINTS ALL IMMEDIATE")
        try connection.post("SET CONSTRAINTS ALL DEFERRED")
    }

    private func number(_ entityIndex: Int) -> Int { store.mapping.entities[entityIndex].number }

    /// Changes rows that are what they were changed from.
    private func update(_ update: ChangeSet.Update, _ history: inout HistoryEncoder) throws(StoreError) {
        let entity = store.mapping.entities[update.entityIndex]
        let batch = update.rows
        let columns = RowColumns(entity, columns: update.columns)
        let sql = store.texts.text(
            .update(columns: update.columns), of: update.entityIndex,
            ArrayStatements(entity: entity, dialect: store.dialect))
        for rows in Self.chunks(batch.count) {
            var parameters = PostgresParameters()
            parameters.append(keys: rows.lazy.map { batch.key(at: $0) })
            parameters.append(keys: update.baseVersions[rows])
            parameters.append(keys: rows.lazy.map { batch.version(at: $0) })
            try columns.append(batch, rows: rows, to: &parameters)
            try connection.post(sql, parameters, changing: rows.count)
        }
        history.append(
            .update, entity: entity.number, properties: entity.propertyNames(ofColumns: update.columns),
            keys: BatchKeys(batch))
    }

    /// Deletes rows that are what they were deleted at, and their links.
    private func delete(_ deletion: ChangeSet.Deletion, _ history: inout HistoryEncoder) throws(StoreError) {
        let keys = try reader.present(deletion)
        try LinkWriter(self).deleteLinks(of: keys, entityIndex: deletion.entityIndex, &history)
        try Tombstones(reader).note(keys, entityIndex: deletion.entityIndex, &history)
        let rows = zip(deletion.keys, deletion.baseVersions)
        let versioned = rows.compactMap { key, base in base.map { (key: key, base: $0) } }
        try delete(rows.filter { $1 == nil }.map(\.0), of: deletion.entityIndex)
        let statements = ArrayStatements(
            entity: store.mapping.entities[deletion.entityIndex], dialect: store.dialect)
        let sql = store.texts.text(.deletion, of: deletion.entityIndex, statements)
        for part in Self.chunks(versioned.count) {
            var parameters = PostgresParameters()
            parameters.append(keys: versioned[part].lazy.map(\.key))
            parameters.append(keys: versioned[part].lazy.map(\.base))
            try connection.post(sql, parameters, changing: part.count)
        }
    }

    static func chunks(_ count: Int) -> [Range<Int>] {
        stride(from: 0, to: count, by: chunk).map { $0..<min($0 + chunk, count) }
    }
}
#endif
