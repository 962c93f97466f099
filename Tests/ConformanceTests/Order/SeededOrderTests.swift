import ChildProcesses
import ContextCore
import Foundation
import SQLStore
import Testing

@testable import OrderChecking

/// The pipeline, its threads, merging and a pool of connections in the schedules of seeds, over a store that fails at random.
@Suite(.timeLimit(.minutes(60))) struct SeededOrderTests {
    /// `STORE_ORDER_SEEDS` is the number of schedules, and `STORE_ORDER_SEED` the first seed.
    private static let environment = ProcessInfo.processInfo.environment
    private static let first = environment["STORE_ORDER_SEED"].flatMap(UInt64.init) ?? 1
    private static let count = environment["STORE_ORDER_SEEDS"].flatMap(UInt64.init) ?? 150

    private let model: ObjectModel

    init() throws { model = try SeededOrder.makeModel() }

    @Test func `Every schedule keeps the order, and reads return the written values`() async throws {
        let model = model
        let failures = try await onThread {
            (Self.first..<Self.first + Self.count).lazy.compactMap { seed -> String? in
                let violations = SeededOrder(seed: seed).violations(model)
                return violations.isEmpty ? nil : "STORE_ORDER_SEED=\(seed): \(violations)"
            }.first
        }
        #expect(failures == nil)
    }

    @Test(arguments: PlantedBug.allCases)
    func `The checker finds a planted bug`(_ bug: PlantedBug) async throws {
        let model = model
        let found = try await onThread { SeededOrder.seed(finding: bug, model) }
        #expect(found != nil)
    }

    @Test func `A seed always gives the same schedule`() async throws {
        let model = model
        let (first, second) = try await onThread {
            let histories = { (1...50).map { SeededOrder(seed: $0).outcome(model).records } }
            return (histories(), histories())
        }
        #expect(first == second)
        #expect(Set(first).count == 50 && first.allSatisfy { !$0.isEmpty })
    }

    @Test func `Schedules include waits for connections, failures, and discarded connections`() async throws {
        let model = model
        let outcomes = try await onThread { (1...100).map { SeededOrder(seed: $0).outcome(model) } }
        #expect(outcomes.flatMap(\.violations) == [])
        var counts: [String: Int] = [:]
        for event in outcomes.flatMap(\.poolEvents) {
            switch event {
            case .request(_, .waits): counts["waits", default: 0] += 1
            case .request(_, .closed): counts["closed", default: 0] += 1
            case .returnConnection(_, let isReusable, let answer):
                if answer.next != nil { counts["waited for", default: 0] += 1 }
                if !isReusable { counts["unfit", default: 0] += 1 }
            case .replacement: counts["dead", default: 0] += 1
            case .expired: counts["outworn", default: 0] += 1
            case .failure: counts["failures", default: 0] += 1
            default: break
            }
        }
        for what in ["waits", "closed", "waited for", "unfit", "dead", "outworn", "failures"] {
            #expect(counts[what, default: 0] > 10, "\(what) in \(counts)")
        }
    }

    @Test func `Schedules include retries of saves and blocks after contention`()
        async throws
    {
        let model = model
        let outcomes = try await onThread { (1...100).map { SeededOrder(seed: $0).outcome(model) } }
        #expect(outcomes.flatMap(\.violations) == [])
        #expect(outcomes.filter { $0.pauses.ofThreads > 0 }.count > 10, "Saves of contexts")
        for submission in [OrderProgram.Submission.awaiting, .callback] {
            let again = outcomes.filter { outcome in
                outcome.submission == submission && outcome.pauses.later > 0
                    && outcome.records.contains { $0.attempts.count > 1 }
            }
            #expect(again.count > 5, "Blocks that may be run again: \(submission)")
        }
    }
}
