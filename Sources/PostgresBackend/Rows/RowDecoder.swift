#if Postgres
import ContextCore
import Foundation
import SQLStore

/// Reads answers straight into packed rows.
struct RowDecoder {
    let model: ObjectModel
    let selection: SelectedColumns
    /// Whether rows are to be put in the order of their keys.
    var sortsByKey = false

    /// All rows of an answer.
    func rows(_ result: PostgresResult) throws(StoreError) -> RowBatch {
        var builder = builder(expecting: result.count)
        try appendAll(result, to: &builder)
        return try finish(builder)
    }

    /// The batch of all rows that were appended.
    func finish(_ builder: consuming RowBatchBuilder) throws(StoreError) -> RowBatch {
        if sortsByKey { builder.sortByKey() }
        return try builder.finish()
    }

    /// What takes about so many rows, or ever more.
    ///
    /// To begin with little is quicker than to begin with as much as the last answer took: a piece of memory so large comes anew from the
    /// system, page by page, where one that grows finds what was freed.
    func builder(expecting count: Int = 64) -> RowBatchBuilder {
        RowBatchBuilder(
            model: model, loadedColumns: selection.loadedColumns, rowCapacity: count * 96,
            heapCapacity: count * 32)
    }

    /// Appends all rows of an answer.
    func appendAll(_ result: PostgresResult, to builder: inout RowBatchBuilder) throws(StoreError) {
        for row in 0..<result.count { try append(ResultRow(result: result, row: row), to: &builder) }
    }

    /// Appends a row.
    @inline(__always)
    func append<Row: AnsweredRow & ~Copyable>(
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
    private func append<Row: AnsweredRow & ~Copyable>(
        _ row: borrowing Row, _ shape: SelectedColumns.Shape, to builder: inout RowBatchBuilder
    ) throws(StoreError) {
        let open = builder.openRow(
            key: PostgresBytes.integer(row.value(0)), version: PostgresBytes.integer(row.value(1)),
            entityIndex: shape.entityIndex)
        for field in shape.fields {
            let bytes = row.value(field.place)
            // What has bytes is not null, so that most values need one call of libpq less.
            if bytes.isEmpty, row.isNull(field.place) { continue }
            try decode(bytes, field, into: open, &builder)
        }
    }

    private func shape(_ number: Int64) throws(StoreError) -> SelectedColumns.Shape {
        if let shape = selection.shapes.first(where: { Int64($0.number) == number }) { return shape }
        throw StoreError(
            .corrupt, "A row is of an entity that the model doesn't have.",
            remedy: "Open the store with the model that it was made with.",
            detail: "The entity's number is \(number).")
    }

    @inline(__always)
    private func decode(
        _ bytes: UnsafeRawBufferPointer, _ field: SelectedColumns.Field, into row: OpenRow,
        _ builder: inout RowBatchBuilder
    ) throws(StoreError) {
        switch field.kind {
        case .key, .bool, .integer: row.set(field.home, integer: PostgresBytes.integer(bytes))
        case .date:
            row.set(field.home, integer: PostgresMoment.received(PostgresBytes.integer(bytes)))
        case .double: row.set(field.home, double: PostgresBytes.double(bytes))
        case .text, .data: take(bytes, field, into: row, &builder)
        case .json: take(PostgresBytes.json(bytes), field, into: row, &builder)
        case .uuid: row.set(field.home, uuid: bytes.loadUnaligned(as: UUID.self))
        case .decimal:
            let number = try PostgresBytes.decimal(bytes)
            withUnsafeBytes(of: number) { take($0, field, into: row, &builder) }
        case .stamp:
            let stamp = PostgresBytes.integer(bytes)
            guard stamp > 0 else { throw .invalidStamp }
            row.set(field.home, stamp: stamp)
        case .keys: break
        }
    }

    /// Takes in bytes; where there is no room for them, the builder says so when it has finished.
    @inline(__always)
    private func take(
        _ bytes: UnsafeRawBufferPointer, _ field: SelectedColumns.Field, into row: OpenRow,
        _ builder: inout RowBatchBuilder
    ) {
        if let taken = builder.take(bytes) { row.set(field.home, taken: taken) }
    }
}
#endif
