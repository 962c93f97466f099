#if SQLite
import CSQLite
import ContextCore
import Foundation
import SQLStore

/// Reads the answer of a query straight into packed rows.
struct RowDecoder {
    let model: ObjectModel
    let selection: SelectedColumns
    /// How many bytes of text and data a batch may hold.
    var heapLimit = RowBatchBuilder.heapLimit

    /// Steps through a statement to its end.
    func rows(_ statement: SQLiteStatement, expecting count: Int = 64) throws(StoreError) -> RowBatch {
        var builder = RowBatchBuilder(
            model: model, loadedColumns: selection.loadedColumns, rowCapacity: count * 64,
            heapCapacity: count * 32, heapLimit: heapLimit)
        try appendAll(statement, to: &builder)
        return try builder.finish()
    }

    /// Appends all rows of a statement.
    ///
    /// - Parameter noteRow: Notes what else is in a row.
    @inline(__always)
    func appendAll(
        _ statement: SQLiteStatement, to builder: inout RowBatchBuilder, noteRow: () -> Void = {}
    ) throws(StoreError) {
        if selection.hasEntityColumn {
            while try statement.step() {
                let shape = try shape(statement.integer(2))
                try shape.fields.withUnsafeBufferPointer { fields throws(StoreError) in
                    try append(statement, shape.entityIndex, fields, to: &builder)
                }
                noteRow()
            }
        } else if let shape = selection.shapes.first {
            // Nothing needs to be looked up for each row. An abstract entity without subentities has no shape, and no rows.
            try shape.fields.withUnsafeBufferPointer { fields throws(StoreError) in
                while try statement.step() {
                    try append(statement, shape.entityIndex, fields, to: &builder)
                    noteRow()
                }
            }
        }
    }

    /// Appends the row that a statement stands at.
    @inline(__always)
    private func append(
        _ statement: SQLiteStatement, _ entityIndex: Int,
        _ fields: UnsafeBufferPointer<SelectedColumns.Field>, to builder: inout RowBatchBuilder
    ) throws(StoreError) {
        let row = builder.openRow(
            key: statement.integer(0), version: statement.integer(1), entityIndex: entityIndex)
        for field in fields {
            try decode(statement, Int32(truncatingIfNeeded: field.place), field, into: row, &builder)
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
        into row: OpenRow, _ builder: inout RowBatchBuilder
    ) throws(StoreError) {
        // What is neither 0 nor empty is not null, so that most values need one call of SQLite less.
        switch field.type {
        case .key, .bool, .integer, .date:
            let value = statement.integer(place)
            if value == 0, statement.isNull(place) { return }
            row.set(field.home, integer: value)
        case .double:
            let value = statement.double(place)
            if value == 0, statement.isNull(place) { return }
            row.set(field.home, double: value)
        case .text, .json:
            try take(try statement.textBytes(place), statement, place, field, into: row, &builder)
        case .data: try take(statement.bytes(place), statement, place, field, into: row, &builder)
        case .uuid:
            let bytes = statement.bytes(place)
            if bytes.isEmpty, statement.isNull(place) { return }
            row.set(field.home, uuid: try statement.uuid(bytes))
        case .decimal, .anyDecimal:
            if statement.isNull(place) { return }
            let number = try statement.decimal(place, field.type)
            try withUnsafeBytes(of: number) { (bytes) throws(StoreError) in
                try take(bytes, statement, place, field, into: row, &builder)
            }
        case .keys: break
        }
    }

    /// Takes in bytes, unless there is null; what there is no room for ends the fetch at once, as nothing comes of reading on.
    @inline(__always)
    private func take(
        _ bytes: UnsafeRawBufferPointer, _ statement: SQLiteStatement, _ place: Int32,
        _ field: SelectedColumns.Field, into row: OpenRow, _ builder: inout RowBatchBuilder
    ) throws(StoreError) {
        if bytes.isEmpty, statement.isNull(place) { return }
        guard let taken = builder.take(bytes) else { throw Self.tooMuch }
        row.set(field.home, taken: taken)
    }

    private static let tooMuch = StoreError(
        .unsupportedRequest, "A fetch answers more than 4 GiB of text and data.",
        remedy: "Fetch fewer objects at once, or leave large properties out.")
}
#endif
