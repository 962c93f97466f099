/// The slots of an overlay that have a value, in ascending order.
///
/// A save visits only these slots. Each slot below 63 has its own bit. If a slot from 63 on has a value, the
/// sequence contains all slots from 63 on, even those without a value.
struct AssignedSlots: Sequence, IteratorProtocol {
    private static let last = UInt64.bitWidth - 1

    private var bits: UInt64 = 0
    private var rest = 0..<0
    private let count: Int

    init(count: Int) { self.count = count }

    @inline(__always)
    mutating func insert(_ slot: Int) {
        if slot < Self.last {
            bits |= 1 &<< UInt64(truncatingIfNeeded: slot)
        } else {
            rest = Self.last..<count
        }
    }

    @inline(__always)
    mutating func remove(_ slot: Int) {
        if slot < Self.last { bits &= ~(1 &<< UInt64(truncatingIfNeeded: slot)) }
    }

    @inline(__always)
    mutating func next() -> Int? {
        if bits != 0 {
            defer { bits &= bits &- 1 }
            return bits.trailingZeroBitCount
        }
        return rest.popFirst()
    }
}
