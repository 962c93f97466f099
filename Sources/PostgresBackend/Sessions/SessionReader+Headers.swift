#if Postgres
import ContextCore
import SQLStore

extension SessionReader: RowReader {
    var mapping: StoreMapping { store.mapping }

    func rows(
        _ keys: [Int64], _ selection: SelectedColumns, of entityIndex: Int
    ) throws(StoreError) -> RowBatch {
        let sql = store.texts.text(.rows(entityIndex: entityIndex, columns: selection.columns)) {
            statements.rows(selection, of: entityIndex)
        }
        return try RowDecoder(model: store.model, selection: selection).rows(
            try ask(sql, keys))
    }

    func hasAll(_ keys: Set<Int64>, of layout: EntityLayout) throws(StoreError) -> Bool {
        if keys.isEmpty { return true }
        let sql = store.texts.text(.count(entityIndex: layout.index)) { statements.count(of: layout.index) }
        return try ask(sql, keys).integer(0, 0) == Int64(keys.count)
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

    /// Returns the keys of an entity's own rows whose column contains one of the given keys.
    func keys(
        of layout: EntityLayout, whereColumn column: Int, isAmong keys: [Int64]
    ) throws(StoreError) -> [Int64] {
        let sql = store.texts.text(.referring(entityIndex: layout.index, column: column)) {
            statements.referring(column, of: layout.index)
        }
        let result = try ask(sql, keys)
        return (0..<result.count).map { result.integer($0, 0) }
    }
}
#endif
