import RandomSeeds
import Testing

@testable import ContextCore

struct FIFOQueueTests {
    @Test(arguments: 0..<20 as Range<UInt64>)
    func `Elements leave in the order of their insertion`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var queue = FIFOQueue<Int>()
        var list: [Int] = []
        for number in 0..<3000 {
            let chance = Int.random(in: 0..<100, using: &random)
            if chance < 52 {
                queue.append(number)
                list.append(number)
            } else if chance < 60 {
                let removed = Int.random(in: 0...number, using: &random)
                let index = list.firstIndex(of: removed)
                #expect(queue.removeFirst { $0 == removed } == (index != nil))
                if let index { list.remove(at: index) }
            } else {
                #expect(queue.popFirst() == (list.isEmpty ? nil : list.removeFirst()))
            }
            #expect(queue.count == list.count)
            #expect(queue.isEmpty == list.isEmpty)
        }
    }
}
