/// A value that nobody chooses in order to do harm, so that its hash needs no defence against that, which takes longer than all else
/// that a small table does.
package protocol PlainlyHashed: Hashable {
    /// What tells it apart; equal values have equal ones.
    var hashBits: UInt { get }
}

extension PlainlyHashed {
    package func hash(into hasher: inout Hasher) { hasher.combine(hashBits) }

    // The standard library's way for types to hash themselves.
    package func _rawHashValue(seed: Int) -> Int { PlainHash.value(of: hashBits, seed: seed) }
}

/// A hash of bits without a defence against those who choose them.
enum PlainHash {
    @inline(__always)
    static func value(of bits: UInt, seed: Int) -> Int {
        // The multiplication spreads the bits over the upper half, the shift over the lower.
        let spread = (bits ^ UInt(bitPattern: seed)) &* 0x9E37_79B9_7F4A_7C15
        return Int(bitPattern: spread ^ (spread &>> 32))
    }

    /// A hash of where an object lies.
    ///
    /// Neighbours in memory mostly were made one after the other, and are looked at and let go of together. Those of one piece of memory
    /// are near each other in a table too, so that whoever goes through a set goes through memory piece by piece; the pieces are scattered.
    /// Between neighbours there is room for those of other pieces: without, one that meets another piece has to go past all of it. Pieces
    /// are small, as objects that lie a piece apart, or several, all want the same place in theirs.
    @inline(__always)
    static func value(ofObjectAt address: UInt, seed: Int) -> Int {
        // The allocator sets the smallest objects 64 bytes apart.
        let place = address &>> 6
        return value(of: place &>> 4, seed: seed) &+ Int(place & 15) &* 5
    }
}
