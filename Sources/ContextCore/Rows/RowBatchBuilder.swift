import Foundation

/// Builds a ``RowBatch`` row by row.
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
    /// The entity of the current row, and a cache for the next row, which usually has the same entity.
    private(set) var layout: EntityLayout?
    private var kind = RowKind()
    private var starts: [UInt32] = []
    private var uniformSize = 0
    /// Whether all rows so far have the same size, so that ``starts`` is not needed.
    private var isUniform = true
    /// The key of the last row, for tracking whether the rows are in the order of their keys.
    private var lastKey = Int64.min
    private var isInKeyOrder = true
    /// Whether the rows or their values exceed the size of a batch, so that `finish` throws.
    @usableFromInline var exceedsCapacity = false
    /// The number of rows, including the current one.
    public private(set) var count = 0

    /// The maximum heap size of a batch in bytes; tests lower it.
    @TaskLocal package static var heapLimit = Int(UInt32.max)

    /// Makes an empty builder.
    ///
    /// - Parameters:
    ///   - model: The model of the rows' entities.
    ///   - loadedColumns: The columns that the rows have; nil for all.
    ///   - rowCapacity: The initial capacity for rows in bytes.
    ///   - heapCapacity: The initial capacity for strings, data and decimals in bytes.
    public init(
        model: ObjectModel, loadedColumns: Set<Int>? = nil, rowCapacity: Int = 4096, heapCapacity: Int = 4096
    ) {
        self.init(
            model: model, loadedColumns: loadedColumns, rowCapacity: rowCapacity, heapCapacity: heapCapacity,
            heapLimit: Self.heapLimit)
    }

    /// Makes an empty builder with a lower limit for the heap.
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

    /// Appends a row whose columns are all null, and makes it the current row.
    public mutating func beginRow(key: Int64, version: Int64, entityIndex: Int) {
        _ = openRow(key: key, version: version, entityIndex: entityIndex)
    }

    /// Sets a column of the current row to a value, which must have the column's type.
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
        case .composite: programmingError("A column can't have a composite type.")
        }
    }

    /// Sets the columns of a property of the current row; a composite that is null has no parts.
    package mutating func set(_ property: PropertyLayout, to value: StoredValue) {
        if case .composite(let parts) = value {
            for (column, part) in zip(property.columns, parts) { set(column, to: part) }
        } else if property.columns.count == 1 {
            set(property.columns.lowerBound, to: value)
        } else {
            for column in property.columns { setNull(column) }
        }
    }

    /// Sets a column of the current row to null.
    public mutating func setNull(_ column: Int) {
        let word = RowFields.headerSize + (column >> 6) &* 8
        let bits = currentRow.load(fromByteOffset: word, as: UInt64.self)
        currentRow.storeBytes(of: bits | (1 &<< UInt64(column & 63)), toByteOffset: word, as: UInt64.self)
        if kind.hasExternalColumns { setDeferredVersion(0, of: column) }
    }

    /// The address of the current row.
    var currentRow: UnsafeMutableRawPointer { rows.base + current }

    /// Returns the batch, which takes over the builder's memory.
    ///
    /// - Throws: ``StoreError/Code/unsupportedRequest`` if the values exceed the size of a batch.
    public consuming func finish() throws(StoreError) -> RowBatch {
        try checkCapacity()
        return makeBatch()
    }

    /// Returns the batch without checking ``isOverfull``.
    consuming func makeBatch() -> RowBatch {
        RowBatch(
            model: model, count: count, loadedColumns: loadedColumns, rows: rows, heap: heap, starts: starts,
            uniformSize: uniformSize)
    }
}

// MARK: - Packing

extension RowBatchBuilder {
    /// Appends a row and returns it, so that the caller can write its fields.
    package mutating func openRow(key: Int64, version: Int64, entityIndex: Int) -> OpenRow {
        if kind.entityIndex != entityIndex { setEntity(model.layouts[entityIndex]) }
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
        for word in 1..<kind.nullWordCount {
            row.storeBytes(of: .max, toByteOffset: RowFields.headerSize &+ word &* 8, as: UInt64.self)
        }
        if kind.hasExternalColumns { clearDeferredVersions() }
        return OpenRow(memory: row)
    }

