/// An encoding of values as bytes that sort in the order of the values.
///
/// The first 16 bytes are stored inline, so that most index keys need no allocation. No encoding is a prefix of another with the
/// same number of values, so padding with zeros doesn't change the order.
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

/// Encodes values in sequence.
struct OrderedBytesWriter {
    /// The encoding so far.
    private(set) var bytes = OrderedBytes()
    private var count = 0

    /// Appends a byte.
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

    /// Appends the eight bytes of a number in big-endian order.
    @inline(__always)
    mutating func append(wide number: UInt64) {
        if count > 8 {
            for shift in stride(from: 56, through: 0, by: -8) {
                append(UInt8(truncatingIfNeeded: number &>> UInt64(shift)))
            }
            return
        }
        // The shifts must not be the masking ones, because a shift by 64 must produce 0.
        bytes.first |= number >> (count * 8)
        bytes.second |= number << (64 - count * 8)
        count += 8
    }
}
