import Foundation
import Testing

@testable import ContextCore

struct ResultsScriptTests {
    /// `RESULTS_SCRIPTS` says how many scripts are run, `RESULTS_SEED` which is the first.
    @Test func `Whatever several contexts do, controllers tell of it, and hold what a fetch says`() throws {
        let environment = ProcessInfo.processInfo.environment
        let first = environment["RESULTS_SEED"].flatMap(UInt64.init) ?? 1
        let count = environment["RESULTS_SCRIPTS"].flatMap(UInt64.init) ?? 100
        let model = try ObjectModel([Division.self, Team.self, Fan.self])
        for seed in first..<first + count {
            guard let failure = try failure(seed, steps: 14, model) else { continue }
            var (steps, shortest) = (14, failure)
            while steps > 0, let shorter = try self.failure(seed, steps: steps - 1, model) {
                (steps, shortest) = (steps - 1, shorter)
            }
            Issue.record("RESULTS_SEED=\(seed), \(steps) steps: \(shortest)")
            return
        }
    }

    private func failure(_ seed: UInt64, steps: Int, _ model: ObjectModel) throws -> String? {
        let script = try ResultsScript(seed: seed, model: model)
        do {
            try script.run(steps)
            return nil
        } catch {
            return "\(error)\n\(script.log)"
        }
    }
}
