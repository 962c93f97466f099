import Foundation

/// Says where a value's bytes sort.
struct SortingOrder: Sendable, Hashable {
    /// Whether great comes before small.
    var isDescending = false
    /// Whether no value comes before any.
    var nullsFirst = true

    /// What an index keeps.
    static let ascending = SortingOrder()

    /// What the bytes of a value are changed by.
    fileprivate var mask: UInt8 { isDescending ? 0xFF : 0 }
    fileprivate var wideMask: UInt64 { isDescending ? .max : 0 }
}

extension OrderedBytesWriter {
    /// Stands before every value, and after no value when that comes first.
    private static let valueTag: UInt8 = 1

    /// Adds the absence of a value.
    mutating func appendNull(_ order: SortingOrder = .ascending) {
        append(order.nullsFirst ? 0 : 2)
    }

    /// Adds what stands before every value and after none.
    mutating func appendBeforeValues() { append(Self.valueTag) }

    /// Adds a value.
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

    /// Adds a column of a row, without making a value of it first.
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
            programmingError("A composite attribute has no column of its own.")
        }
    }
}

// MARK: - One kind of value each

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

    /// A zero within is followed by 255, two zeros are the end.
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

    /// Sign, then how many digits stand before the point, then the digits up to the last that is not zero.
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
