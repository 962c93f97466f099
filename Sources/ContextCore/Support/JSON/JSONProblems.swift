/// One thing that is wrong with a JSON text's meaning.
package struct JSONProblem: Sendable, Hashable {
    /// Where.
    package let position: JSONPosition
    /// What, and what to do about it.
    package let message: String

    /// Describes a problem.
    package init(_ message: String, at position: JSONPosition) {
        self.position = position
        self.message = message
    }
}

/// Collects what is wrong with a JSON text's meaning, so that all of it can be told at once.
package final class JSONProblems {
    package private(set) var list: [JSONProblem] = []

    package init() {}

    package func report(_ message: String, at position: JSONPosition) {
        list.append(JSONProblem(message, at: position))
    }
}
