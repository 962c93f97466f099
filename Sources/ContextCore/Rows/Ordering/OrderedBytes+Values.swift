import Foundation

/// The direction in which encoded values sort.
struct SortingOrder: Sendable, Hashable {
    /// Whether greater values come first.
    var isDescending = false
    /// Whether nulls come first.
    var nullsFirst = true

    /// The order of index entries.
    static let ascending = SortingOrder()

    /// The mask that inverts a value's bytes for descending order.
    fileprivate var mask: UInt8 { isDescending ? 0xFF : 0 }
    fileprivate var wideMask: UInt64 { isDescending ? .max : 0 }
}

extension OrderedBytesWriter {
    /// The first byte of every value that is not null; that of null is 0 or 2.
    private static let valueTag: UInt8 = 1

    /// Appends null.
    mutating func appendNull(_ order: SortingOrder = .ascending) {
        append(order.nullsFirst ? 0 : 2)
    }

    /// Appends the tag that sorts before every value, as a lower bound.
    mutating func appendLowerBound() { append(Self.valueTag) }

    /// Appends a value.
    mutating func append(_ value: StoredValue, _ order: SortingOrder = .ascending) {
        switch value {
        case .null: appendNull(order)
        case .bool(let value): append(integer: value ? 1 : 0, order)
        case .int(let value), .timestamp(let value): append(integer: value, order)
        case .double(let value): append(double: value, order)
        case .decimal(let value): append(decimal: value, order)
        case .string(let value): value.withBytes { append(text: $0, order) }
        case .data(let value): value.withUnsafeBytes { append(text: $0, order) }
        case .uuid(let value): append(uuid: value, order)
        case .composite(let values): for value in values { append(value, order) }
        }
    }

    /// Appends the value of a column of a row, read directly from the packed row.
    mutating func append(
        _ column: Int, of row: UnsafeRawPointer, in batch: RowBatch, _ layout: EntityLayout,
        _ order: SortingOrder = .ascending
    ) {
        if RowBatch.isNull(row, column) { return appendNull(order) }
        let field = row + layout.fields.offsets[column]
        switch layout.columns[column].kind {
        case .reference, .attribute(.bool), .attribute(.int16), .attribute(.int32), .attribute(.int64),
            .attribute(.date):
            append(integer: field.load(as: Int64.self), order)
        case .attribute(.float), .attribute(.double): append(double: field.load(as: Double.self), order)
        case .attribute(.string), .attribute(.url), .attribute(.codable), .attribute(.data):
            append(text: batch.bytes(field), order)
        case .attribute(.decimal): append(decimal: batch.decimal(field), order)
        case .attribute(.uuid): append(uuid: field.loadUnaligned(as: UUID.self), order)
        case .attribute(.composite):
            programmingError("A column can't have a composite type.")
        }
    }
}

// MARK: - Values by type

extension OrderedBytesWriter {
    @inline(__always)
    private mutating func append(integer value: Int64, _ order: SortingOrder) {
        append(Self.valueTag)
        append(wide: (UInt64(bitPattern: value) ^ (1 << 63)) ^ order.wideMask)
    }

    private mutating func append(double value: Double, _ order: SortingOrder) {
        append(Self.valueTag)
        let bits = (value == 0 ? 0 : value).bitPattern
        append(wide: (bits >> 63 == 0 ? bits ^ (1 << 63) : ~bits) ^ order.wideMask)
    }

    private mutating func append(uuid value: UUID, _ order: SortingOrder) {
        append(Self.valueTag)
        withUnsafeBytes(of: value.uuid) { for byte in $0 { append(byte ^ order.mask) } }
    }

    /// Encodes a zero byte as 0 and 255, and ends with two zeros.
    private mutating func append(text: UnsafeRawBufferPointer, _ order: SortingOrder) {
        append(Self.valueTag)
        let mask = order.mask
        for byte in text {
            append(byte ^ mask)
            if byte == 0 { append(0xFF ^ mask) }
        }
        append(mask)
        append(mask)
    }

    /// Encodes the sign, the number of digits before the point, then the digits without trailing zeros.
    private mutating func append(decimal value: Decimal, _ order: SortingOrder) {
        append(Self.valueTag)
        let digits = value.significantDigits
        guard let lastDigit = digits.lastIndex(where: { $0 != 0 }) else { return append(2 ^ order.mask) }
        let isNegative = value < 0
        let mask = order.mask ^ (isNegative ? 0xFF : 0)
        append((isNegative ? 1 : 3) ^ order.mask)
        let magnitude = UInt16(Int(value.exponent) + digits.count + 0x4000)
        append(UInt8(magnitude >> 8) ^ mask)
        append(UInt8(magnitude & 0xFF) ^ mask)
        for digit in digits[...lastDigit] { append((digit + 1) ^ mask) }
        append(mask)
    }
}
