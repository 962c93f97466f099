import RandomSeeds
import Testing

@testable import ContextCore

struct TicketQueueTests {
    @Test(arguments: 0..<50 as Range<UInt64>)
    func `It serves like a plain list, whichever tickets leave`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var line = TicketQueue()
        var list: [PipelineTicket] = []
        var number: UInt64 = 0
        for _ in 0..<2000 {
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<5:
                number += 1
                line.append(PipelineTicket(number: number))
                list.append(PipelineTicket(number: number))
            case 5..<8: #expect(line.removeFirst() == (list.isEmpty ? nil : list.removeFirst()))
            default:
                let ticket = PipelineTicket(number: UInt64.random(in: 0...number, using: &random))
                let index = list.firstIndex(of: ticket)
                #expect(line.remove(ticket) == (index != nil))
                if let index { list.remove(at: index) }
            }
            #expect(line.count == list.count)
        }
        #expect(line.removeAll() == list)
        #expect(line.isEmpty)
    }
}
