import ContextCore

/// The model of the predicate tests: games, their players, and the owners of games.
struct PredicateModel {
    let model: ObjectModel
    let game: EntityLayout
    let player: EntityLayout
    let person: EntityLayout
    let employee: EntityLayout

    init() throws {
        model = try ObjectModel(entities: [Self.game, Self.player, Self.person, Self.employee])
        game = try Self.layout("Game", model)
        player = try Self.layout("Player", model)
        person = try Self.layout("Person", model)
        employee = try Self.layout("Employee", model)
    }

    private static func layout(_ name: String, _ model: ObjectModel) throws -> EntityLayout {
        struct Missing: Error {}
        guard let layout = model.layout(named: name) else { throw Missing() }
        return layout
    }

    func resolve(_ text: String, for entity: EntityLayout? = nil) throws -> ResolvedPredicate {
        try FetchPredicate(text).resolved(for: entity ?? player, in: model)
    }

    private static let game = EntityDescription(
        "Game",
        attributes: [
            AttributeDescription("title", .string),
            AttributeDescription("startedAt", .date),
            AttributeDescription("endedAt", .date, isOptional: true),
            AttributeDescription("rating", .double, isOptional: true),
            AttributeDescription("price", .decimal(precision: 10, scale: 2)),
            AttributeDescription("rules", .codable, isOptional: true),
        ],
        relationships: [
            RelationshipDescription("players", to: "Player", inverse: "game", isToMany: true),
            RelationshipDescription("owner", to: "Person", inverse: "games"),
            RelationshipDescription("fans", to: "Person", inverse: "favourites", isToMany: true),
        ])

    private static let player = EntityDescription(
        "Player",
        attributes: [
            AttributeDescription("name", .string),
            AttributeDescription("nick", .string, isOptional: true),
            AttributeDescription("score", .int64),
            AttributeDescription("bonus", .int64, isOptional: true),
            AttributeDescription("speed", .float, isOptional: true),
            AttributeDescription("weight", .double, isOptional: true),
            AttributeDescription("isActive", .bool),
            AttributeDescription("token", .uuid, isOptional: true),
            AttributeDescription("picture", .data, isOptional: true),
            AttributeDescription("mood", .string, storage: .transient),
        ],
        relationships: [RelationshipDescription("game", to: "Game")])

    private static let person = EntityDescription(
        "Person",
        attributes: [
            AttributeDescription("name", .string),
            AttributeDescription(
                "address",
                .composite([
                    AttributeDescription("street", .string),
                    AttributeDescription("city", .string, isOptional: true),
                ])),
        ],
        relationships: [
            RelationshipDescription("games", to: "Game", isToMany: true),
            RelationshipDescription("favourites", to: "Game", isToMany: true),
        ])

    private static let employee = EntityDescription(
        "Employee", superentity: "Person", attributes: [AttributeDescription("role", .string)])
}
