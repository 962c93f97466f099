/// One row, where it lies in its batch.
public struct StoredRow: Sendable {
    /// The batch that it lies in.
    public let batch: RowBatch
    /// Its place there.
    public let index: Int

    /// Points at a row of a batch.
    public init(_ batch: RowBatch, _ index: Int) {
        self.batch = batch
        self.index = index
    }

    /// The key of the row's object.
    public var key: Int64 { batch.key(at: index) }
    /// The version of the row.
    public var version: Int64 { batch.version(at: index) }
    /// The position in the model of the row's entity.
    public var entityIndex: Int { batch.entityIndex(at: index) }

    /// Decodes one value.
    public func value(_ column: Int) -> StoredValue { batch.value(column, at: index) }

    /// The key that a reference's column keeps; nil for none.
    public func reference(_ column: Int) -> Int64? {
        let row = batch.row(index)
        if RowBatch.isNull(row, column) { return nil }
        return (row + batch.model.layouts[entityIndex].fields.offsets[column]).load(as: Int64.self)
    }
}
