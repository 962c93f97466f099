/// Tells everything that is wrong with a model, all at once.
public struct ModelError: Error, Sendable, Hashable {
    /// The problems, sorted by entity and property; at least one.
    public let problems: [ModelProblem]

    /// Makes an error of problems.
    public init(problems: [ModelProblem]) {
        self.problems = problems
    }
}

extension ModelError: CustomStringConvertible {
    /// Lists the problems, one a line.
    public var description: String {
        let count = problems.count == 1 ? "a problem" : "\(problems.count) problems"
        return (["The model has \(count):"] + problems.map { "- \($0)" }).joined(separator: "\n")
    }
}
