public import ContextCore

/// One promise that every store has to keep, and the way to find out.
///
/// ```swift
/// @Suite struct PaperConformance {
///     @Test(arguments: ConformanceCase.cases(for: paper))
///     func holds(_ testCase: ConformanceCase) async throws {
///         try await testCase.run(on: paper)
///     }
/// }
/// ```
///
/// Cases know nothing of a test library: one that doesn't hold throws a ``ConformanceFailure``. Each opens stores of its own,
/// so they may run at the same time and in every order.
public struct ConformanceCase: Sendable {
    /// What the promise is about, such as `values` or `merging`.
    public let topic: String
    /// The promise, as a sentence; no two cases share one.
    public let name: String
    /// What a store must be able to do for the case to make sense.
    public let requires: StoreCapabilities
    private let body: @Sendable (Trial) async throws -> Void

    init(
        _ topic: String, _ name: String, requires: StoreCapabilities = [],
        body: @escaping @Sendable (Trial) async throws -> Void
    ) {
        self.topic = topic
        self.name = name
        self.requires = requires
        self.body = body
    }

    /// Finds out whether the promise is kept.
    ///
    /// - Throws: ``ConformanceFailure`` where it isn't, and whatever the store throws.
    public func run(on fixture: StoreFixture) async throws {
        guard requires.isSubset(of: fixture.capabilities) else {
            throw ConformanceFailure(
                "“\(name)” is not for \(fixture): run the cases that ConformanceCase.cases(for:) lists.",
                file: #fileID, line: #line)
        }
        let trial = Trial(fixture)
        do {
            try await body(trial)
        } catch {
            try? await trial.end()
            throw error
        }
        try await trial.end()
    }
}

extension ConformanceCase {
    /// All cases, topic by topic.
    public static let all: [ConformanceCase] = topics.flatMap(\.cases)

    /// The cases that a store of a kind has to pass: all but those that need what it can't do.
    public static func cases(for fixture: StoreFixture) -> [ConformanceCase] {
        all.filter { $0.requires.isSubset(of: fixture.capabilities) }
    }
}

extension ConformanceCase: CustomStringConvertible {
    /// The topic and the promise.
    public var description: String { "\(topic): \(name)" }
}
