import Foundation

/// Many rows in two pieces of memory, decoded when a property is read.
///
/// Each row is packed: key, version and entity, then one bit a column that says whether it is null, then a field a column.
/// Numbers, moments and references lie in 8 bytes, a UUID in 16; text, bytes and decimals lie in the heap, and the field holds
/// their offset and length. Rows of different entities of one inheritance tree may share a batch.
///
/// A batch never changes once it is built, so objects of several contexts may share it.
// @unchecked: the two buffers are written by the builder alone, which gives them away when it is done.
public final class RowBatch: @unchecked Sendable {
    /// How many rows there are.
    public let count: Int
    /// The columns that were fetched, or nil for all of them.
    public let loadedColumns: Set<Int>?
    /// Whether all columns were fetched.
    let isWhole: Bool
    let model: ObjectModel
    private let rows: PackedBuffer
    private let heap: PackedBuffer
    // Where the two buffers above begin, which the batch keeps.
    private let rowsBase: UnsafeMutableRawPointer
    private let heapBase: UnsafeMutableRawPointer
    /// Where each row begins, in units of ``startUnit``; empty where rows of one size follow each other.
    private let starts: [UInt32]
    /// The size of each row; 0 where there is a table of starts.
    private let uniformSize: Int

    init(
        model: ObjectModel, count: Int, loadedColumns: Set<Int>?, rows: consuming PackedBuffer,
        heap: consuming PackedBuffer, starts: [UInt32], uniformSize: Int
    ) {
        self.model = model
        self.count = count
        self.loadedColumns = loadedColumns
        self.isWhole = loadedColumns == nil
        self.rowsBase = rows.base
        self.heapBase = heap.base
        self.rows = rows
        self.heap = heap
        self.starts = starts
        self.uniformSize = starts.isEmpty ? uniformSize : 0
    }

    /// The version of a row that is new in a store.
    ///
    /// SQLite keeps 0 and 1 without a byte of their own, and 2 to 127 in one: so a row is no longer after its first change, and is written
    /// over where it is, where 1 would have it moved.
    package static let firstVersion: Int64 = 2

    /// All rows begin at multiples of so many bytes.
    static let startUnit = 8

    /// How many bytes the texts, data and decimals of all rows take.
    package var heapSize: Int { heap.size }

    /// The start of a row.
    ///
    /// Rows of one size are found by multiplication, others by a table.
    @inline(__always)
    package func row(_ index: Int) -> UnsafeMutableRawPointer {
        requirePrecondition(index >= 0 && index < count, "A row outside its batch was asked for.")
        return rowsBase + (uniformSize > 0 ? index &* uniformSize : Int(starts[index]) &* Self.startUnit)
    }
}

// MARK: - Reading a row

extension RowBatch {
    /// The key of a row's object.
    public func key(at index: Int) -> Int64 { header(at: index).key }
    /// The version of a row: it grows with every save that changes the object.
    public func version(at index: Int) -> Int64 { header(at: index).version }
    /// The position in the model of a row's entity.
    public func entityIndex(at index: Int) -> Int { header(at: index).entityIndex }

    @inline(__always)
    func header(at index: Int) -> PackedRowHeader { row(index).load(as: PackedRowHeader.self) }

    /// Whether a column of a row holds no value, or one that lies outside of the row and was not fetched with it.
    public func isNull(_ column: Int, at index: Int) -> Bool {
        Self.isNull(row(index), column)
    }

    /// Decodes one value.
    ///
    /// Convenient rather than quick; a reference comes as an integer.
    public func value(_ column: Int, at index: Int) -> StoredValue {
        let row = row(index)
        if Self.isNull(row, column) {
            assert(!isDeferred(column, at: index), "A value that was not fetched is taken for null.")
            return .null
        }
        // Unretained: the model keeps it.
        let layout = Unmanaged.passUnretained(model.layouts[entityIndex(at: index)])
        return layout.withUncounted { layout in
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
        case .composite: programmingError("A composite attribute has no column of its own.")
        }
    }

    @inline(__always)
    package static func isNull(_ row: UnsafeRawPointer, _ column: Int) -> Bool {
        let word = row.load(fromByteOffset: RowFields.headerSize + (column >> 6) &* 8, as: UInt64.self)
        return word & (1 &<< UInt64(column & 63)) != 0
    }

    /// The bytes that a text, data or decimal field points at.
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

    /// How many bytes the text or data in a column of a row takes.
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
    /// No rows, of no model.
    static let none = empty(.empty)

    /// A batch without rows.
    static func empty(_ model: ObjectModel) -> RowBatch {
        RowBatchBuilder(model: model, rowCapacity: 0, heapCapacity: 0).batch()
    }

    /// The key that a to-one relationship leads to.
    func reference(_ place: SlotPlace, at index: Int) -> Int64? {
        let row = row(index)
        return Self.isNull(row, place.column) ? nil : (row + place.offset).load(as: Int64.self)
    }

    /// The value of an attribute, whole where it is a composite.
    package func storedValue(of property: PropertyLayout, at index: Int) -> StoredValue {
        guard property.relationship == nil, let column = property.columns.first else { return .null }
        if !property.isComposite { return value(column, at: index) }
        let parts = property.columns.map { value($0, at: index) }
        return parts.allSatisfy(\.isNull) ? .null : .composite(parts)
    }
}
