/// One reason why a model is invalid, and how to fix it.
public struct ModelProblem: Sendable, Hashable {
    /// The kind of problem.
    public var code: Code
    /// The entity that has the problem.
    public var entity: String?
    /// The attribute or relationship that has the problem.
    public var property: String?
    /// Full sentences that say what is wrong and how to fix it.
    public var message: String

    /// Creates a problem.
    public init(_ code: Code, entity: String? = nil, property: String? = nil, _ message: String) {
        self.code = code
        self.entity = entity
        self.property = property
        self.message = message
    }
}

extension ModelProblem: CustomStringConvertible {
    /// The entity, the property and the message: `Game.players: …`.
    public var description: String {
        switch (entity, property) {
        case (let entity?, let property?): "\(entity).\(property): \(message)"
        case (let entity?, nil): "\(entity): \(message)"
        default: message
        }
    }
}
