import ContextCore

/// A named group of cases; each file declares one.
struct Topic: Sendable {
    let cases: [ConformanceCase]

    init(_ name: String, @TopicBuilder _ promises: () -> [Promise]) {
        cases = promises().map { promise in
            ConformanceCase(name, promise.name, requires: promise.requires, body: promise.body)
        }
    }
}

/// A requirement of the store protocols, with the code that checks it.
struct Promise: Sendable {
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
    static func buildExpression(_ promise: Promise) -> [Promise] { [promise] }
    static func buildExpression(_ promises: [Promise]) -> [Promise] { promises }
    static func buildBlock(_ promises: [Promise]...) -> [Promise] { Array(promises.joined()) }
}
