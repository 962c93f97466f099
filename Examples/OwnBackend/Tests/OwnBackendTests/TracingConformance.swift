import ContextCore
import OwnBackend
import StoreConformance
import Testing

/// Runs the conformance suite on the backend.
@Suite struct TracingConformance {
    static let traced = StoreFixture(name: "traced", capabilities: [.history, .concurrentReads]) {
        _, model in
        TracingCoordinator(over: InMemoryCoordinator(model: model)) { _ in }
    }

    @Test(arguments: ConformanceCase.cases(for: traced))
    func conforms(_ testCase: ConformanceCase) async throws {
        try await testCase.run(on: Self.traced)
    }
}
