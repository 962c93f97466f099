#if Postgres
import ContextCore
import SQLStore

extension SessionReader {
    func rows(
        _ sql: String, keys: [Int64], _ selection: SelectedColumns
    ) throws(StoreError) -> RowBatch {
        try RowDecoder(model: store.model, selection: selection).rows(try ask(sql, keys))
    }

    func integers(_ sql: String, keys: [Int64]) throws(StoreError) -> [Int64] {
        try ask(sql, keys).integers(0)
    }

    func integers(_ text: SQLText, columns: Int) throws(StoreError) -> [[Int64]] {
        let result = try connection.result(of: text)
        return (0..<columns).map { result.integers($0) }
    }

    func equals(
        of rows: RowBatch, _ entityIndex: Int, _ constraint: UniqueColumns
    ) throws(StoreError) -> [Int64: Int64] {
        let entity = store.mapping.entities[entityIndex]
        let sql = store.texts.text(.search(constraint, entityIndex: entityIndex)) {
            ArrayStatements(entity: entity, dialect: store.dialect).search(
                columns: constraint.columns, entities: store.mapping.numbers(sharing: constraint))
        }
        let columns = RowColumns(entity, columns: constraint.columns)
        var found: [Int64: Int64] = [:]
        for part in columns.chunks(rows) {
            var parameters = Self.keys(part.map { rows.key(at: $0) })
            try columns.append(rows, rows: part, to: &parameters)
            let result = try connection.run(sql, parameters)
            for row in 0..<result.count { found[result.integer(row, 0)] = result.integer(row, 1) }
        }
        return found
    }
}
#endif
