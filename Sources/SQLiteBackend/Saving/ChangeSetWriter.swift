#if SQLite
import CSQLite
import ContextCore
import SQLStore

/// Writes a change set in the fastest way, which assumes that there are no conflicts.
struct ChangeSetWriter {
    let store: SQLiteStore
    let connection: SQLiteConnection

    var reader: SessionReader { SessionReader(store: store, connection: connection) }

    /// Writes the change set and returns the history record, or nil as soon as there is a conflict of any kind.
    ///
    /// Deletions come first, so that inserted and updated rows can reuse values of unique constraints.
    func write(_ changes: ChangeSet) throws(StoreError) -> HistoryEncoder? {
        var history = HistoryEncoder()
        do throws(StoreError) {
            for deletion in changes.deletes {
                guard try delete(deletion, &history) else { return nil }
            }
            for update in changes.updates {
                guard try self.update(update, &history) else { return nil }
            }
            for insertion in changes.inserts { try insert(insertion, &history) }
            if !changes.links.isEmpty { try LinkWriter(self).write(changes.links, &history) }
        } catch {
            if error.code == .duplicate, connection.isInTransaction { return nil }
            throw error
        }
        if connection.brokenReferences > 0 { return nil }
        if !changes.hasUncheckedEnds(in: store.mapping) { return history }
        return try RelationshipEntityCheck(reader).holds(changes) ? history : nil
    }

    // MARK: Rows

    private func insert(_ insertion: ChangeSet.Insertion, _ history: inout HistoryEncoder) throws(StoreError)
    {
        try insert(insertion.rows, of: insertion.entityIndex, except: [])
        let entity = store.mapping.entities[insertion.entityIndex]
        history.append(.insert, entity: entity.number, keys: BatchKeys(insertion.rows))
    }

    func insert(_ rows: RowBatch, of entityIndex: Int, except keys: Set<Int64>) throws(StoreError) {
        let entity = store.mapping.entities[entityIndex]
        guard entity.hasExternalColumns else { return try insertRows(rows, of: entityIndex, except: keys) }
        let values = try ExternalValues(rows, of: entity, columns: entity.columns.indices, store.model)
        try insertRows(values.rows, of: entityIndex, except: keys)
        try place(values.parts, of: entity, except: keys)
    }

    private func insertRows(
        _ rows: RowBatch, of entityIndex: Int, except keys: Set<Int64>
    ) throws(StoreError) {
        let statements = store.statements[entityIndex]
        let first = keys.isEmpty ? try insertJoined(rows, statements) : 0
        if first == rows.count { return }
        let statement = try connection.statement(statements.insertion)
        defer { statement.reset() }
        for row in first..<rows.count where keys.isEmpty || !keys.contains(rows.key(at: row)) {
            try bind(rows, row, statements, to: statement, from: 1)
            try statement.run()
            statement.rewind()
        }
    }

    /// The number of rows from which a multi-row statement is worth preparing.
    private static let leastJoinedRows = 128

    /// Inserts as many rows as possible with multi-row statements, and returns their number.
    private func insertJoined(_ rows: RowBatch, _ statements: EntityStatements) throws(StoreError) -> Int {
        let count = statements.joinedRows
        guard count > 1, rows.count >= Self.leastJoinedRows else { return 0 }
        let sql = store.texts.text(.insertion(entityIndex: statements.entity.layout.index)) {
            RowStatements(.sqlite).insertion(into: statements.entity, rows: count)
        }
        let statement = try connection.statement(sql)
        defer { statement.reset() }
        var first = 0
        while first + count <= rows.count {
            for place in 0..<count {
                let start = Int32(1 + place * statements.width)
                try bind(rows, first + place, statements, to: statement, from: start)
            }
            try statement.run()
            statement.rewind()
            first += count
        }
        return first
    }

    /// Binds a whole row: key, version, entity number if several entities share the table, then the columns.
    private func bind(
        _ batch: RowBatch, _ row: Int, _ statements: EntityStatements, to statement: SQLiteStatement,
        from first: Int32
    ) throws(StoreError) {
        statement.bind(first, batch.key(at: row))
        statement.bind(first + 1, batch.version(at: row))
        var next = first + 2
        if statements.entity.hasEntityColumn {
            statement.bind(next, Int64(statements.entity.number))
            next += 1
        }
        try statements.insertionBinding.bind(batch, row: row, to: statement, from: next)
    }

    /// Updates rows; returns false if the version of one has changed.
    private func update(_ update: ChangeSet.Update, _ history: inout HistoryEncoder) throws(StoreError)
        -> Bool
    {
        let entity = store.mapping.entities[update.entityIndex]
        var batch = update.rows
        var external: [ExternalValues.Part] = []
        if entity.hasExternalColumns {
            let values = try ExternalValues(batch, of: entity, columns: update.columns, store.model)
            (batch, external) = (values.rows, values.parts)
        }
        let binding = RowBinding(entity, columns: update.columns)
        let sql = store.texts.text(.update(entityIndex: update.entityIndex, columns: update.columns)) {
            RowStatements(.sqlite).update(of: entity, columns: update.columns)
        }
        let statement = try connection.statement(sql)
        defer { statement.reset() }
        let next = Int32(update.columns.count + 1)
        for row in 0..<batch.count {
            try binding.bind(batch, row: row, to: statement, from: 1)
            statement.bind(next, batch.version(at: row))
            statement.bind(next + 1, batch.key(at: row))
            statement.bind(next + 2, update.baseVersions[row])
            try statement.run()
            if connection.changedRows != 1 { return false }
            statement.rewind()
        }
        try place(external, of: entity)
        try displace(external, of: entity)
        history.append(
            .update, entity: entity.number, properties: entity.propertyNames(ofColumns: update.columns),
            keys: BatchKeys(batch))
        return true
    }

    /// Deletes rows and their links; returns false if one is missing or its version has changed.
    private func delete(_ deletion: ChangeSet.Deletion, _ history: inout HistoryEncoder) throws(StoreError)
        -> Bool
    {
        try LinkWriter(self).deleteLinks(of: deletion.keys, entityIndex: deletion.entityIndex, &history)
        try Tombstones(reader).recordDeletions(deletion.keys, entityIndex: deletion.entityIndex, &history)
        var rows = RowDeletion(store.statements[deletion.entityIndex], connection)
        return try rows.delete(deletion)
    }
}
#endif
