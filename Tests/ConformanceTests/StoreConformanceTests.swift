import StoreConformance
import Testing

/// Every case on every kind of store.
struct StoreConformanceTests {
    struct Run: Sendable, CustomStringConvertible {
        let subject: Subject
        let testCase: ConformanceCase
        var description: String { "\(subject), \(testCase)" }
    }

    static let runs = Subject.all.flatMap { subject in
        ConformanceCase.cases(for: subject.fixture).map { Run(subject: subject, testCase: $0) }
    }

    @Test(arguments: runs)
    func `A store keeps a promise`(_ run: Run) async throws {
        try await run.testCase.run(on: run.subject.fixture)
    }

    @Test func `Cases have names of their own`() {
        let names = ConformanceCase.all.map(\.name)
        #expect(Set(names).count == names.count)
    }
}
