package import ContextCore

/// What the parts of a save that are the same for all databases ask of a session.
package protocol RowReader {
    /// Where the store keeps everything.
    var mapping: StoreMapping { get }
    /// The rows that have these keys, of an entity or of its subentities.
    func rows(_ keys: [Int64], entityIndex: Int) throws(StoreError) -> RowBatch
    /// The headers of the rows that have these keys.
    func headers(of keys: some Collection<Int64>, in layout: EntityLayout) throws(StoreError) -> [RowHeader]
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
