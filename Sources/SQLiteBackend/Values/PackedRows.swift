#if SQLite
import ContextCore
import Foundation
import SQLStore

/// The rows of an answer while they are packed.
struct PackedRows: ~Copyable {
    /// Where each row stands in an ordered relationship, as a further column says; nil where there is none.
    private var positions: [Int64]?
    private let positionPlace: Int32
    private var builder: RowBatchBuilder
    private var shapes: [SelectedColumns.Shape] = []
    // Of the one shape that there is, as long as rows are expected: nothing is looked up or counted for each of them.
    private var fields: UnsafeBufferPointer<SelectedColumns.Field>?
    private var entityIndex = 0
    /// The statement that answers them, for errors.
    private let statement: SQLiteStatement

    init(
        _ statement: SQLiteStatement, _ builder: consuming RowBatchBuilder, positionPlace: Int? = nil
    ) {
        self.statement = statement
        self.builder = builder
        self.positionPlace = Int32(positionPlace ?? 0)
        positions = positionPlace == nil ? nil : []
    }

    /// How many there are.
    var count: Int { builder.count }

    /// Lets rows of a selection be appended until a function returns.
    mutating func expecting(
        _ selection: SelectedColumns, _ answer: (inout PackedRows) throws(StoreError) -> Void
    ) throws(StoreError) {
        shapes = selection.shapes
        // An abstract entity without subentities has no rows, whatever another program has put into its table.
        if shapes.isEmpty { return }
        guard !selection.hasEntityColumn, let shape = shapes.first else { return try answer(&self) }
        entityIndex = shape.entityIndex
        try shape.fields.withUnsafeBufferPointer { fields throws(StoreError) in
            self.fields = fields
            defer { self.fields = nil }
            try answer(&self)
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
        positions?.append(row.value(positionPlace).integer)
    }

    /// The batch of them all.
    ///
    /// - Parameter sortsByKey: Whether they are put in the order of their keys; not so where they have positions.
    consuming func finish(sortsByKey: Bool = false) throws(StoreError) -> RowBatch {
        requirePrecondition(!sortsByKey || positions == nil, "Positions would be those of other rows.")
        if sortsByKey { builder.sortByKey() }
        return try builder.finish()
    }

    /// What they say of a one-to-many relationship.
    ///
    /// - Parameter slot: The slot that refers to the owner.
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
            .corrupt, "A row is of an entity that the model doesn't have.",
            remedy: "Open the store with the model that it was made with.",
            detail: "The entity's number is \(number).")
    }

    // A field is asked for one thing after the other: as a copy it would go to the stack, and come back after each call of SQLite's.
    @inline(__always)
    private mutating func decode(
        _ row: some SQLiteRow, _ fields: UnsafeBufferPointer<SelectedColumns.Field>, _ index: Int,
        into open: OpenRow
    ) throws(StoreError) {
        let value = row.value(Int32(truncatingIfNeeded: fields[index].place))
        // What is neither 0 nor empty is not null, so that most values need one call of SQLite less.
        switch fields[index].kind {
        case .key, .bool, .integer, .date:
            let number = value.integer
            if number == 0, value.isNull { return }
            open.set(fields[index].home, integer: number)
        case .double:
            let number = value.double
            if number == 0, value.isNull { return }
            open.set(fields[index].home, double: number)
        case .text, .json:
            let bytes = try statement.textBytes(value)
            if bytes.isEmpty, value.isNull { return }
            open.set(fields[index].home, taken: try take(bytes))
        case .data:
            let bytes = value.bytes
            if bytes.isEmpty, value.isNull { return }
            open.set(fields[index].home, taken: try take(bytes))
        case .uuid:
            let bytes = value.bytes
            if bytes.isEmpty, value.isNull { return }
            open.set(fields[index].home, uuid: try statement.uuid(bytes))
        case .decimal:
            if value.isNull { return }
            let number = try statement.decimal(value, fields[index].type)
            let taken = try withUnsafeBytes(of: number) { (bytes) throws(StoreError) in try take(bytes) }
            open.set(fields[index].home, taken: taken)
        case .stamp:
            if value.isNull { return }
            guard value.integer > 0 else { throw .invalidStamp }
            open.set(fields[index].home, stamp: value.integer)
        case .keys: break
        }
    }

    /// Takes in bytes; what there is no room for ends the fetch at once, as nothing comes of reading on.
    @inline(__always)
    private mutating func take(_ bytes: UnsafeRawBufferPointer) throws(StoreError) -> TakenBytes {
        guard let taken = builder.take(bytes) else { throw Self.tooMuch }
        return taken
    }

    private static let tooMuch = StoreError(
        .unsupportedRequest, "A fetch answers more than 4 GiB of text and data.",
        remedy: "Fetch fewer objects at once, or leave large properties out.")
}
#endif
