/// A value with a fast hash function that doesn't resist attacks with colliding keys.
///
/// Conform only types whose values don't come from untrusted input. SipHash would dominate the cost of small tables.
package protocol FastHashable: Hashable {
    /// The bits to hash; equal values must have equal bits.
    var hashBits: UInt { get }
}

extension FastHashable {
    package func hash(into hasher: inout Hasher) { hasher.combine(hashBits) }

    // The standard library calls this instead of `hash(into:)`.
    package func _rawHashValue(seed: Int) -> Int { FastHash.value(of: hashBits, seed: seed) }
}

/// A fast hash function that doesn't resist attacks with colliding keys.
enum FastHash {
    @inline(__always)
    static func value(of bits: UInt, seed: Int) -> Int {
        // The multiplication spreads the bits to the upper half, the shift to the lower half.
        let spread = (bits ^ UInt(bitPattern: seed)) &* 0x9E37_79B9_7F4A_7C15
        return Int(bitPattern: spread ^ (spread &>> 32))
    }

    /// Returns a hash of an object's address.
    ///
    /// Objects that are allocated in sequence are neighbors in memory, and are mostly used and released together. Objects of one 1 KiB
    /// block hash to nearby slots, so iterating over a set accesses memory block by block; the blocks are scattered. Neighbors are 5
    /// slots apart, so that a colliding object of another block finds a free slot quickly. Blocks are small, because objects at the same
    /// offset of different blocks compete for the same position in their groups of slots.
    @inline(__always)
    static func value(ofObjectAt address: UInt, seed: Int) -> Int {
        // The allocator places the smallest objects 64 bytes apart.
        let unit = address &>> 6
        return value(of: unit &>> 4, seed: seed) &+ Int(unit & 15) &* 5
    }
}
