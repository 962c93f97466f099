import RandomSeeds
import Testing

@testable import ContextCore

struct FIFOQueueTests {
    @Test(arguments: 0..<20 as Range<UInt64>)
    func `Elements leave in the order in which they came`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var queue = FIFOQueue<Int>()
        var list: [Int] = []
        for number in 0..<3000 {
            if Int.random(in: 0..<100, using: &random) < 52 {
                queue.append(number)
                list.append(number)
            } else {
                #expect(queue.popFirst() == (list.isEmpty ? nil : list.removeFirst()))
            }
            #expect(queue.count == list.count)
            #expect(queue.isEmpty == list.isEmpty)
        }
    }
}