    /// Copies the bytes of a string, data or decimal to the heap.
    ///
    /// - Returns: The range in the heap; nil if it is full. Then `finish` throws.
    @inlinable
    @inline(__always)
    package mutating func appendToHeap(_ bytes: UnsafeRawBufferPointer) -> HeapRange? {
        guard bytes.count <= heapLimit - heap.size else {
            exceedsCapacity = true
            return nil
        }
        let start = heap.reserve(bytes.count)
        if let base = bytes.baseAddress { (heap.base + start).copyMemory(from: base, byteCount: bytes.count) }
        // The limit is at most UInt32.max.
        return HeapRange(
            offset: UInt32(truncatingIfNeeded: start), length: UInt32(truncatingIfNeeded: bytes.count))
    }

    mutating func set(_ column: Int, integer value: Int64) {
        OpenRow(memory: currentRow).set(location(of: column), integer: value)
    }

    mutating func set(_ column: Int, double value: Double) {
        OpenRow(memory: currentRow).set(location(of: column), double: value)
    }

    mutating func set(_ column: Int, uuid value: UUID) {
        OpenRow(memory: currentRow).set(location(of: column), uuid: value)
    }

    mutating func set(_ column: Int, bytes: UnsafeRawBufferPointer) {
        guard let heapRange = appendToHeap(bytes) else { return }
        OpenRow(memory: currentRow).set(location(of: column), heapRange: heapRange)
    }

    private func location(of column: Int) -> FieldLocation {
        // Appending the current row has set the layout.
        layout.unsafelyUnwrapped.fields.location(of: column)
    }
}

// MARK: - Rows of several entities

/// The properties of an entity's rows that appending a row needs.
private struct RowKind {
    // Initially that of no entity, so that an invalid index fails in the lookup.
    var entityIndex = Int.min
    var rowSize = 0
    var nullWordCount = 1
    var hasExternalColumns = false
}

extension RowBatchBuilder {
    /// Prepares for rows of an entity, and makes the table of starts if its row size differs from that of earlier rows.
    @inline(never)
    private mutating func setEntity(_ layout: EntityLayout) {
        let fields = layout.fields
        self.layout = layout
        kind = RowKind(
            entityIndex: layout.index, rowSize: fields.rowSize, nullWordCount: fields.nullWordCount,
            hasExternalColumns: !fields.externalColumns.isEmpty)
        if count == 0 {
            uniformSize = fields.rowSize
        } else if isUniform, fields.rowSize != uniformSize {
            makeStarts()
        }
    }

    /// Sorts the rows by key; usually they are sorted already.
    package mutating func sortByKey() {
        if isInKeyOrder { return }
        if isUniform { makeStarts() }
        if exceedsCapacity { return }
        // Sorts the table of starts; the rows stay in place.
        let base = rows.base
        starts.sort { Self.key(base, $0) < Self.key(base, $1) }
    }

    private static func key(_ base: UnsafeMutableRawPointer, _ start: UInt32) -> Int64 {
        (base + Int(start) &* RowBatch.rowAlignment).load(as: PackedRowHeader.self).key
    }

    private mutating func makeStarts() {
        starts = (0..<count).map { start(at: $0 * uniformSize) }
        isUniform = false
    }

    private mutating func start(at place: Int) -> UInt32 {
        let start = place / RowBatch.rowAlignment
        if start > UInt32.max { exceedsCapacity = true }
        return UInt32(truncatingIfNeeded: start)
    }

    /// Returns the address of a row.
    ///
    /// The builder must not be overfull.
    func row(_ index: Int) -> UnsafeMutableRawPointer {
        requirePrecondition(index >= 0 && index < count, "The index of a row is out of range.")
        return rows.base + (isUniform ? index &* uniformSize : Int(starts[index]) &* RowBatch.rowAlignment)
    }

    /// Returns a batch with the rows at the given indices, in that order.
    consuming func makeBatch(inOrder order: [Int]) -> RowBatch {
        reorderRows(order)
        return makeBatch()
    }

    private mutating func reorderRows(_ order: [Int]) {
        if isUniform {
            // Copies the rows in order, so that iterating over them accesses memory sequentially.
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

    /// Throws if the rows or their values exceed the size of a batch.
    func checkCapacity() throws(StoreError) {
        if exceedsCapacity { throw Self.capacityError }
    }

    private static let capacityError = StoreError(
        .unsupportedRequest, "A fetch or save exceeds 4 GiB of strings and data.",
        remedy: "Fetch or save fewer objects at a time, or exclude large properties from the fetch.")
}
