import Foundation

/// The order of values, which is the same in every store.
///
/// Strings are ordered by their UTF-8 bytes, data and UUIDs by their bytes, and false comes before true. An integer and a
/// double are compared exactly, without conversion: 2⁵³ + 1 is greater than 2⁵³ as a double.
package enum ValueOrder {
    /// Compares two values that are not null: negative if the left one comes first, zero if they are equal.
    ///
    /// Values whose types can't be compared are ordered by type. Predicates never compare such values, because checking rejects them.
    package static func compare(_ left: StoredValue, _ right: StoredValue) -> Int {
        switch (left, right) {
        case (.int(let a), .int(let b)), (.timestamp(let a), .timestamp(let b)): order(a, b)
        case (.double(let a), .double(let b)): order(a, b)
        case (.int(let a), .double(let b)): compare(a, b)
        case (.double(let a), .int(let b)): -compare(b, a)
        case (.decimal(let a), .decimal(let b)): order(a, b)
        case (.decimal(let a), .int(let b)): order(a, Decimal(b))
        case (.int(let a), .decimal(let b)): order(Decimal(a), b)
        case (.bool(let a), .bool(let b)): order(a ? 1 : 0, b ? 1 : 0)
        case (.string(let a), .string(let b)): compare(a, b)
        case (.data(let a), .data(let b)): a.withUnsafeBytes { a in b.withUnsafeBytes { compare(a, $0) } }
        case (.uuid(let a), .uuid(let b)):
            withUnsafeBytes(of: a) { a in withUnsafeBytes(of: b) { compare(a, $0) } }
        default: order(rank(left), rank(right))
        }
    }

    /// Compares two byte sequences.
    @inline(__always)
    package static func compare(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Int {
        let shared = min(left.count, right.count)
        if shared > 0, let a = left.baseAddress, let b = right.baseAddress {
            let difference = memcmp(a, b, shared)
            if difference != 0 { return difference < 0 ? -1 : 1 }
        }
        return order(left.count, right.count)
    }

    /// Compares two strings by their UTF-8 bytes.
    package static func compare(_ left: String, _ right: String) -> Int {
        left.withBytes { left in right.withBytes { compare(left, $0) } }
    }

    /// Compares an integer and a double exactly.
    package static func compare(_ integer: Int64, _ double: Double) -> Int {
        if double >= 0x1p63 { return -1 }
        if double < -0x1p63 { return 1 }
        let whole = double.rounded(.towardZero)
        let difference = order(integer, Int64(whole))
        return difference != 0 ? difference : order(whole, double)
    }

    @inline(__always)
    static func order<Value: Comparable>(_ left: Value, _ right: Value) -> Int {
        left < right ? -1 : (left == right ? 0 : 1)
    }

    private static func rank(_ value: StoredValue) -> Int {
        switch value {
        case .null: 0
        case .bool: 1
        case .int, .double, .decimal: 2
        case .timestamp: 3
        case .string: 4
        case .data: 5
        case .uuid: 6
        case .composite: 7
        }
    }
}

extension OrderOperator {
    /// Whether the operator holds for the result of ``ValueOrder/compare(_:_:)``.
    @inline(__always)
    package func holds(_ order: Int) -> Bool {
        switch self {
        case .equal: order == 0
        case .notEqual: order != 0
        case .less: order < 0
        case .lessOrEqual: order <= 0
        case .greater: order > 0
        case .greaterOrEqual: order >= 0
        }
    }

    /// The negated operator.
    package var opposite: OrderOperator {
        switch self {
        case .equal: .notEqual
        case .notEqual: .equal
        case .less: .greaterOrEqual
        case .lessOrEqual: .greater
        case .greater: .lessOrEqual
        case .greaterOrEqual: .less
        }
    }

    /// The operator that gives the same result if the two sides are swapped.
    package var mirrored: OrderOperator {
        switch self {
        case .equal, .notEqual: self
        case .less: .greater
        case .lessOrEqual: .greaterOrEqual
        case .greater: .less
        case .greaterOrEqual: .lessOrEqual
        }
    }
}
