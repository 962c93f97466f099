import Foundation
import Testing

@testable import ContextCore

struct RandomGraphTests {
    /// `RANDOM_GRAPH_SEQUENCES` is the number of sequences, and `RANDOM_GRAPH_SEED` the first seed.
    @Test func `Random steps give the contents of a naive model`() throws {
        let environment = ProcessInfo.processInfo.environment
        let first = environment["RANDOM_GRAPH_SEED"].flatMap(UInt64.init) ?? 1
        let count = environment["RANDOM_GRAPH_SEQUENCES"].flatMap(UInt64.init) ?? 200
        let model = try RandomGraph.model()
        for seed in first..<first + count {
            let steps = RandomStep.sequence(seed: seed)
            guard let failure = failure(of: steps, model) else { continue }
            let short = shrunk(steps, model)
            Issue.record(
                "Seed \(seed): \(failure)\nShortest: \(self.failure(of: short, model) ?? failure)\n\(short)")
            return
        }
    }

    private func failure(of steps: [RandomStep], _ model: ObjectModel) -> String? {
        do {
            try RandomGraph(model).run(steps)
            return nil
        } catch {
            return String(describing: error)
        }
    }

    /// Removes steps as long as the sequence fails without them.
    private func shrunk(_ steps: [RandomStep], _ model: ObjectModel) -> [RandomStep] {
        var steps = steps
        var index = steps.count - 1
        while index >= 0 {
            var fewer = steps
            fewer.remove(at: index)
            if failure(of: fewer, model) != nil { steps = fewer }
            index = min(index - 1, steps.count - 1)
        }
        return steps
    }
}
