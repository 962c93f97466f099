#if Postgres
import ContextCore
import Foundation
import SQLStore

/// The encoder of columns of packed rows for the server, without a Swift value per field: as an array per column, or in `COPY` format.
struct RowColumns {
    private struct Column {
        let column: Int
        let offset: Int
        let type: PostgresType
        /// The type of the table's column.
        let columnType: SQLType
    }

    private let entity: EntityMapping
    private let columns: [Column]

    /// Creates an encoder of the given columns of an entity.
    init(_ entity: EntityMapping, columns: [Int]) {
        self.entity = entity
        self.columns = columns.map { column in
            Column(
                column: column, offset: entity.layout.fields.offsets[column],
                type: PostgresType(entity.columns[column].type), columnType: entity.columns[column].type)
        }
    }

    /// The largest number of rows per statement, which limits memory on both sides at a negligible number of round trips.
    static let maximumRows = 10_000
    /// The largest number of bytes of text and data per statement, unless a single row has more.
    static let maximumBytes = 16 * 1024 * 1024

    /// Splits rows into ranges, each of which one statement sends to the server.
    ///
    /// It measures rows only if the batch as a whole is too large.
    func chunks(_ batch: RowBatch, maximumBytes: Int = Self.maximumBytes) -> [Range<Int>] {
        if batch.heapSize <= maximumBytes { return Self.chunks(batch.count) }
        let large = columns.filter { [.text, .bytes, .json].contains($0.type) }.map(\.column)
        if large.isEmpty { return Self.chunks(batch.count) }
        var chunks: [Range<Int>] = []
        var (start, bytes) = (0, 0)
        for row in 0..<batch.count {
            let size = large.reduce(0) { $0 + batch.byteCount($1, at: row) }
            if row > start, bytes + size > maximumBytes || row - start == Self.maximumRows {
                chunks.append(start..<row)
                (start, bytes) = (row, 0)
            }
            bytes += size
        }
        if start < batch.count { chunks.append(start..<batch.count) }
        return chunks
    }

    /// Splits a number of rows or links into ranges of limited length, without regard to their sizes in bytes.
    static func chunks(_ count: Int, of size: Int = Self.maximumRows) -> [Range<Int>] {
        stride(from: 0, to: count, by: size).map { $0..<min($0 + size, count) }
    }

    /// The types of the arrays, in order.
    var types: [PostgresType] { columns.map(\.type) }

    /// Appends an array parameter for each column.
    ///
    /// - Throws: `StoreError.Code.unsupportedRequest` for a date that the server can't store.
    func append(
        _ batch: RowBatch, rows: Range<Int>, to parameters: inout PostgresParameters
    ) throws(StoreError) {
        for column in columns {
            if column.type == .timestamp { try checkTimestamps(column, batch, rows) }
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

    /// Appends a parameter for each value of one row.
    ///
    /// - Throws: `StoreError.Code.unsupportedRequest` for a date that the server can't store.
    func append(_ batch: RowBatch, row: Int, to parameters: inout PostgresParameters) throws(StoreError) {
        for column in columns {
            if column.type == .timestamp { try checkTimestamps(column, batch, row..<row + 1) }
            if batch.isNull(column.column, at: row) {
                parameters.appendNull(column.type)
            } else {
                let field = UnsafeRawPointer(batch.row(row)) + column.offset
                parameters.append(column.type) { Self.write(batch, field, column.type, to: &$0) }
            }
        }
    }

    // MARK: COPY format

    /// Returns whether all values fit into the columns' types: narrow numbers and the server's range of timestamps.
    func fitsColumnTypes(_ batch: RowBatch) -> Bool {
        columns.allSatisfy { column in
            switch column.columnType {
            case .date: all(column, batch) { PostgresTimestamp.isRepresentable($0.load(as: Int64.self)) }
            case .integer(bits: 16): all(column, batch) { Int16(exactly: $0.load(as: Int64.self)) != nil }
            case .integer(bits: 32): all(column, batch) { Int32(exactly: $0.load(as: Int64.self)) != nil }
            case .double(bits: 32): all(column, batch) { Self.isExactFloat($0.load(as: Double.self)) }
            default: true
            }
        }
    }

    private func all(_ column: Column, _ batch: RowBatch, _ isSatisfied: (UnsafeRawPointer) -> Bool) -> Bool {
        (0..<batch.count).allSatisfy { row in
            batch.isNull(column.column, at: row)
                || isSatisfied(UnsafeRawPointer(batch.row(row)) + column.offset)
        }
    }

    /// Returns whether a number is exact in 32 bits; NaN always counts as exact.
    private static func isExactFloat(_ number: Double) -> Bool {
        number.isNaN || Double(Float(number)) == number
    }

    /// Appends the values of a row in `COPY` format, each preceded by its length.
    func append(_ batch: RowBatch, row: Int, to bytes: inout [UInt8]) {
        for column in columns {
            let place = bytes.count
            bytes.append(bigEndian: Int32(-1))
            if batch.isNull(column.column, at: row) { continue }
            let field = UnsafeRawPointer(batch.row(row)) + column.offset
            switch column.columnType {
            case .integer(bits: 16):
                bytes.append(bigEndian: Int16(truncatingIfNeeded: field.load(as: Int64.self)))
            case .integer(bits: 32):
                bytes.append(bigEndian: Int32(truncatingIfNeeded: field.load(as: Int64.self)))
            case .double(bits: 32):
                bytes.append(bigEndian: Float(field.load(as: Double.self)).bitPattern)
            default: Self.write(batch, field, column.type, to: &bytes)
            }
            // The size of rows was checked before.
            bytes.replaceBytes(withBigEndian: Int32(truncatingIfNeeded: bytes.count - place - 4), at: place)
        }
    }

    // MARK: Arrays

    private func checkTimestamps(_ column: Column, _ batch: RowBatch, _ rows: Range<Int>) throws(StoreError) {
        for row in rows where !batch.isNull(column.column, at: row) {
            let field = UnsafeRawPointer(batch.row(row)) + column.offset
            if PostgresTimestamp.isRepresentable(field.load(as: Int64.self)) { continue }
            throw .dateTooEarlyError("\(entity.layout.name).\(entity.layout.columns[column.column].name)")
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
        case .timestamp: bytes.append(bigEndian: PostgresTimestamp.encoded(field.load(as: Int64.self)))
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
