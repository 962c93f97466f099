import Foundation
import RandomSeeds
import Testing

@testable import ContextCore

struct CompletionOrderTests {
    private static let seed =
        ProcessInfo.processInfo.environment["STORE_COMPLETIONS_SEED"].flatMap { UInt64($0) }
        ?? .random(in: 0...UInt64.max)

    @Test func `A completion waits for earlier ones, and only one runs at a time`() {
        var order = CompletionOrder<String>()
        let (first, second, third) = (order.submit(), order.submit(), order.submit())
        #expect(order.finish(second, "second") == nil)
        #expect(order.finish(first, "first") == "first")
        #expect(order.finish(third, "third") == nil)
        #expect(order.didRun() == "second")
        #expect(order.didRun() == "third")
        #expect(!order.isEmpty)
        #expect(order.didRun() == nil)
        #expect(order.isEmpty)
    }

    /// Submits operations, ends them and runs their completions in random order.
    @Test func `Completions run in the order of submission, whatever the order of ends`() {
        for round in UInt64(0)..<2000 {
            var random = SeededRandom(seed: Self.seed &+ round)
            var order = CompletionOrder<Int>()
            var running: [CompletionOrder<Int>.Ticket: Int] = [:]
            var (submitted, current, ran) = (0, Int?.none, [Int]())
            func run(_ next: Int?) {
                guard let next else { return }
                #expect(
                    current == nil, "Two completions at once. STORE_COMPLETIONS_SEED=\(Self.seed &+ round)")
                current = next
            }
            while submitted < 40 || !running.isEmpty || current != nil {
                switch Int.random(in: 0..<3, using: &random) {
                case 0 where submitted < 40:
                    running[order.submit()] = submitted
                    submitted += 1
                case 1:
                    let numbers = running.values.sorted()
                    guard let number = numbers.randomElement(using: &random),
                        let ticket = running.first(where: { $0.value == number })?.key
                    else { continue }
                    running[ticket] = nil
                    run(order.finish(ticket, number))
                case 2:
                    guard let ended = current else { continue }
                    current = nil
                    ran.append(ended)
                    run(order.didRun())
                default: continue
                }
            }
            #expect(ran == Array(0..<40), "STORE_COMPLETIONS_SEED=\(Self.seed &+ round)")
            #expect(order.isEmpty, "STORE_COMPLETIONS_SEED=\(Self.seed &+ round)")
        }
    }
}
