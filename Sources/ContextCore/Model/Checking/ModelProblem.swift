/// One reason why a model can't work, and what to do about it.
public struct ModelProblem: Sendable, Hashable {
    /// What kind of problem it is.
    public var code: Code
    /// The entity where it was found.
    public var entity: String?
    /// The attribute or relationship where it was found.
    public var property: String?
    /// Says in full sentences why the model can't work and what to do.
    public var message: String

    /// Describes a problem.
    public init(_ code: Code, entity: String? = nil, property: String? = nil, _ message: String) {
        self.code = code
        self.entity = entity
        self.property = property
        self.message = message
    }
}

extension ModelProblem: CustomStringConvertible {
    /// Gives the place and the message: `Game.players: …`.
    public var description: String {
        switch (entity, property) {
        case (let entity?, let property?): "\(entity).\(property): \(message)"
        case (let entity?, nil): "\(entity): \(message)"
        default: message
        }
    }
}
