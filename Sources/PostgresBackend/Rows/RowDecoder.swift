#if Postgres
import ContextCore
import Foundation
import SQLStore

/// Reads answers straight into packed rows.
struct RowDecoder {
    let model: ObjectModel
    let selection: SelectedColumns

    /// All rows of an answer.
    func rows(_ result: PostgresResult) throws(StoreError) -> RowBatch {
        var builder = RowBatchBuilder(
            model: model, loadedColumns: selection.loadedColumns, rowCapacity: result.count * 96,
            heapCapacity: result.count * 32)
        for row in 0..<result.count { try append(result, row, to: &builder) }
        return try builder.finish()
    }

    /// Appends a row.
    ///
    /// - Parameter first: The place of the key, where other columns come before it.
    func append(
        _ result: PostgresResult, _ row: Int, to builder: inout RowBatchBuilder, first: Int = 0
    ) throws(StoreError) {
        let shape = try shape(result, row, first)
        builder.beginRow(
            key: result.integer(row, first), version: result.integer(row, first + 1),
            entityIndex: shape.entityIndex)
        for field in shape.fields where !result.isNull(row, first + field.place) {
            try decode(result, row, first + field.place, field, into: &builder)
        }
    }

    private func shape(_ result: PostgresResult, _ row: Int, _ first: Int) throws(StoreError)
        -> SelectedColumns.Shape
    {
        if !selection.hasEntityColumn { return selection.shapes[0] }
        let number = Int(result.integer(row, first + 2))
        if let shape = selection.shapes.first(where: { $0.number == number }) { return shape }
        throw StoreError(
            .corrupt, "A row is of an entity that the model doesn't have.",
            remedy: "Open the store with the model that it was made with.",
            detail: "The entity's number is \(number).")
    }

    private func decode(
        _ result: PostgresResult, _ row: Int, _ place: Int, _ field: SelectedColumns.Field,
        into builder: inout RowBatchBuilder
    ) throws(StoreError) {
        switch field.type {
        case .key, .bool, .integer: builder.set(field.column, integer: result.integer(row, place))
        case .date:
            builder.set(field.column, integer: PostgresMoment.received(result.integer(row, place)))
        case .double: builder.set(field.column, double: result.double(row, place))
        case .text, .data: builder.set(field.column, bytes: result.bytes(row, place))
        case .json: builder.set(field.column, bytes: result.json(row, place))
        case .uuid:
            builder.set(field.column, uuid: result.bytes(row, place).loadUnaligned(as: UUID.self))
        case .decimal, .anyDecimal:
            let number = try result.decimal(row, place)
            withUnsafeBytes(of: number) { builder.set(field.column, bytes: $0) }
        case .keys: break
        }
    }
}
#endif
