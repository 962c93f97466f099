import ContextCore

/// A named group of cases; each file declares one.
struct Topic: Sendable {
    let cases: [ConformanceCase]

    init(_ name: String, @TopicBuilder _ requirements: () -> [Requirement]) {
        cases = requirements().map { requirement in
            ConformanceCase(name, requirement.name, requires: requirement.requires, body: requirement.body)
        }
    }
}

/// A requirement of the store protocols, with the code that checks it.
struct Requirement: Sendable {
    let name: String
    let requires: StoreCapabilities
    let body: @Sendable (CaseRun) async throws -> Void

    init(
        _ name: String, requires: StoreCapabilities = [],
        _ body: @escaping @Sendable (CaseRun) async throws -> Void
    ) {
        self.name = name
        self.requires = requires
        self.body = body
    }
}

/// A result builder for the requirements of a topic.
@resultBuilder enum TopicBuilder {
    static func buildExpression(_ requirement: Requirement) -> [Requirement] { [requirement] }
    static func buildExpression(_ requirements: [Requirement]) -> [Requirement] { requirements }
    static func buildBlock(_ requirements: [Requirement]...) -> [Requirement] { Array(requirements.joined()) }
}
