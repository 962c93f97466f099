#if SQLite
import ContextCore
import SQLStore

extension SessionReader {
    func rows(
        _ sql: String, keys: [Int64], _ selection: SelectedColumns
    ) throws(StoreError) -> RowBatch {
        let statement = try connection.statement(sql)
        defer { statement.reset() }
        try statement.bind([.keys(keys)])
        return try RowDecoder(
            model: store.model, selection: selection,
            isGathered: SQLDialect.sqlite.gathers(selection.columns.count)
        )
        .rows(statement, expecting: keys.count)
    }

    func integers(_ sql: String, keys: [Int64]) throws(StoreError) -> [Int64] {
        try integers(SQLText(sql, [.keys(keys)]), columns: 1)[0]
    }

    func integers(_ text: SQLText, columns count: Int) throws(StoreError) -> [[Int64]] {
        let statement = try connection.statement(text.sql)
        defer { statement.reset() }
        try statement.bind(text.bindings)
        var columns = Array(repeating: [Int64](), count: count)
        while try statement.step() {
            for place in 0..<count { columns[place].append(statement.integer(Int32(place))) }
        }
        return columns
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
