/// A session of a store that can say how it would answer a request.
public protocol ExplainingSession: ReadSession {
    /// Explains a fetch, without fetching anything.
    func explain(_ plan: FetchPlan) throws -> StatementExplanation
}

/// Says how a database would answer a request.
public struct StatementExplanation: Sendable, Hashable, CustomStringConvertible {
    /// The statement that it would be sent, with placeholders in the place of values.
    public let statement: String
    /// What the database would do, in its own words.
    ///
    /// PostgreSQL's speak of the request's own values.
    public let steps: [String]

    /// Makes an explanation.
    public init(statement: String, steps: [String]) {
        self.statement = statement
        self.steps = steps
    }

    public var description: String { ([statement] + steps.map { "  " + $0 }).joined(separator: "\n") }
}
