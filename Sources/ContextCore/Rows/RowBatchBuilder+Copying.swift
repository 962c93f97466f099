import Foundation

extension RowBatchBuilder {
    /// Appends a copy of a row from a batch of the same model, optionally with another version.
    ///
    /// The copy becomes the current row, so the caller can change its values.
    public mutating func append(_ index: Int, of batch: RowBatch, version: Int64? = nil) {
        let entityIndex = batch.entityIndex(at: index)
        beginRow(
            key: batch.key(at: index), version: version ?? batch.version(at: index), entityIndex: entityIndex)
        let source = batch.row(index)
        // Unretained, because the model owns the layout.
        Unmanaged.passUnretained(model.layouts[entityIndex]).withUnretained { layout in
            currentRow.advanced(by: RowFields.headerSize).copyMemory(
                from: source + RowFields.headerSize,
                byteCount: layout.fields.rowSize - RowFields.headerSize)
            for column in layout.fields.heapColumns where !RowBatch.isNull(source, column) {
                set(column, bytes: batch.bytes(source + layout.fields.offsets[column]))
            }
        }
    }

    /// Appends a copy of a row from a batch of the same model, with the given columns; the others are null.
    public mutating func append(_ index: Int, of batch: RowBatch, columns: some Sequence<Int>) {
        let layout = model.layouts[batch.entityIndex(at: index)]
        let source = batch.row(index)
        beginRow(key: batch.key(at: index), version: batch.version(at: index), entityIndex: layout.index)
        for column in columns {
            if RowBatch.isNull(source, column) {
                if let version = batch.stamp(column, at: index) {
                    setDeferredVersion(version, of: column)
                }
                continue
            }
            let field = source + layout.fields.offsets[column]
            if layout.fields.heapColumns.contains(column) {
                set(column, bytes: batch.bytes(field))
            } else if case .attribute(.uuid) = layout.columns[column].kind {
                set(column, uuid: field.load(as: UUID.self))
            } else {
                set(column, integer: field.load(as: Int64.self))
            }
        }
    }
}
