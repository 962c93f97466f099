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
        guard let gap = run.subject.knownGaps[run.testCase.name] else {
            return try await run.testCase.run(on: run.subject.fixture)
        }
        await withKnownIssue(Comment(rawValue: gap)) {
            try await run.testCase.run(on: run.subject.fixture)
        }
    }

    @Test func `Cases have names of their own, and known gaps name cases`() {
        let names = ConformanceCase.all.map(\.name)
        #expect(Set(names).count == names.count)
        for subject in Subject.all {
            #expect(Set(subject.knownGaps.keys).isSubset(of: names), "\(subject)")
        }
    }
}
