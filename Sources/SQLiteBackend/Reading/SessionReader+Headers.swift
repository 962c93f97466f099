#if SQLite
import ContextCore
import SQLStore

/// What tells one row from others: key, version and entity.
struct RowHeader: Hashable {
    let key: Int64
    let version: Int64
    let entityIndex: Int
}

extension SessionReader {
    /// The headers of the rows that have these keys.
    func headers(of keys: some Collection<Int64>, in layout: EntityLayout) throws(StoreError) -> [RowHeader] {
        let selection = SelectedColumns(store.mapping, entityIndex: layout.rootIndex, columns: [])
        let text = KeyStatements(store.mapping, .sqlite).rows(selection, of: layout.rootIndex)
        let statement = try connection.statement(text.sql)
        defer { statement.reset() }
        try statement.bind([.keys(Array(keys))])
        let rows = try RowDecoder(model: store.model, selection: selection).rows(
            statement, expecting: keys.count)
        return (0..<rows.count).map {
            RowHeader(
                key: rows.key(at: $0), version: rows.version(at: $0), entityIndex: rows.entityIndex(at: $0))
        }
    }

    /// The keys of an entity's own rows in which a column holds one of some keys.
    func keys(
        of layout: EntityLayout, whereColumn column: Int, isAmong keys: [Int64]
    ) throws(StoreError) -> [Int64] {
        let text = KeyStatements(store.mapping, .sqlite).referring(column, of: layout.index)
        let statement = try connection.statement(text.sql)
        defer { statement.reset() }
        try statement.bind([.keys(keys)])
        var found: [Int64] = []
        while try statement.step() { found.append(statement.integer(0)) }
        return found
    }
}
#endif
