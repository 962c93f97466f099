#if SQLite
import ContextCore
import Foundation
import SQLStore

/// The result rows of a statement while they are packed.
struct PackedRows: ~Copyable {
    /// The position of each row in an ordered relationship, from an additional column, or nil if there is none.
    private var positions: [Int64]?
    private let positionIndex: Int32
    private var builder: RowBatchBuilder
    private var shapes: [SelectedColumns.Shape] = []
    // The fields of the only shape, while rows are appended: it avoids a lookup and reference counting per row.
    private var fields: UnsafeBufferPointer<SelectedColumns.Field>?
    private var entityIndex = 0
    /// The statement that returns the rows, for errors.
    private let statement: SQLiteStatement

    init(
        _ statement: SQLiteStatement, _ builder: consuming RowBatchBuilder, positionIndex: Int? = nil
    ) {
        self.statement = statement
        self.builder = builder
        self.positionIndex = Int32(positionIndex ?? 0)
        positions = positionIndex == nil ? nil : []
    }

    /// The number of rows.
    var count: Int { builder.count }

    /// Allows appending rows of a selection while a function runs.
    mutating func withSelection(
        _ selection: SelectedColumns, _ body: (inout PackedRows) throws(StoreError) -> Void
    ) throws(StoreError) {
        shapes = selection.shapes
        // An abstract entity without subentities has no rows, even if another program has inserted some.
        if shapes.isEmpty { return }
        guard !selection.hasEntityColumn, let shape = shapes.first else { return try body(&self) }
        entityIndex = shape.entityIndex
        try shape.fields.withUnsafeBufferPointer { fields throws(StoreError) in
            self.fields = fields
            defer { self.fields = nil }
            try body(&self)
        }
    }

    /// Appends a row.
    @inline(__always)
    mutating func append(_ row: some SQLiteRow) throws(StoreError) {
        if let fields {
            try append(row, entityIndex, fields)
        } else {
            let shape = try shape(row.value(2).integer)
            try shape.fields.withUnsafeBufferPointer { fields throws(StoreError) in
                try append(row, shape.entityIndex, fields)
            }
        }
        positions?.append(row.value(positionIndex).integer)
    }

    /// Returns the rows as a batch.
    ///
    /// - Parameter sortsByKey: Whether to sort the rows by their keys; not allowed for rows with positions.
    consuming func finish(sortsByKey: Bool = false) throws(StoreError) -> RowBatch {
        requirePrecondition(!sortsByKey || positions == nil, "Rows with positions can't be sorted by key.")
        if sortsByKey { builder.sortByKey() }
        return try builder.finish()
    }

    /// Returns the rows as members of a one-to-many relationship.
    ///
    /// - Parameter slot: The slot of the reference to the owner.
    consuming func finish(linkedThrough slot: Int, of owners: [Int64]) throws(StoreError) -> RelatedRows {
        try RelatedRows(found: builder, through: slot, positions: positions, of: owners)
    }

    @inline(__always)
    private mutating func append(
        _ row: some SQLiteRow, _ entityIndex: Int, _ fields: UnsafeBufferPointer<SelectedColumns.Field>
    ) throws(StoreError) {
        let open = builder.openRow(
            key: row.value(0).integer, version: row.value(1).integer, entityIndex: entityIndex)
        for field in fields.indices { try decode(row, fields, field, into: open) }
    }

    private func shape(_ number: Int64) throws(StoreError) -> SelectedColumns.Shape {
        for shape in shapes where Int64(shape.number) == number { return shape }
        throw StoreError(
            .corrupt, "A row belongs to an entity that the model doesn't have.",
            remedy: "Open the store with the model that it was created with.",
            detail: "The entity's number is \(number).")
    }

    // The field is accessed through its index: a copy would be spilled to the stack and reloaded after each call of SQLite.
    @inline(__always)
    private mutating func decode(
        _ row: some SQLiteRow, _ fields: UnsafeBufferPointer<SelectedColumns.Field>, _ index: Int,
        into open: OpenRow
    ) throws(StoreError) {
        let value = row.value(Int32(truncatingIfNeeded: fields[index].resultIndex))
        // A value that is neither 0 nor empty is not null, which saves most values a call of SQLite.
        switch fields[index].kind {
        case .key, .bool, .integer, .date:
            let number = value.integer
            if number == 0, value.isNull { return }
            open.set(fields[index].location, integer: number)
        case .double:
            let number = value.double
            if number == 0, value.isNull { return }
            open.set(fields[index].location, double: number)
        case .text, .json:
            let bytes = try statement.textBytes(value)
            if bytes.isEmpty, value.isNull { return }
            open.set(fields[index].location, heapRange: try appendBytes(bytes))
        case .data:
            let bytes = value.bytes
            if bytes.isEmpty, value.isNull { return }
            open.set(fields[index].location, heapRange: try appendBytes(bytes))
        case .uuid:
            let bytes = value.bytes
            if bytes.isEmpty, value.isNull { return }
            open.set(fields[index].location, uuid: try statement.uuid(bytes))
        case .decimal:
            if value.isNull { return }
            let number = try statement.decimal(value, fields[index].type)
            let heapRange = try withUnsafeBytes(of: number) { (bytes) throws(StoreError) in
                try appendBytes(bytes)
            }
            open.set(fields[index].location, heapRange: heapRange)
        case .stamp:
            if value.isNull { return }
            guard value.integer > 0 else { throw .invalidStamp }
            open.set(fields[index].location, stamp: value.integer)
        case .keys: break
        }
    }

    /// Appends bytes to the batch's heap; throws if there is no room, which ends the fetch.
    @inline(__always)
    private mutating func appendBytes(_ bytes: UnsafeRawBufferPointer) throws(StoreError) -> HeapRange {
        guard let heapRange = builder.appendToHeap(bytes) else { throw Self.resultTooLargeError }
        return heapRange
    }

    private static let resultTooLargeError = StoreError(
        .unsupportedRequest, "A fetch has more than 4 GiB of text and data in its result.",
        remedy: "Fetch fewer objects at once, or fetch only the properties that you need.")
}
#endif
