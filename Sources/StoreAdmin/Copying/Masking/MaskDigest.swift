import ContextCore

/// Digests of the values of one property, which depend on a seed.
struct MaskDigest {
    private let prefix: [UInt8]

    /// - Parameter label: The name of the property, so that the same value has different digests in different properties.
    init(seed: Int, label: String) {
        prefix = Self.bytes(UInt64(bitPattern: Int64(seed))) + Array(label.utf8) + [0]
    }

    /// Returns the 32 bytes of a value's digest.
    func bytes(of value: StoredValue) -> [UInt8] {
        var message = prefix
        value.appendBytes(to: &message)
        return SHA256.digest(of: message)
    }

    /// Returns a number between two bounds that no other number has: the digest is a permutation.
    ///
    /// It is a Feistel network of four rounds over the smallest even number of bits that the numbers fit in. Results outside of the bounds
    /// are permuted again.
    func number(_ number: Int64, in bounds: ClosedRange<Int64>) -> Int64 {
        let distance = UInt64(bitPattern: bounds.upperBound &- bounds.lowerBound)
        let half = UInt64(max(1, (64 - distance.leadingZeroBitCount + 1) / 2))
        let mask = UInt64.max >> (64 - half)
        let clamped = min(max(number, bounds.lowerBound), bounds.upperBound)
        var offset = UInt64(bitPattern: clamped &- bounds.lowerBound)
        repeat {
            var (left, right) = (offset >> half, offset & mask)
            for round: UInt8 in 0..<4 {
                let message = prefix + [round] + Self.bytes(right)
                (left, right) = (right, left ^ (Self.number(SHA256.digest(of: message)) & mask))
            }
            offset = left << half | right
        } while offset > distance
        return bounds.lowerBound &+ Int64(bitPattern: offset)
    }

    /// Returns the first eight bytes of a digest as a number.
    static func number(_ digest: [UInt8]) -> UInt64 {
        digest.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// Returns bytes as hexadecimal digits.
    static func hex(_ bytes: some Sequence<UInt8>) -> String {
        bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }

    private static func bytes(_ number: UInt64) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
    }
}
