@testable import ContextCore
@testable import StoreConformance

/// A runner of random scripts, which shortens a script that violates a rule.
struct GraphScriptRunner {
    private let fixture: StoreFixture
    private let settings: GraphSettings
    private let model: ObjectModel

    init(_ fixture: StoreFixture, _ settings: GraphSettings) throws {
        (self.fixture, self.settings) = (fixture, settings)
        model = try GraphModel.model()
    }

    /// A violated rule, and the steps before it.
    private struct Failure {
        let difference: GraphDifference
        let log: [String]
    }

    /// Runs a script per seed until enough of them fail, and describes the shortest script that was found for each failure.
    func failures(_ seeds: Range<UInt64>) -> [String] {
        var failures: [String] = []
        for seed in seeds {
            if let failure = failure(seed) { failures.append(failure) }
            if failures.count == settings.failures { break }
        }
        return failures
    }

    /// Runs the script of a seed, and describes its failure; nil if it succeeds.
    private func failure(_ seed: UInt64) -> String? {
        let steps = GraphStep.sequence(seed: seed, count: settings.steps, kinds: settings.kinds)
        guard let first = run(steps) else { return nil }
        let (short, failure) = shrunk(steps, first)
        return """
            GRAPH_SEED=\(seed) GRAPH_STEPS_PER_SEQUENCE=\(settings.steps) on \(fixture.name), \(short.count) steps
            \(failure.log.map { "  " + $0 }.joined(separator: "\n"))
            \(failure.difference)
            """
    }

    private func run(_ steps: [GraphStep]) -> Failure? {
        var script: GraphScript?
        do {
            let fresh = try FreshStore(fixture, model)
            defer { fresh.remove() }
            let new = try GraphScript(fresh.coordinator, settings)
            script = new
            try new.run(steps)
            try new.checkRelease()
            return nil
        } catch {
            let difference =
                error as? GraphDifference ?? GraphDifference(rule: .unexpected, text: "\(error)")
            return Failure(difference: difference, log: script?.log ?? [])
        }
    }

    /// Removes steps as long as the script violates the same rule without them.
    private func shrunk(_ steps: [GraphStep], _ failure: Failure) -> ([GraphStep], Failure) {
        var (steps, failure) = (steps, failure)
        var size = max(1, steps.count / 2)
        while true {
            var (start, isShorter) = (steps.count - size, false)
            while start > -size {
                var fewer = steps
                fewer.removeSubrange(max(0, start)..<min(start + size, steps.count))
                if let found = run(fewer), found.difference.rule == failure.difference.rule {
                    (steps, failure, isShorter) = (fewer, found, true)
                }
                start = min(start, steps.count) - size
            }
            if size == 1 && !isShorter { return (steps, failure) }
            if !isShorter { size = max(1, size / 2) }
        }
    }
}
