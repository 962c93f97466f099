#if Postgres
import ContextCore
import SQLStore

extension SessionReader: RowReader {
    var mapping: StoreMapping { store.mapping }

    /// The headers of the rows that have these keys.
    func headers(of keys: some Collection<Int64>, in layout: EntityLayout) throws(StoreError) -> [RowHeader] {
        if keys.isEmpty { return [] }
        let selection = SelectedColumns(store.mapping, entityIndex: layout.rootIndex, columns: [])
        let sql = KeyStatements(store.mapping, .postgres).rows(selection, of: layout.rootIndex).sql
        let rows = try RowDecoder(model: store.model, selection: selection).rows(
            try connection.run(sql, Self.keys(keys)))
        return (0..<rows.count).map { RowHeader(rows, $0) }
    }

    /// The keys of an entity's own rows in which a column holds one of some keys.
    func keys(
        of layout: EntityLayout, whereColumn column: Int, isAmong keys: [Int64]
    ) throws(StoreError) -> [Int64] {
        let sql = KeyStatements(store.mapping, .postgres).referring(column, of: layout.index).sql
        let result = try connection.run(sql, Self.keys(keys))
        return (0..<result.count).map { result.integer($0, 0) }
    }
}
#endif
