#if Postgres
import ContextCore
import Foundation
import SQLStore

/// Decodes results directly into packed rows.
struct RowDecoder {
    let model: ObjectModel
    let selection: SelectedColumns
    /// Whether to sort the rows by key.
    var sortsByKey = false

    /// Returns all rows of a result.
    func rows(_ result: PostgresResult) throws(StoreError) -> RowBatch {
        var builder = builder(expecting: result.count)
        try appendAll(result, to: &builder)
        return try finish(builder)
    }

    /// Returns the batch of all appended rows.
    func finish(_ builder: consuming RowBatchBuilder) throws(StoreError) -> RowBatch {
        if sortsByKey { builder.sortByKey() }
        return try builder.finish()
    }

    /// Returns a builder with capacity for the expected number of rows, which grows if needed.
    ///
    /// Growing from a small capacity is faster than starting with a large one: large allocations are fresh pages from the system, while
    /// growing reuses freed memory.
    func builder(expecting count: Int = 64) -> RowBatchBuilder {
        RowBatchBuilder(
            model: model, loadedColumns: selection.loadedColumns, rowCapacity: count * 96,
            heapCapacity: count * 32)
    }

    /// Appends all rows of a result.
    func appendAll(_ result: PostgresResult, to builder: inout RowBatchBuilder) throws(StoreError) {
        for row in 0..<result.count { try append(ResultRow(result: result, row: row), to: &builder) }
    }

    /// Appends a row.
    @inline(__always)
    func append<Row: BinaryRow & ~Copyable>(
        _ row: borrowing Row, to builder: inout RowBatchBuilder
    ) throws(StoreError) {
        if selection.hasEntityColumn {
            try append(row, try shape(PostgresBytes.integer(row.value(2))), to: &builder)
        } else if let shape = selection.shapes.first {
            // An abstract entity without subentities has no shape, and no rows.
            try append(row, shape, to: &builder)
        }
    }

    @inline(__always)
    private func append<Row: BinaryRow & ~Copyable>(
        _ row: borrowing Row, _ shape: SelectedColumns.Shape, to builder: inout RowBatchBuilder
    ) throws(StoreError) {
        let key = PostgresBytes.integer(row.value(0))
        let open = builder.openRow(
            key: key, version: PostgresBytes.integer(row.value(1)),
            entityIndex: shape.entityIndex)
        for field in shape.fields {
            let bytes = row.value(field.resultIndex)
            // A value with bytes isn't null, which saves a call of libpq for most values.
            if bytes.isEmpty, row.isNull(field.resultIndex) { continue }
            try decode(bytes, field, of: shape, key: key, into: open, &builder)
        }
    }

    private func shape(_ number: Int64) throws(StoreError) -> SelectedColumns.Shape {
        if let shape = selection.shapes.first(where: { Int64($0.number) == number }) { return shape }
        throw StoreError(
            .corrupt, "A row belongs to an entity that the model doesn't have.",
            remedy: "Open the store with the model that it was created with.",
            detail: "The entity's number is \(number).")
    }

    @inline(__always)
    private func decode(
        _ bytes: UnsafeRawBufferPointer, _ field: SelectedColumns.Field, of shape: SelectedColumns.Shape,
        key: Int64, into row: OpenRow, _ builder: inout RowBatchBuilder
    ) throws(StoreError) {
        switch field.kind {
        case .key, .bool, .integer: row.set(field.location, integer: PostgresBytes.integer(bytes))
        case .date:
            row.set(field.location, integer: PostgresTimestamp.decoded(PostgresBytes.integer(bytes)))
        case .double: row.set(field.location, double: PostgresBytes.double(bytes))
        case .text, .data: store(bytes, field, into: row, &builder)
        case .json: store(PostgresBytes.json(bytes), field, into: row, &builder)
        case .uuid: row.set(field.location, uuid: bytes.loadUnaligned(as: UUID.self))
        case .decimal:
            let number = try PostgresBytes.decimal(bytes, in: location(of: field, shape, key: key))
            withUnsafeBytes(of: number) { store($0, field, into: row, &builder) }
        case .stamp:
            let stamp = PostgresBytes.integer(bytes)
            guard stamp > 0 else { throw .invalidStamp }
            row.set(field.location, stamp: stamp)
        case .keys: break
        }
    }

    /// Returns the attribute and the object that a field belongs to, for errors.
    private func location(
        of field: SelectedColumns.Field, _ shape: SelectedColumns.Shape, key: Int64
    ) -> String {
        let entity = model.layouts[shape.entityIndex]
        let property = entity.properties.first { $0.columns.contains(field.column) }
        return "\(entity.name).\(property?.name ?? "") of \(model.layouts[entity.rootIndex].name)/\(key)"
    }

    /// Stores the bytes of a variable-size value; if they don't fit, `finish` throws.
    @inline(__always)
    private func store(
        _ bytes: UnsafeRawBufferPointer, _ field: SelectedColumns.Field, into row: OpenRow,
        _ builder: inout RowBatchBuilder
    ) {
        if let heapRange = builder.appendToHeap(bytes) { row.set(field.location, heapRange: heapRange) }
    }
}
#endif
