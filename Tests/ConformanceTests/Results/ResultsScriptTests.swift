import ChildProcesses
import Foundation
import Testing

@testable import ContextCore
@testable import StoreConformance

/// Random scripts of results controllers on every kind of store.
struct ResultsScriptTests {
    /// `RESULTS_SCRIPTS` is the number of scripts on an in-memory store, and `RESULTS_SEED` the first seed; slower stores run fewer
    /// scripts.
    @Test(arguments: Subject.all)
    func `Controllers report the changes of several contexts, and have the results of a fetch`(
        _ subject: Subject
    ) async throws {
        let environment = ProcessInfo.processInfo.environment
        let first = environment["RESULTS_SEED"].flatMap(UInt64.init) ?? 1
        let count = environment["RESULTS_SCRIPTS"].flatMap(UInt64.init) ?? 60
        let model = try ObjectModel([Division.self, Team.self, Fan.self])
        let seeds = first..<first + max(1, count / subject.slowness)
        let failure = try await onThread { try Self.firstFailure(seeds, subject.fixture, model) }
        if let failure { Issue.record("\(failure)") }
    }

    private static func firstFailure(
        _ seeds: Range<UInt64>, _ fixture: StoreFixture, _ model: ObjectModel
    ) throws -> String? {
        for seed in seeds {
            guard let failure = try failure(seed, steps: 14, fixture, model) else { continue }
            var (steps, shortest) = (14, failure)
            while steps > 0, let shorter = try self.failure(seed, steps: steps - 1, fixture, model) {
                (steps, shortest) = (steps - 1, shorter)
            }
            return "RESULTS_SEED=\(seed) on \(fixture.name), \(steps) steps: \(shortest)"
        }
        return nil
    }

    private static func failure(
        _ seed: UInt64, steps: Int, _ fixture: StoreFixture, _ model: ObjectModel
    ) throws -> String? {
        let fresh = try FreshStore(fixture, model)
        defer { fresh.remove() }
        let script = try ResultsScript(seed: seed, fresh.coordinator)
        do {
            try script.run(steps)
            return nil
        } catch {
            return "\(error)\n\(script.log)"
        }
    }
}
