/// An error with all problems of a model.
public struct ModelError: Error, Sendable, Hashable {
    /// The problems, sorted by entity and property; at least one.
    public let problems: [ModelProblem]

    /// Creates an error.
    public init(problems: [ModelProblem]) {
        self.problems = problems
    }
}

extension ModelError: CustomStringConvertible {
    /// The problems, one per line.
    public var description: String {
        let count = problems.count == 1 ? "a problem" : "\(problems.count) problems"
        return (["The model has \(count):"] + problems.map { "- \($0)" }).joined(separator: "\n")
    }
}
