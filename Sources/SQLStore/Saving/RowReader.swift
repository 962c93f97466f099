package import ContextCore

/// The queries that the database-independent parts of a save need.
package protocol RowReader {
    /// The mapping of the model to tables.
    var mapping: StoreMapping { get }
    /// Fetches the rows of a plan.
    func fetch(_ plan: FetchPlan) throws(StoreError) -> RowBatch
    /// Fetches the rows with these keys, of an entity and its subentities.
    func rows(_ keys: [Int64], entityIndex: Int) throws(StoreError) -> RowBatch
    /// Fetches some columns of the rows with these keys.
    func rows(
        _ keys: [Int64], _ selection: SelectedColumns, of entityIndex: Int
    ) throws(StoreError) -> RowBatch
    /// Fetches the members of a relationship.
    func related(_ plan: RelatedPlan) throws(StoreError) -> RelatedRows
    /// Returns the keys of an entity's own rows in which a column contains one of the given keys.
    func keys(
        of layout: EntityLayout, whereColumn column: Int, isAmong keys: [Int64]
    ) throws(StoreError) -> [Int64]
    /// Whether every key belongs to a row of an entity or of its subentities.
    func hasAll(_ keys: Set<Int64>, of layout: EntityLayout) throws(StoreError) -> Bool
    /// Finds rows in the store with the same values of a constraint; returns their keys by the keys of the given rows.
    func equals(
        of rows: RowBatch, _ entityIndex: Int, _ constraint: UniqueColumns
    ) throws(StoreError) -> [Int64: Int64]
}

extension RowReader {
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
    package func present(_ deletion: ChangeSet.Deletion) throws(StoreError) -> [Int64] {
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
