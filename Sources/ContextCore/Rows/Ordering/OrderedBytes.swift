/// Values as bytes that sort as the values do.
///
/// The first 16 bytes lie in the value itself, so that most keys of an index take no memory of their own. No encoding is the
/// beginning of another one of as many values, so the zeros that fill up a short one make no difference.
struct OrderedBytes: Hashable, Sendable {
    fileprivate(set) var first: UInt64 = 0
    fileprivate(set) var second: UInt64 = 0
    fileprivate(set) var rest: [UInt8] = []
}

extension OrderedBytes: Comparable {
    @inline(__always)
    static func < (left: OrderedBytes, right: OrderedBytes) -> Bool {
        if left.first != right.first { return left.first < right.first }
        if left.second != right.second { return left.second < right.second }
        if left.rest.isEmpty || right.rest.isEmpty { return left.rest.count < right.rest.count }
        return left.rest.lexicographicallyPrecedes(right.rest)
    }
}

/// Writes values one after the other.
struct OrderedBytesWriter {
    /// What has been written.
    private(set) var bytes = OrderedBytes()
    private var count = 0

    /// Adds a byte.
    @inline(__always)
    mutating func append(_ byte: UInt8) {
        if count < 8 {
            bytes.first |= UInt64(byte) &<< UInt64(56 &- count &* 8)
        } else if count < 16 {
            bytes.second |= UInt64(byte) &<< UInt64(120 &- count &* 8)
        } else {
            bytes.rest.append(byte)
        }
        count += 1
    }

    /// Adds the eight bytes of a number, the most significant first.
    @inline(__always)
    mutating func append(wide number: UInt64) {
        if count > 8 {
            for shift in stride(from: 56, through: 0, by: -8) {
                append(UInt8(truncatingIfNeeded: number &>> UInt64(shift)))
            }
            return
        }
        // Not the masking shifts: one by 64 has to give 0.
        bytes.first |= number >> (count * 8)
        bytes.second |= number << (64 - count * 8)
        count += 8
    }
}
