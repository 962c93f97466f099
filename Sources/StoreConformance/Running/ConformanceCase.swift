public import ContextCore

/// A test of one requirement of the store protocols, which runs against a kind of store.
///
/// ```swift
/// @Suite struct PaperConformance {
///     @Test(arguments: ConformanceCase.cases(for: paper))
///     func conforms(_ testCase: ConformanceCase) async throws {
///         try await testCase.run(on: paper)
///     }
/// }
/// ```
///
/// Cases don't depend on a test library: a case that fails throws a ``ConformanceFailure``. Each case opens its own stores, so
/// cases may run concurrently and in any order.
public struct ConformanceCase: Sendable {
    /// The group of cases that this one belongs to, such as `values` or `merging`.
    public let topic: String
    /// The requirement as a sentence, which is unique among all cases.
    public let name: String
    /// The capabilities that a store needs for the case to apply.
    public let requires: StoreCapabilities
    private let body: @Sendable (CaseRun) async throws -> Void

    init(
        _ topic: String, _ name: String, requires: StoreCapabilities = [],
        body: @escaping @Sendable (CaseRun) async throws -> Void
    ) {
        self.topic = topic
        self.name = name
        self.requires = requires
        self.body = body
    }

    /// Runs the case on a new store of the fixture.
    ///
    /// - Throws: ``ConformanceFailure`` if the store violates the requirement or lacks a required capability, and errors of the store.
    public func run(on fixture: StoreFixture) async throws {
        guard requires.isSubset(of: fixture.capabilities) else {
            throw ConformanceFailure(
                "“\(name)” requires capabilities that \(fixture) lacks. Run only the cases of ConformanceCase.cases(for:).",
                file: #fileID, line: #line)
        }
        let run = CaseRun(fixture)
        do {
            try await body(run)
        } catch {
            try? await run.end()
            throw error
        }
        try await run.end()
    }
}

extension ConformanceCase {
    /// All cases, grouped by topic.
    public static let all: [ConformanceCase] = topics.flatMap(\.cases)

    /// Returns the cases that a kind of store must pass: those whose required capabilities it has.
    public static func cases(for fixture: StoreFixture) -> [ConformanceCase] {
        all.filter { $0.requires.isSubset(of: fixture.capabilities) }
    }
}

extension ConformanceCase: CustomStringConvertible {
    /// The topic and the requirement.
    public var description: String { "\(topic): \(name)" }
}
