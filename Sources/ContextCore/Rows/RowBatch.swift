import Foundation

/// An immutable batch of packed rows, whose values are decoded when a property is read.
///
/// Each row consists of key, version and entity, then a null bit per column, then a field per column. Numbers, dates and
/// references take 8 bytes, a UUID 16; strings, data and decimals are in the batch's heap, and the field holds their offset and
/// length. Rows of different entities of one inheritance tree can share a batch.
///
/// A batch never changes after it is built, so contexts share it.
// @unchecked: only the builder writes to the two buffers, and it passes ownership to the batch when it is finished.
public final class RowBatch: @unchecked Sendable {
    /// The number of rows.
    public let count: Int
    /// The columns that were fetched; nil for all.
    public let loadedColumns: Set<Int>?
    /// Whether all columns were fetched.
    let hasAllColumns: Bool
    let model: ObjectModel
    private let rows: PackedBuffer
    private let heap: PackedBuffer
    // The addresses of the two buffers, which the batch owns.
    private let rowsBase: UnsafeMutableRawPointer
    private let heapBase: UnsafeMutableRawPointer
    /// The offset of each row in units of ``startUnit``; empty if all rows have the same size.
    private let starts: [UInt32]
    /// The size of each row in bytes; 0 if ``starts`` is used.
    private let uniformSize: Int

    init(
        model: ObjectModel, count: Int, loadedColumns: Set<Int>?, rows: consuming PackedBuffer,
        heap: consuming PackedBuffer, starts: [UInt32], uniformSize: Int
    ) {
        self.model = model
        self.count = count
        self.loadedColumns = loadedColumns
        self.hasAllColumns = loadedColumns == nil
        self.rowsBase = rows.base
        self.heapBase = heap.base
        self.rows = rows
        self.heap = heap
        self.starts = starts
        self.uniformSize = starts.isEmpty ? uniformSize : 0
    }

    /// The version of a newly inserted row.
    ///
    /// SQLite encodes the integers 0 and 1 in the record header alone and 2 to 127 in one byte. Starting at 2 keeps the record's size
    /// at the first update, so SQLite can overwrite it in place.
    package static let firstVersion: Int64 = 2

    /// The alignment of rows in bytes.
    static let rowAlignment = 8

    /// The size of the heap in bytes: the strings, data and decimals of all rows.
    package var heapSize: Int { heap.size }

    /// Returns the address of a row.
    @inline(__always)
    package func row(_ index: Int) -> UnsafeMutableRawPointer {
        requirePrecondition(index >= 0 && index < count, "The index of a row is out of range.")
        return rowsBase + (uniformSize > 0 ? index &* uniformSize : Int(starts[index]) &* Self.rowAlignment)
    }
}

// MARK: - Reading a row

extension RowBatch {
    /// Returns the key of a row's object.
    public func key(at index: Int) -> Int64 { header(at: index).key }
    /// Returns the version of a row, which every save that changes the object increases.
    public func version(at index: Int) -> Int64 { header(at: index).version }
    /// Returns the index in the model of a row's entity.
    public func entityIndex(at index: Int) -> Int { header(at: index).entityIndex }

    @inline(__always)
    func header(at index: Int) -> PackedRowHeader { row(index).load(as: PackedRowHeader.self) }

    /// Whether a column of a row is null or deferred.
    public func isNull(_ column: Int, at index: Int) -> Bool {
        Self.isNull(row(index), column)
    }

    /// Decodes a value; a reference is returned as an integer, its key.
    ///
    /// Slower than reading the typed field.
    public func value(_ column: Int, at index: Int) -> StoredValue {
        let row = row(index)
        if Self.isNull(row, column) {
            assert(!isDeferred(column, at: index), "A deferred value was read as null.")
            return .null
        }
        // Unretained, because the model owns the layout.
        let layout = Unmanaged.passUnretained(model.layouts[entityIndex(at: index)])
        return layout.withUnretained { layout in
            let field = row + layout.fields.offsets[column]
            switch layout.columns[column].kind {
            case .reference: return .int(field.load(as: Int64.self))
            case .attribute(let type): return value(type, field)
            }
        }
    }

    private func value(_ type: AttributeType, _ field: UnsafeRawPointer) -> StoredValue {
        switch type {
        case .bool: .bool(field.load(as: Int64.self) != 0)
        case .int16, .int32, .int64: .int(field.load(as: Int64.self))
        case .float, .double: .double(field.load(as: Double.self))
        case .decimal: .decimal(decimal(field))
        case .string, .url, .codable: .string(string(field))
        case .data: .data(data(field))
        case .date: .timestamp(microseconds: field.load(as: Int64.self))
        case .uuid: .uuid(field.loadUnaligned(as: UUID.self))
        case .composite: programmingError("A column can't have a composite type.")
        }
    }

    @inline(__always)
    package static func isNull(_ row: UnsafeRawPointer, _ column: Int) -> Bool {
        let word = row.load(fromByteOffset: RowFields.headerSize + (column >> 6) &* 8, as: UInt64.self)
        return word & (1 &<< UInt64(column & 63)) != 0
    }

    /// Returns the heap bytes of a string, data or decimal field.
    @inline(__always)
    package func bytes(_ field: UnsafeRawPointer) -> UnsafeRawBufferPointer {
        let offset = Int(field.load(as: UInt32.self))
        let length = Int(field.load(fromByteOffset: 4, as: UInt32.self))
        return UnsafeRawBufferPointer(start: heapBase + offset, count: length)
    }

    @inline(__always)
    package func string(_ field: UnsafeRawPointer) -> String {
        String(decoding: bytes(field), as: UTF8.self)
    }

    /// Returns the size in bytes of a string or data in a column of a row; 0 for null.
    package func byteCount(_ column: Int, at index: Int) -> Int {
        let row = row(index)
        if Self.isNull(row, column) { return 0 }
        return bytes(row + model.layouts[entityIndex(at: index)].fields.offsets[column]).count
    }

    package func data(_ field: UnsafeRawPointer) -> Data { Data(bytes(field)) }

    package func decimal(_ field: UnsafeRawPointer) -> Decimal {
        bytes(field).loadUnaligned(as: Decimal.self)
    }
}

// MARK: - Reading a property

extension RowBatch {
    /// A batch without rows, of the empty model.
    static let none = empty(.empty)

    /// Returns a batch without rows.
    static func empty(_ model: ObjectModel) -> RowBatch {
        RowBatchBuilder(model: model, rowCapacity: 0, heapCapacity: 0).makeBatch()
    }

    /// Returns the key of the object that a to-one relationship references; nil for none.
    func reference(_ place: SlotLocation, at index: Int) -> Int64? {
        let row = row(index)
        return Self.isNull(row, place.column) ? nil : (row + place.offset).load(as: Int64.self)
    }

    /// Returns the value of an attribute; that of a composite has all its parts.
    package func storedValue(of property: PropertyLayout, at index: Int) -> StoredValue {
        guard property.relationship == nil, let column = property.columns.first else { return .null }
        if !property.isComposite { return value(column, at: index) }
        return property.value(ofColumns: property.columns.map { value($0, at: index) })
    }
}
