package import ContextCore

/// What the parts of a save that are the same for all databases ask of a session.
package protocol RowReader {
    /// Where the store keeps everything.
    var mapping: StoreMapping { get }
    /// The rows that a plan asks for.
    func fetch(_ plan: FetchPlan) throws(StoreError) -> RowBatch
    /// The rows that have these keys, of an entity or of its subentities.
    func rows(_ keys: [Int64], entityIndex: Int) throws(StoreError) -> RowBatch
    /// The same with some of their columns only.
    func rows(
        _ keys: [Int64], _ selection: SelectedColumns, of entityIndex: Int
    ) throws(StoreError) -> RowBatch
    /// What a relationship leads to.
    func related(_ plan: RelatedPlan) throws(StoreError) -> RelatedRows
    /// The keys of an entity's own rows in which a column holds one of some keys.
    func keys(
        of layout: EntityLayout, whereColumn column: Int, isAmong keys: [Int64]
    ) throws(StoreError) -> [Int64]
    /// Whether each of some keys is that of a row of an entity or of one of its subentities.
    func hasAll(_ keys: Set<Int64>, of layout: EntityLayout) throws(StoreError) -> Bool
    /// For rows that have the same values in a constraint's columns as one in the store: their keys, each with the other's.
    func equals(
        of rows: RowBatch, _ entityIndex: Int, _ constraint: UniqueColumns
    ) throws(StoreError) -> [Int64: Int64]
}

extension RowReader {
    /// The headers of the rows that have these keys.
    package func headers(
        of keys: some Collection<Int64>, in layout: EntityLayout
    ) throws(StoreError) -> [RowHeader] {
        if keys.isEmpty { return [] }
        let selection = SelectedColumns(mapping, entityIndex: layout.rootIndex, columns: [])
        let rows = try rows(Array(keys), selection, of: layout.rootIndex)
        return (0..<rows.count).map { RowHeader(rows, $0) }
    }

    /// The keys of a deletion whose rows are there, as those with a version must be.
    package func present(_ deletion: ChangeSet.Deletion) throws(StoreError) -> [Int64] {
        if !deletion.baseVersions.contains(nil) { return deletion.keys }
        let found = Set(
            try headers(of: deletion.keys, in: mapping.model.layouts[deletion.entityIndex]).map(\.key))
        return deletion.keys.filter(found.contains)
    }
}

/// What tells one row from others: key, version and entity.
package struct RowHeader: Hashable, Sendable {
    package let key: Int64
    package let version: Int64
    package let entityIndex: Int

    /// The header of a row in a batch.
    package init(_ rows: RowBatch, _ row: Int) {
        key = rows.key(at: row)
        version = rows.version(at: row)
        entityIndex = rows.entityIndex(at: row)
    }
}
