import RandomSeeds
import Testing

@testable import ContextCore

struct AssignedSlotsTests {
    @Test(arguments: [1, 5, 62, 63, 64, 65, 130])
    func `Slots with entries are found completely and in order`(count: Int) {
        let seed = UInt64.random(in: 1...UInt64.max)
        var random = SeededRandom(seed: seed)
        var occupied = AssignedSlots(count: count)
        var expected: Set<Int> = []
        for _ in 0..<200 {
            let slot = Int.random(in: 0..<count, using: &random)
            if Bool.random(using: &random) {
                occupied.insert(slot)
                expected.insert(slot)
            } else {
                occupied.remove(slot)
                expected.remove(slot)
            }
            let found = Array(occupied)
            #expect(found == found.sorted(), "seed \(seed)")
            #expect(expected.isSubset(of: found), "seed \(seed)")
            #expect(found.filter { $0 < 63 } == expected.filter { $0 < 63 }.sorted(), "seed \(seed)")
            #expect(found.allSatisfy { $0 < count }, "seed \(seed)")
        }
    }
}
