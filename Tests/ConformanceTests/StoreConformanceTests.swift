import StoreConformance
import Testing

/// Runs every case of the conformance suite on every kind of store.
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
    func `A store passes a case`(_ run: Run) async throws {
        try await run.testCase.run(on: run.subject.fixture)
    }

    @Test func `Cases have unique names`() {
        let names = ConformanceCase.all.map(\.name)
        #expect(Set(names).count == names.count)
    }
}
