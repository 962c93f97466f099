#if Postgres
import ContextCore
import Foundation
import SQLStore

/// Columns of packed rows as they cross, without making a Swift value of any of them: as arrays, an array a column, or as they are kept.
struct RowColumns {
    private struct Column {
        let column: Int
        let offset: Int
        let type: PostgresType
        /// What the table keeps.
        let kept: SQLType
    }

    private let entity: EntityMapping
    private let columns: [Column]

    /// Prepares for some columns of an entity's rows.
    init(_ entity: EntityMapping, columns: [Int]) {
        self.entity = entity
        self.columns = columns.map { column in
            Column(
                column: column, offset: entity.layout.fields.offsets[column],
                type: PostgresType(entity.columns[column].type), kept: entity.columns[column].type)
        }
    }

    /// How many rows cross at once: few enough that neither side holds much, many enough that round trips don't count.
    static let mostRows = 10_000
    /// How many bytes of text and data cross at once, unless a single row has more.
    static let mostBytes = 16 * 1024 * 1024

    /// Splits rows into ranges that each go to the server by one statement.
    ///
    /// The sizes of rows are only asked for where the batch as a whole is too large.
    func chunks(_ batch: RowBatch, mostBytes: Int = Self.mostBytes) -> [Range<Int>] {
        if batch.heapSize <= mostBytes { return Self.chunks(batch.count) }
        let large = columns.filter { [.text, .bytes, .json].contains($0.type) }.map(\.column)
        if large.isEmpty { return Self.chunks(batch.count) }
        var chunks: [Range<Int>] = []
        var (start, bytes) = (0, 0)
        for row in 0..<batch.count {
            let size = large.reduce(0) { $0 + batch.byteCount($1, at: row) }
            if row > start, bytes + size > mostBytes || row - start == Self.mostRows {
                chunks.append(start..<row)
                (start, bytes) = (row, 0)
            }
            bytes += size
        }
        if start < batch.count { chunks.append(start..<batch.count) }
        return chunks
    }

    /// Splits a number of rows or links, none of which is large.
    static func chunks(_ count: Int, of most: Int = Self.mostRows) -> [Range<Int>] {
        stride(from: 0, to: count, by: most).map { $0..<min($0 + most, count) }
    }

    /// The types of the arrays, in order.
    var types: [PostgresType] { columns.map(\.type) }

    /// Appends an array for each column.
    ///
    /// - Throws: `StoreError.Code.unsupportedRequest` for a moment that the server's calendar doesn't have.
    func append(
        _ batch: RowBatch, rows: Range<Int>, to parameters: inout PostgresParameters
    ) throws(StoreError) {
        for column in columns {
            if column.type == .moment { try checkMoments(column, batch, rows) }
            parameters.appendArray(column.type, count: rows.count) { array in
                for row in rows {
                    if batch.isNull(column.column, at: row) {
                        array.appendNull()
                    } else {
                        let field = UnsafeRawPointer(batch.row(row)) + column.offset
                        array.append { Self.write(batch, field, column.type, to: &$0) }
                    }
                }
            }
        }
    }

    /// Appends the values of one row.
    ///
    /// - Throws: `StoreError.Code.unsupportedRequest` for a moment that the server's calendar doesn't have.
    func append(_ batch: RowBatch, row: Int, to parameters: inout PostgresParameters) throws(StoreError) {
        for column in columns {
            if column.type == .moment { try checkMoments(column, batch, row..<row + 1) }
            if batch.isNull(column.column, at: row) {
                parameters.appendNull(column.type)
            } else {
                let field = UnsafeRawPointer(batch.row(row)) + column.offset
                parameters.append(column.type) { Self.write(batch, field, column.type, to: &$0) }
            }
        }
    }

    // MARK: As they are kept

    /// Whether the columns can keep all values of some rows: a narrow one doesn't every number, nor a server's calendar every moment.
    func canKeep(_ batch: RowBatch) -> Bool {
        columns.allSatisfy { column in
            switch column.kept {
            case .date: all(column, batch) { PostgresMoment.isKnown($0.load(as: Int64.self)) }
            case .integer(bits: 16): all(column, batch) { Int16(exactly: $0.load(as: Int64.self)) != nil }
            case .integer(bits: 32): all(column, batch) { Int32(exactly: $0.load(as: Int64.self)) != nil }
            case .double(bits: 32): all(column, batch) { Self.isFloat($0.load(as: Double.self)) }
            default: true
            }
        }
    }

    private func all(_ column: Column, _ batch: RowBatch, _ holds: (UnsafeRawPointer) -> Bool) -> Bool {
        (0..<batch.count).allSatisfy { row in
            batch.isNull(column.column, at: row) || holds(UnsafeRawPointer(batch.row(row)) + column.offset)
        }
    }

    /// Whether a number with a fraction is the same in 32 bits; there is more than one that is none.
    private static func isFloat(_ number: Double) -> Bool { number.isNaN || Double(Float(number)) == number }

    /// Appends the values of a row, each with its length before it.
    func append(_ batch: RowBatch, row: Int, to bytes: inout [UInt8]) {
        for column in columns {
            let place = bytes.count
            bytes.append(bigEndian: Int32(-1))
            if batch.isNull(column.column, at: row) { continue }
            let field = UnsafeRawPointer(batch.row(row)) + column.offset
            switch column.kept {
            case .integer(bits: 16):
                bytes.append(bigEndian: Int16(truncatingIfNeeded: field.load(as: Int64.self)))
            case .integer(bits: 32):
                bytes.append(bigEndian: Int32(truncatingIfNeeded: field.load(as: Int64.self)))
            case .double(bits: 32):
                bytes.append(bigEndian: Float(field.load(as: Double.self)).bitPattern)
            default: Self.write(batch, field, column.type, to: &bytes)
            }
            // No row is larger: that was checked.
            bytes.put(bigEndian: Int32(truncatingIfNeeded: bytes.count - place - 4), at: place)
        }
    }

    // MARK: As arrays

    private func checkMoments(_ column: Column, _ batch: RowBatch, _ rows: Range<Int>) throws(StoreError) {
        for row in rows where !batch.isNull(column.column, at: row) {
            let field = UnsafeRawPointer(batch.row(row)) + column.offset
            if PostgresMoment.isKnown(field.load(as: Int64.self)) { continue }
            throw .beforeCalendar("\(entity.layout.name).\(entity.layout.columns[column.column].name)")
        }
    }

    @inline(__always)
    private static func write(
        _ batch: RowBatch, _ field: UnsafeRawPointer, _ type: PostgresType, to bytes: inout [UInt8]
    ) {
        switch type {
        case .bool: bytes.append(field.load(as: Int64.self) == 0 ? 0 : 1)
        case .integer: bytes.append(bigEndian: field.load(as: Int64.self))
        case .double: bytes.append(bigEndian: field.load(as: UInt64.self))
        case .moment: bytes.append(bigEndian: PostgresMoment.sent(field.load(as: Int64.self)))
        case .uuid: bytes.append(contentsOf: UnsafeRawBufferPointer(start: field, count: 16))
        case .text, .bytes: bytes.append(contentsOf: batch.bytes(field))
        case .json:
            bytes.append(PostgresParameters.jsonVersion)
            bytes.append(contentsOf: batch.bytes(field))
        case .numeric: PostgresNumeric.write(batch.decimal(field), to: &bytes)
        }
    }
}
#endif
