#if SQLite
import CSQLite
import ContextCore
import Foundation
import SQLStore

/// Reads the answer of a query straight into packed rows.
struct RowDecoder {
    let model: ObjectModel
    let selection: SelectedColumns

    /// Steps through a statement to its end.
    func rows(_ statement: SQLiteStatement, expecting count: Int = 64) throws(StoreError) -> RowBatch {
        var builder = RowBatchBuilder(
            model: model, loadedColumns: selection.loadedColumns, rowCapacity: count * 64,
            heapCapacity: count * 32)
        while try statement.step() { try append(statement, to: &builder) }
        return builder.finish()
    }

    /// Appends the row that a statement stands at.
    ///
    /// - Parameter first: The place of the key, where other columns come before it.
    @inline(__always)
    func append(
        _ statement: SQLiteStatement, to builder: inout RowBatchBuilder, first: Int32 = 0
    ) throws(StoreError) {
        let shape = selection.hasEntityColumn ? try shape(statement.integer(first + 2)) : selection.shapes[0]
        builder.beginRow(
            key: statement.integer(first), version: statement.integer(first + 1),
            entityIndex: shape.entityIndex)
        for field in shape.fields {
            try decode(statement, first + Int32(field.place), field, into: &builder)
        }
    }

    @inline(__always)
    private func shape(_ number: Int64) throws(StoreError) -> SelectedColumns.Shape {
        for shape in selection.shapes where Int64(shape.number) == number { return shape }
        throw StoreError(
            .corrupt, "A row is of an entity that the model doesn't have.",
            remedy: "Open the store with the model that it was made with.",
            detail: "The entity's number is \(number).")
    }

    @inline(__always)
    private func decode(
        _ statement: SQLiteStatement, _ place: Int32, _ field: SelectedColumns.Field,
        into builder: inout RowBatchBuilder
    ) throws(StoreError) {
        if statement.isNull(place) { return }
        switch field.type {
        case .key, .bool, .integer, .date: builder.set(field.column, integer: statement.integer(place))
        case .double: builder.set(field.column, double: statement.double(place))
        case .text, .json, .data: builder.set(field.column, bytes: statement.bytes(place))
        case .uuid: builder.set(field.column, uuid: try statement.uuid(place))
        case .decimal, .anyDecimal:
            let number = try statement.decimal(place, field.type)
            withUnsafeBytes(of: number) { builder.set(field.column, bytes: $0) }
        case .keys: break
        }
    }
}
#endif
