#if SQLite
import ContextCore
import SQLStore

extension SessionReader: RowReader {
    var mapping: StoreMapping { store.mapping }

    /// The headers of the rows that have these keys.
    func headers(of keys: some Collection<Int64>, in layout: EntityLayout) throws(StoreError) -> [RowHeader] {
        let selection = SelectedColumns(store.mapping, entityIndex: layout.rootIndex, columns: [])
        let text = KeyStatements(store.mapping, .sqlite).rows(selection, of: layout.rootIndex)
        let statement = try connection.statement(text.sql)
        defer { statement.reset() }
        try statement.bind([.keys(Array(keys))])
        let rows = try RowDecoder(model: store.model, selection: selection).rows(
            statement, expecting: keys.count)
        return (0..<rows.count).map { RowHeader(rows, $0) }
    }

    /// The keys of a deletion whose rows are there, as those with a version must be.
    func present(_ deletion: ChangeSet.Deletion) throws(StoreError) -> [Int64] {
        if !deletion.baseVersions.contains(nil) { return deletion.keys }
        let layout = store.model.layouts[deletion.entityIndex]
        let found = Set(try headers(of: deletion.keys, in: layout).map(\.key))
        return deletion.keys.filter(found.contains)
    }

    /// Whether each of some keys is that of a row of an entity or of one of its subentities.
    func hasAll(_ keys: Set<Int64>, of layout: EntityLayout) throws(StoreError) -> Bool {
        if keys.isEmpty { return true }
        let statement = try connection.statement(
            KeyStatements(store.mapping, .sqlite).count(of: layout.index).sql)
        defer { statement.reset() }
        try statement.bind([.keys(Array(keys))])
        return try statement.step() && statement.integer(0) == Int64(keys.count)
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
