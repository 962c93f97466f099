#if SQLite
import CSQLite
import ContextCore
import SQLStore

/// Writes a change set in the fastest way, which assumes that there are no conflicts.
struct ChangeSetWriter {
    let store: SQLiteStore
    let connection: SQLiteConnection

    var reader: SessionReader { SessionReader(store: store, connection: connection) }

    /// Holds nothing, since there is one writer at a time.
    func lockRows(_ rows: [ChangeSet.LockedRows]) {}

    func finishWriting(_ changes: ChangeSet) -> Bool { connection.brokenReferences == 0 }

    // MARK: Rows

    func insertRows(_ rows: RowBatch, into entity: EntityMapping) throws(StoreError) {
        let statements = store.statements[entity.layout.index]
        let first = try insertMultiRow(rows, statements)
        if first == rows.count { return }
        let statement = try connection.statement(statements.insertion)
        defer { statement.reset() }
        for row in first..<rows.count {
            try statements.bind(rows, row, to: statement, from: 1)
            try statement.run()
            statement.rewind()
        }
    }

    /// The number of rows from which a multi-row statement is worth preparing.
    private static let minimumRowsForMultiRowInsert = 128

    /// Inserts as many rows as possible with multi-row statements, and returns their number.
    private func insertMultiRow(_ rows: RowBatch, _ statements: EntityStatements) throws(StoreError) -> Int {
        let count = statements.rowsPerInsert
        guard count > 1, rows.count >= Self.minimumRowsForMultiRowInsert else { return 0 }
        let sql = store.texts.text(.insertion(entityIndex: statements.entity.layout.index)) {
            RowStatements(.sqlite).insertion(into: statements.entity, rows: count)
        }
        let statement = try connection.statement(sql)
        defer { statement.reset() }
        var first = 0
        while first + count <= rows.count {
            for place in 0..<count {
                let start = Int32(1 + place * statements.width)
                try statements.bind(rows, first + place, to: statement, from: start)
            }
            try statement.run()
            statement.rewind()
            first += count
        }
        return first
    }

    func updateRows(
        _ rows: RowBatch, _ update: ChangeSet.Update, of entity: EntityMapping
    ) throws(StoreError) -> Bool {
        let binding = RowBinding(entity, columns: update.columns)
        let sql = store.texts.text(.update(entityIndex: update.entityIndex, columns: update.columns)) {
            RowStatements(.sqlite).update(of: entity, columns: update.columns)
        }
        let statement = try connection.statement(sql)
        defer { statement.reset() }
        let next = Int32(update.columns.count + 1)
        for row in 0..<rows.count {
            try binding.bind(rows, row: row, to: statement, from: 1)
            statement.bind(next, rows.version(at: row))
            statement.bind(next + 1, rows.key(at: row))
            statement.bind(next + 2, update.baseVersions[row])
            try statement.run()
            if connection.changedRows != 1 { return false }
            statement.rewind()
        }
        return true
    }

    func deleteRows(_ deletion: ChangeSet.Deletion) throws(StoreError) -> Bool {
        var rows = RowDeletion(store.statements[deletion.entityIndex], connection)
        return try rows.delete(deletion)
    }
}
#endif
