#if SQLite
import ContextCore
import SQLStore

extension SessionReader: RowReader {
    var mapping: StoreMapping { store.mapping }

    func rows(
        _ keys: [Int64], _ selection: SelectedColumns, of entityIndex: Int
    ) throws(StoreError) -> RowBatch {
        let sql = store.texts.text(.rows(entityIndex: entityIndex, columns: selection.columns)) {
            KeyStatements(store.mapping, .sqlite).rows(selection, of: entityIndex)
        }
        let statement = try connection.statement(sql)
        defer { statement.reset() }
        try statement.bind([.keys(keys)])
        return try RowDecoder(
            model: store.model, selection: selection,
            isGathered: SQLDialect.sqlite.gathers(selection.columns.count)
        )
        .rows(statement, expecting: keys.count)
    }

    /// Whether each of some keys belongs to a row of an entity or of its subentities.
    func hasAll(_ keys: Set<Int64>, of layout: EntityLayout) throws(StoreError) -> Bool {
        if keys.isEmpty { return true }
        let sql = store.texts.text(.count(entityIndex: layout.index)) {
            KeyStatements(store.mapping, .sqlite).count(of: layout.index)
        }
        let statement = try connection.statement(sql)
        defer { statement.reset() }
        try statement.bind([.keys(Array(keys))])
        return try statement.step() && statement.integer(0) == Int64(keys.count)
    }

    /// Returns the keys of an entity's own rows in which a column has one of some keys.
    func keys(
        of layout: EntityLayout, whereColumn column: Int, isAmong keys: [Int64]
    ) throws(StoreError) -> [Int64] {
        let sql = store.texts.text(.referring(entityIndex: layout.index, column: column)) {
            KeyStatements(store.mapping, .sqlite).referring(column, of: layout.index)
        }
        let statement = try connection.statement(sql)
        defer { statement.reset() }
        try statement.bind([.keys(keys)])
        var found: [Int64] = []
        while try statement.step() { found.append(statement.integer(0)) }
        return found
    }

    func equals(
        of rows: RowBatch, _ entityIndex: Int, _ constraint: UniqueColumns
    ) throws(StoreError) -> [Int64: Int64] {
        let entity = store.mapping.entities[entityIndex]
        let sql = store.texts.text(.search(constraint, entityIndex: entityIndex)) {
            RowStatements(.sqlite).search(
                in: entity, columns: constraint.columns, entities: store.mapping.numbers(sharing: constraint))
        }
        let statement = try connection.statement(sql)
        defer { statement.reset() }
        let binding = RowBinding(entity, columns: constraint.columns)
        var found: [Int64: Int64] = [:]
        for row in 0..<rows.count {
            statement.bind(1, rows.key(at: row))
            try binding.bind(rows, row: row, to: statement, from: 2)
            if try statement.step() { found[rows.key(at: row)] = statement.integer(0) }
            statement.rewind()
        }
        return found
    }
}
#endif
