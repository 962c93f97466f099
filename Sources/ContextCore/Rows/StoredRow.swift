/// A row of a batch.
public struct StoredRow: Sendable {
    /// The batch that contains the row.
    public let batch: RowBatch
    /// The index of the row in its batch.
    public let index: Int

    /// Makes a reference to a row of a batch.
    public init(_ batch: RowBatch, _ index: Int) {
        self.batch = batch
        self.index = index
    }

    /// The key of the row's object.
    public var key: Int64 { batch.key(at: index) }
    /// The version of the row.
    public var version: Int64 { batch.version(at: index) }
    /// The index in the model of the row's entity.
    public var entityIndex: Int { batch.entityIndex(at: index) }

    /// Decodes the value of a column.
    public func value(_ column: Int) -> StoredValue { batch.value(column, at: index) }

    /// Returns the key in the column of a to-one relationship; nil for null.
    public func reference(_ column: Int) -> Int64? {
        let row = batch.row(index)
        if RowBatch.isNull(row, column) { return nil }
        return (row + batch.model.layouts[entityIndex].fields.offsets[column]).load(as: Int64.self)
    }
}
