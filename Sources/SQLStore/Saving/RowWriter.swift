package import ContextCore

/// The writes that the database-independent parts of a save need; each call writes many rows.
package protocol RowWriter {
    associatedtype Reader: RowReader
    /// The reader on the same connection.
    var reader: Reader { get }
    /// Inserts rows, except those with the given keys.
    func insert(_ rows: RowBatch, of entityIndex: Int, except keys: Set<Int64>) throws(StoreError)
    /// Deletes rows without checking their versions.
    func delete(_ keys: [Int64], of entityIndex: Int) throws(StoreError)
    /// Returns the rows that have a position in an ordered relationship, and their positions.
    func positions(
        _ column: String, of table: String, _ keys: [Int64]
    ) throws(StoreError) -> [(key: Int64, position: Int64)]
    /// Restores the positions of rows.
    func restore(
        _ positions: [(key: Int64, position: Int64)], _ column: String, of table: String
    ) throws(StoreError)
    /// Removes links and returns those that existed.
    func remove(
        _ links: [RelatedRows.Link], from table: CollectionMapping.Links
    ) throws(StoreError) -> [RelatedRows.Link]
    /// Inserts links, or moves them if the relationship is ordered.
    func place(_ links: [RelatedRows.Link], in table: CollectionMapping.Links) throws(StoreError)
    /// Inserts mirrored links unless they exist.
    func reflect(_ links: [RelatedRows.Link], in table: CollectionMapping.Links) throws(StoreError)
    /// Clears rows' positions among their siblings, and returns the links that had one.
    func displace(
        _ links: [RelatedRows.Link], among children: CollectionMapping.Children, position: String
    ) throws(StoreError) -> [RelatedRows.Link]
    /// Changes the positions of members, and returns those that their owner still has.
    func move(_ links: [RelatedRows.Link], in positions: MemberPositions) throws(StoreError)
        -> [RelatedRows.Link]
    /// Sets rows' positions among their siblings.
    func place(
        _ links: [RelatedRows.Link], among children: CollectionMapping.Children, position: String
    ) throws(StoreError)
}
