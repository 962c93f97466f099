import Foundation

/// Builds a ``RowBatch``, row after row.
///
/// ```swift
/// var builder = RowBatchBuilder(model: model)
/// builder.beginRow(key: 1, version: 1, entityIndex: layout.index)
/// builder.set(0, to: .string("Go"))
/// let batch = try builder.finish()
/// ```
public struct RowBatchBuilder: ~Copyable {
    let model: ObjectModel
    private let loadedColumns: Set<Int>?
    private var rows: PackedBuffer
    @usableFromInline var heap: PackedBuffer
    @usableFromInline let heapLimit: Int
    private var current = 0
    /// The entity that the current row is of, and most likely the next one too.
    private(set) var layout: EntityLayout?
    private var kind = RowKind()
    private var starts: [UInt32] = []
    private var uniformSize = 0
    /// Whether all rows so far are of one size, so that there is no table of starts.
    private var isUniform = true
    /// The key of the last row, and whether no row so far has a lower one than a row before it.
    private var lastKey = Int64.min
    private var isInKeyOrder = true
    /// Whether something was left out for want of room.
    @usableFromInline var isOverfull = false
    /// How many rows have been begun.
    public private(set) var count = 0

    /// How many bytes of text and data a batch can hold; a test may take less.
    @TaskLocal package static var heapLimit = Int(UInt32.max)

    /// Makes an empty builder; the capacities, in bytes, save growing.
    public init(
        model: ObjectModel, loadedColumns: Set<Int>? = nil, rowCapacity: Int = 4096, heapCapacity: Int = 4096
    ) {
        self.init(
            model: model, loadedColumns: loadedColumns, rowCapacity: rowCapacity, heapCapacity: heapCapacity,
            heapLimit: Self.heapLimit)
    }

    /// Makes an empty builder that says earlier that it has no room.
    package init(
        model: ObjectModel, loadedColumns: Set<Int>? = nil, rowCapacity: Int, heapCapacity: Int,
        heapLimit: Int
    ) {
        self.heapLimit = heapLimit
        self.model = model
        self.loadedColumns = loadedColumns
        rows = PackedBuffer(capacity: rowCapacity)
        heap = PackedBuffer(capacity: heapCapacity)
    }

    /// Begins the next row, in which every column is null.
    public mutating func beginRow(key: Int64, version: Int64, entityIndex: Int) {
        _ = openRow(key: key, version: version, entityIndex: entityIndex)
    }

    /// Gives a column of the current row a value, which must be of the column's type.
    public mutating func set(_ column: Int, to value: StoredValue) {
        switch value {
        case .null: setNull(column)
        case .bool(let value): set(column, integer: value ? 1 : 0)
        case .int(let value), .timestamp(let value): set(column, integer: value)
        case .double(let value): set(column, double: value)
        case .decimal(let value): withUnsafeBytes(of: value) { set(column, bytes: $0) }
        case .string(let value): value.withBytes { set(column, bytes: $0) }
        case .data(let value): value.withUnsafeBytes { set(column, bytes: $0) }
        case .uuid(let value): set(column, uuid: value)
        case .composite: programmingError("A composite attribute has no column of its own.")
        }
    }

    /// Takes the value of a column of the current row away again.
    public mutating func setNull(_ column: Int) {
        let word = RowFields.headerSize + (column >> 6) &* 8
        let bits = currentRow.load(fromByteOffset: word, as: UInt64.self)
        currentRow.storeBytes(of: bits | (1 &<< UInt64(column & 63)), toByteOffset: word, as: UInt64.self)
        if kind.hasExternalColumns { setStamp(0, of: column) }
    }

    /// The memory of the current row.
    var currentRow: UnsafeMutableRawPointer { rows.base + current }

    /// Gives up the memory to a batch.
    ///
    /// - Throws: ``StoreError/Code/unsupportedRequest`` if the values were more than a batch can hold.
    public consuming func finish() throws(StoreError) -> RowBatch {
        try checkRoom()
        return batch()
    }

    /// Gives up the memory to a batch, of a builder that has left nothing out.
    consuming func batch() -> RowBatch {
        RowBatch(
            model: model, count: count, loadedColumns: loadedColumns, rows: rows, heap: heap, starts: starts,
            uniformSize: uniformSize)
    }
}

// MARK: - Packing

extension RowBatchBuilder {
    /// Begins the next row, whose fields the caller writes.
    package mutating func openRow(key: Int64, version: Int64, entityIndex: Int) -> OpenRow {
        if kind.entityIndex != entityIndex { beginKind(model.layouts[entityIndex]) }
        if !isUniform { starts.append(start(at: rows.size)) }
        current = rows.reserve(kind.rowSize)
        count &+= 1
        if key < lastKey { isInKeyOrder = false }
        lastKey = key
        let row = rows.base + current
        let header = PackedRowHeader(key: key, version: version, entityIndex: entityIndex)
        row.storeBytes(of: header, as: PackedRowHeader.self)
        row.storeBytes(of: .max, toByteOffset: RowFields.headerSize, as: UInt64.self)
        // Few entities have more than 64 columns.
        for word in 1..<kind.nullWords {
            row.storeBytes(of: .max, toByteOffset: RowFields.headerSize &+ word &* 8, as: UInt64.self)
        }
        if kind.hasExternalColumns { clearStamps() }
        return OpenRow(memory: row)
    }

