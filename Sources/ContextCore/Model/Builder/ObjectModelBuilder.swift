/// Collects the entities of a model that is declared without classes.
@resultBuilder
public enum ObjectModelBuilder {
    public static func buildExpression(_ entity: EntityDescription) -> [EntityDescription] { [entity] }
    public static func buildExpression(_ entities: [EntityDescription]) -> [EntityDescription] { entities }
    public static func buildBlock(_ parts: [EntityDescription]...) -> [EntityDescription] {
        Array(parts.joined())
    }
    public static func buildOptional(_ part: [EntityDescription]?) -> [EntityDescription] { part ?? [] }
    public static func buildEither(first part: [EntityDescription]) -> [EntityDescription] { part }
    public static func buildEither(second part: [EntityDescription]) -> [EntityDescription] { part }
    public static func buildArray(_ parts: [[EntityDescription]]) -> [EntityDescription] {
        Array(parts.joined())
    }
}

extension ObjectModel {
    /// Creates a model that is declared without classes.
    ///
    /// ```swift
    /// let model = try ObjectModel {
    ///     Entity("Game") {
    ///         Attribute("title", .string).unique().length(1...80)
    ///         Attribute("startedAt", .date).default(.now)
    ///         Relationship("players", toMany: "Player", inverse: "game", deleteRule: .cascade)
    ///     }
    ///     Entity("Player") {
    ///         Attribute("name", .string)
    ///         Attribute("score", .int64).default(0)
    ///         Relationship("game", to: "Game")
    ///         Index("game", .descending("score"))
    ///     }
    /// }
    /// ```
    ///
    /// - Throws: ``ModelError`` with all problems of the entities.
    public convenience init(
        transformers: [any AttributeTransformer] = [],
        @ObjectModelBuilder _ entities: () -> [EntityDescription]
    ) throws {
        try self.init(entities: entities(), transformers: transformers)
    }
}
