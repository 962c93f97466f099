/// The slots that an overlay says something of, in their order.
///
/// So a save costs what was changed, and not what might have been. One bit a slot; those from the 64th on count together, and
/// some of them may say nothing.
struct SaidSlots: Sequence, IteratorProtocol {
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
