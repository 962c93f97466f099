/// A semantic error in a JSON text.
package struct JSONProblem: Sendable, Hashable {
    /// The position of the error.
    package let position: JSONPosition
    /// A sentence with the error and its remedy.
    package let message: String

    /// Makes a problem.
    package init(_ message: String, at position: JSONPosition) {
        self.position = position
        self.message = message
    }
}

/// A list of the semantic errors in a JSON text, so that all can be reported at once.
package final class JSONProblems {
    package private(set) var list: [JSONProblem] = []

    package init() {}

    package func report(_ message: String, at position: JSONPosition) {
        list.append(JSONProblem(message, at: position))
    }
}
