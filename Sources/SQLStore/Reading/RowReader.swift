package import ContextCore

/// Runs a session's queries on its connection.
///
/// A backend runs statements and decodes rows; the extensions decide which statements answer a query.
package protocol RowReader {
    associatedtype Store: OpenStore
    associatedtype Connection: SQLConnection
    var store: Store { get }
    var connection: Connection { get }
    /// Whether rows come without external values, which are loaded on first access.
    var defersExternalValues: Bool { get }
    /// Runs the statement of a plan, and returns its rows.
    func rows(_ text: SQLText, _ format: RowFormat, of plan: FetchPlan) throws(StoreError) -> RowBatch
    /// Fetches the rows with these keys, of an entity and its subentities.
    func rows(_ keys: [Int64], entityIndex: Int) throws(StoreError) -> RowBatch
    /// Runs a query for some columns of rows, whose only parameter is keys.
    func rows(_ sql: String, keys: [Int64], _ selection: SelectedColumns) throws(StoreError) -> RowBatch
    /// Runs a query for links, whose only parameter is the owners' keys.
    func links(_ sql: String, owners: [Int64], hasPosition: Bool) throws(StoreError) -> [RelatedRows.Link]
    /// Fetches the members of a one-to-many relationship and their links with one statement.
    ///
    /// - Parameter reference: The slot of the members' reference to their owner.
    func children(
        _ children: CollectionMapping.Children, _ plan: RelatedPlan, _ selection: SelectedColumns,
        linkedThrough reference: Int
    ) throws(StoreError) -> RelatedRows
    /// Runs a query for integers that are not null, whose only parameter is keys, and returns its first column.
    func integers(_ sql: String, keys: [Int64]) throws(StoreError) -> [Int64]
    /// Runs a query for integers that are not null, and returns its columns.
    func integers(_ text: SQLText, columns: Int) throws(StoreError) -> [[Int64]]
    /// Finds rows in the store with the same values of a constraint; returns their keys by the keys of the given rows.
    func duplicateKeys(
        of rows: RowBatch, _ entityIndex: Int, _ constraint: UniqueColumns
    ) throws(StoreError) -> [Int64: Int64]
}

extension RowReader {
    /// The mapping of the model to tables.
    package var mapping: StoreMapping { store.mapping }

    /// The generator of statements that find rows by key.
    package var statements: KeyStatements { KeyStatements(mapping, store.dialect) }

    /// Fetches the rows of a plan.
    package func fetch(_ plan: FetchPlan) throws(StoreError) -> RowBatch {
        let plan = deferring(plan)
        let (text, format) = try store.templates.statement(plan)
        return try rows(text, format, of: plan)
    }

    /// Returns a plan whose rows come without external values if the session's rows do.
    package func deferring(_ plan: FetchPlan) -> FetchPlan {
        var plan = plan
        plan.defersExternalValues = defersExternalValues
        return plan
    }

    /// Fetches some columns of the rows with these keys.
    package func rows(
        _ keys: [Int64], _ selection: SelectedColumns, of entityIndex: Int
    ) throws(StoreError) -> RowBatch {
        let sql = store.texts.text(.rows(entityIndex: entityIndex, columns: selection.columns)) {
            statements.rows(selection, of: entityIndex)
        }
        return try rows(sql, keys: keys, selection)
    }

    /// Whether each of some keys belongs to a row of an entity or of its subentities.
    package func hasAll(_ keys: Set<Int64>, of layout: EntityLayout) throws(StoreError) -> Bool {
        if keys.isEmpty { return true }
        let sql = store.texts.text(.count(entityIndex: layout.index)) { statements.count(of: layout.index) }
        return try integers(sql, keys: Array(keys)).first == Int64(keys.count)
    }

    /// Returns the keys of an entity's own rows in which a column has one of some keys.
    package func keys(
        of layout: EntityLayout, whereColumn column: Int, isAmong keys: [Int64]
    ) throws(StoreError) -> [Int64] {
        let sql = store.texts.text(.referring(entityIndex: layout.index, column: column)) {
            statements.referring(column, of: layout.index)
        }
        return try integers(sql, keys: keys)
    }

    /// Returns the requested values and aggregates of each row or group.
    package func aggregate(_ plan: AggregatePlan) throws(StoreError) -> [[StoredValue]] {
        let (text, types) = try store.templates.statement(plan)
        return try connection.rows(text, types)
    }

    /// Returns the headers of the rows with these keys.
    package func headers(
        of keys: some Collection<Int64>, in layout: EntityLayout
    ) throws(StoreError) -> [RowHeader] {
        if keys.isEmpty { return [] }
        let selection = SelectedColumns(mapping, entityIndex: layout.rootIndex, columns: [])
        let rows = try rows(Array(keys), selection, of: layout.rootIndex)
        return (0..<rows.count).map { RowHeader(rows, $0) }
    }

    /// Returns the keys of a deletion whose rows exist; if it has versions, all of them must.
    package func existingKeys(_ deletion: ChangeSet.Deletion) throws(StoreError) -> [Int64] {
        if !deletion.baseVersions.contains(nil) { return deletion.keys }
        let found = Set(
            try headers(of: deletion.keys, in: mapping.model.layouts[deletion.entityIndex]).map(\.key))
        return deletion.keys.filter(found.contains)
    }
}

/// The key, version and entity of a row.
package struct RowHeader: Hashable, Sendable {
    package let key: Int64
    package let version: Int64
    package let entityIndex: Int

    /// Reads the header of a row in a batch.
    package init(_ rows: RowBatch, _ row: Int) {
        key = rows.key(at: row)
        version = rows.version(at: row)
        entityIndex = rows.entityIndex(at: row)
    }
}