    /// Takes in the bytes of a text, data or decimal of the current row.
    ///
    /// Nil where there is no room for them: then they are left out, and no batch comes of it.
    @inlinable
    @inline(__always)
    package mutating func take(_ bytes: UnsafeRawBufferPointer) -> TakenBytes? {
        guard bytes.count <= heapLimit - heap.size else {
            isOverfull = true
            return nil
        }
        let start = heap.reserve(bytes.count)
        if let base = bytes.baseAddress { (heap.base + start).copyMemory(from: base, byteCount: bytes.count) }
        // There was room for them below the limit.
        return TakenBytes(
            offset: UInt32(truncatingIfNeeded: start), length: UInt32(truncatingIfNeeded: bytes.count))
    }

    mutating func set(_ column: Int, integer value: Int64) {
        OpenRow(memory: currentRow).set(place(of: column), integer: value)
    }

    mutating func set(_ column: Int, double value: Double) {
        OpenRow(memory: currentRow).set(place(of: column), double: value)
    }

    mutating func set(_ column: Int, uuid value: UUID) {
        OpenRow(memory: currentRow).set(place(of: column), uuid: value)
    }

    mutating func set(_ column: Int, bytes: UnsafeRawBufferPointer) {
        guard let taken = take(bytes) else { return }
        OpenRow(memory: currentRow).set(place(of: column), taken: taken)
    }

    private func place(of column: Int) -> FieldPlace {
        // There is a current row, and beginning one sets the layout.
        layout.unsafelyUnwrapped.fields.place(of: column)
    }
}

// MARK: - Rows of several kinds

/// What all rows of an entity have in common.
private struct RowKind {
    // At first that of no entity, so that a wrong one is looked for, and found missing.
    var entityIndex = Int.min
    var rowSize = 0
    var nullWords = 1
    var hasExternalColumns = false
}

extension RowBatchBuilder {
    /// Prepares for rows of an entity: those of one size need no table of starts, the first of another size makes one.
    @inline(never)
    private mutating func beginKind(_ layout: EntityLayout) {
        let fields = layout.fields
        self.layout = layout
        kind = RowKind(
            entityIndex: layout.index, rowSize: fields.rowSize, nullWords: fields.nullWords,
            hasExternalColumns: !fields.externalColumns.isEmpty)
        if count == 0 {
            uniformSize = fields.rowSize
        } else if isUniform, fields.rowSize != uniformSize {
            beginTable()
        }
    }

    /// Puts the rows in the order of their keys, as they mostly are already; keys are what their rows had when they were begun.
    package mutating func sortByKey() {
        if isInKeyOrder { return }
        if isUniform { beginTable() }
        if isOverfull { return }
        // Rows stay where they are; they are found by the table.
        let base = rows.base
        starts.sort { Self.key(base, $0) < Self.key(base, $1) }
    }

    private static func key(_ base: UnsafeMutableRawPointer, _ start: UInt32) -> Int64 {
        (base + Int(start) &* RowBatch.startUnit).load(as: PackedRowHeader.self).key
    }

    private mutating func beginTable() {
        starts = (0..<count).map { start(at: $0 * uniformSize) }
        isUniform = false
    }

    private mutating func start(at place: Int) -> UInt32 {
        let start = place / RowBatch.startUnit
        if start > UInt32.max { isOverfull = true }
        return UInt32(truncatingIfNeeded: start)
    }

    /// The memory of one of the rows, while there is room for all.
    func row(_ index: Int) -> UnsafeMutableRawPointer {
        requirePrecondition(index >= 0 && index < count, "A row outside its batch was asked for.")
        return rows.base + (isUniform ? index &* uniformSize : Int(starts[index]) &* RowBatch.startUnit)
    }

    /// Gives up the memory to a batch of the rows in another order; those that it doesn't name are left out.
    consuming func batch(inOrder order: [Int]) -> RowBatch {
        arrange(order)
        return batch()
    }

    private mutating func arrange(_ order: [Int]) {
        if isUniform {
            // Whoever goes through them then goes through memory.
            var arranged = PackedBuffer(capacity: order.count &* uniformSize)
            for index in order {
                let place = arranged.reserve(uniformSize)
                (arranged.base + place).copyMemory(from: row(index), byteCount: uniformSize)
            }
            rows = arranged
        } else {
            starts = order.map { starts[$0] }
        }
        count = order.count
    }

    /// Throws where something was left out.
    func checkRoom() throws(StoreError) {
        if isOverfull { throw Self.overfull }
    }

    private static let overfull = StoreError(
        .unsupportedRequest, "More than 4 GiB of text and data are saved or fetched at once.",
        remedy: "Save or fetch fewer objects at a time, or leave large properties out of the fetch.")
}
