package import ContextCore

/// What the parts of a save that are the same for all databases ask a session to write; each call is about many rows.
package protocol RowWriter {
    associatedtype Reader: RowReader
    /// What reads on the same connection.
    var reader: Reader { get }
    /// Inserts rows, but for some.
    func insert(_ rows: RowBatch, of entityIndex: Int, except keys: Set<Int64>) throws(StoreError)
    /// Deletes rows whatever their versions are.
    func delete(_ keys: [Int64], of entityIndex: Int) throws(StoreError)
    /// The rows that have a place in an ordered relationship, and their places.
    func positions(
        _ column: String, of table: String, _ keys: [Int64]
    ) throws(StoreError) -> [(key: Int64, position: Int64)]
    /// Gives rows their places again.
    func restore(
        _ positions: [(key: Int64, position: Int64)], _ column: String, of table: String
    ) throws(StoreError)
    /// Removes links, and returns those that were there.
    func remove(
        _ links: [RelatedRows.Link], from table: CollectionMapping.Links
    ) throws(StoreError) -> [RelatedRows.Link]
    /// Makes links, or moves them where there is an order.
    func place(_ links: [RelatedRows.Link], in table: CollectionMapping.Links) throws(StoreError)
    /// Makes links unless they are there, wherever they stand.
    func reflect(_ links: [RelatedRows.Link], in table: CollectionMapping.Links) throws(StoreError)
    /// Takes rows' places among their siblings away, and returns those that had one.
    func displace(
        _ links: [RelatedRows.Link], among children: CollectionMapping.Children, position: String
    ) throws(StoreError) -> [RelatedRows.Link]
    /// Gives members other positions, and returns those that their owner still has.
    func move(_ links: [RelatedRows.Link], in positions: MemberPositions) throws(StoreError)
        -> [RelatedRows.Link]
    /// Says where rows stand among their siblings.
    func place(
        _ links: [RelatedRows.Link], among children: CollectionMapping.Children, position: String
    ) throws(StoreError)
}
