/// A session that can explain how it executes a request.
public protocol ExplainingSession: ReadSession {
    /// Returns the statement and query plan of a fetch, without fetching anything.
    func explain(_ plan: FetchPlan) throws -> StatementExplanation
}

/// The statement of a request, with the database's query plan.
public struct StatementExplanation: Sendable, Hashable, CustomStringConvertible {
    /// The statement, with placeholders for values.
    public let statement: String
    /// The lines of the query plan, in the database's format.
    ///
    /// PostgreSQL's plans contain values of the request.
    public let steps: [String]

    /// Creates an explanation.
    public init(statement: String, steps: [String]) {
        self.statement = statement
        self.steps = steps
    }

    public var description: String { ([statement] + steps.map { "  " + $0 }).joined(separator: "\n") }
}
