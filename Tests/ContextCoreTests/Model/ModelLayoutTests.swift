import ContextCore
import Testing

struct ModelLayoutTests {
    private let game = EntityDescription(
        "Game", attributes: [AttributeDescription("title", .string)],
        relationships: [RelationshipDescription("players", to: "Player", inverse: "game", isToMany: true)])
    private let player = EntityDescription(
        "Player", attributes: [AttributeDescription("score", .int64), AttributeDescription("name", .string)],
        relationships: [RelationshipDescription("game", to: "Game")])
    private let captain = EntityDescription(
        "Captain", superentity: "Player", attributes: [AttributeDescription("badge", .string)])

    @Test func `An inverse that one end names is added to the other`() throws {
        let model = try ObjectModel(entities: [player, game])
        let players = try #require(model.layout(named: "Game")?.property(named: "players")?.relationship)
        let back = try #require(model.layout(named: "Player")?.property(named: "game")?.relationship)
        #expect(back.description.inverseName == "players")
        #expect(back.inverseIsToMany)
        #expect(back.inverseSlot == 0)
        #expect(players.description.inverseName == "game")
        #expect(players.inverseSlot == 0)
        #expect(!players.inverseIsToMany)
        #expect(!players.isPolymorphic)
    }

    @Test func `A subentity has its superentity's slots first, then its own`() throws {
        let model = try ObjectModel(entities: [captain, player, game])
        let layout = try #require(model.layout(named: "Captain"))
        #expect(layout.properties.map(\.name) == ["game", "name", "score", "badge"])
        #expect(layout.columns.map(\.name) == ["game", "name", "score", "badge"])
        #expect(layout.rootIndex == model.layout(named: "Player")?.index)
        #expect(model.layout(named: "Player")?.familyIndices == [0, 2])
        #expect(model.layout(named: "Game")?.property(named: "players")?.relationship?.isPolymorphic == true)
    }

    @Test func `To-many and transient properties have no column, and composites have one per part`() throws {
        let address = AttributeType.composite([
            AttributeDescription("street", .string), AttributeDescription("city", .string, isOptional: true),
        ])
        let house = EntityDescription(
            "House",
            attributes: [
                AttributeDescription("address", address),
                AttributeDescription("shade", .string, storage: .transient),
                AttributeDescription("rooms", .int16),
            ])
        let layout = try #require(try ObjectModel(entities: [house]).layouts.first)
        #expect(layout.columns.map(\.name) == ["address.city", "address.street", "rooms"])
        #expect(layout.columns.map(\.isOptional) == [true, false, false])
        #expect(layout.property(named: "address")?.columns == 0..<2)
        #expect(layout.property(named: "shade")?.columns.isEmpty == true)
    }
}
