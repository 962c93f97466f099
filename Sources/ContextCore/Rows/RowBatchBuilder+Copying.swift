extension RowBatchBuilder {
    /// Appends a row of another batch of the same model, as it is or with another version.
    package mutating func append(_ index: Int, of batch: RowBatch, version: Int64? = nil) {
        let entityIndex = batch.entityIndex(at: index)
        beginRow(
            key: batch.key(at: index), version: version ?? batch.version(at: index), entityIndex: entityIndex)
        let fields = model.layouts[entityIndex].fields
        let source = batch.row(index)
        currentRow.advanced(by: RowFields.headerSize).copyMemory(
            from: source + RowFields.headerSize, byteCount: fields.rowSize - RowFields.headerSize)
        for column in fields.heapColumns where !RowBatch.isNull(source, column) {
            set(column, bytes: batch.bytes(source + fields.offsets[column]))
        }
    }
}
