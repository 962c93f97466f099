import ContextCore
import Testing

struct RelationshipCheckingTests {
    private func problems(
        _ game: [RelationshipDescription], _ player: [RelationshipDescription] = [],
        _ others: EntityDescription...
    ) -> [String] {
        ModelCheckingTests.problems(
            [
                EntityDescription("Game", relationships: game),
                EntityDescription("Player", relationships: player),
            ] + others)
    }

    private let game = RelationshipDescription("game", to: "Game")

    private func players(_ change: (inout RelationshipDescription) -> Void = { _ in })
        -> RelationshipDescription
    {
        var players = RelationshipDescription("players", to: "Player", inverse: "game", isToMany: true)
        change(&players)
        return players
    }

    // MARK: Destinations and inverses

    @Test func `A destination must be in the model`() {
        #expect(
            problems([RelationshipDescription("owner", to: "Owner")]) == [
                "Game.owner: Its destination “Owner” isn't in the model: add the entity, or correct the name."
            ])
    }

    @Test func `A to-many relationship needs an inverse and a to-one doesn't`() {
        #expect(problems([], [game]) == [])
        #expect(
            problems([players { $0.inverseName = nil }]) == [
                "Game.players: A to-many relationship needs an inverse: declare a relationship to “Game” in “Player”, and "
                    + "name it as the inverse in one of the two."
            ])
    }

    @Test func `An inverse must be declared by the destination`() {
        #expect(
            problems([players()]) == [
                "Game.players: “Player” declares no relationship “game” to be the inverse: declare it there, or correct the name."
            ])
        #expect(
            problems(
                [players { $0.destinationName = "Captain" }], [game],
                EntityDescription("Captain", superentity: "Player"))
                == [
                    "Game.players: Its inverse “game” is declared in “Player”, from which “Captain” only inherits it: make "
                        + "that entity the destination."
                ])
    }

    @Test func `Inverses refer to each other`() {
        #expect(
            problems([players()], [RelationshipDescription("game", to: "Player")]) == [
                "Game.players: The destination of its inverse “Player.game” is “Player” and not “Game”: correct one of the "
                    + "destinations."
            ])
        #expect(
            problems(
                [players(), RelationshipDescription("guest", to: "Player", inverse: "game")],
                [RelationshipDescription("game", to: "Game", inverse: "guest")])
                == [
                    "Game.players: Its inverse “Player.game” has another inverse, “guest”: let each name the other."
                ])
    }

    @Test func `Two relationships can't share an inverse`() {
        #expect(
            problems([players(), RelationshipDescription("guest", to: "Player", inverse: "game")], [game])
                == [
                    "Game.players: Its inverse “Player.game” is already the inverse of “guest”: give each relationship its own "
                        + "inverse."
                ])
    }

    @Test func `A relationship may be its own inverse`() throws {
        let person = EntityDescription(
            "Person",
            relationships: [
                RelationshipDescription("friends", to: "Person", inverse: "friends", isToMany: true),
                RelationshipDescription("spouse", to: "Person", inverse: "spouse"),
            ])
        let layout = try ObjectModel(entities: [person]).layouts[0]
        #expect(layout.property(named: "friends")?.relationship?.inverseSlot == 0)
        #expect(layout.property(named: "friends")?.relationship?.isManyToMany == true)
        #expect(layout.property(named: "spouse")?.relationship?.inverseSlot == 1)
    }

    // MARK: Contradictions

    @Test func `A to-one relationship has neither order nor counts`() {
        #expect(
            problems([], [RelationshipDescription("game", to: "Game", isOrdered: true)]) == [
                "Player.game: A to-one relationship has no order: remove it, or make the relationship to-many."
            ])
        #expect(
            problems([], [RelationshipDescription("game", to: "Game", minimumCount: 1)]) == [
                "Player.game: Only to-many relationships have counts: make the relationship optional or required instead."
            ])
    }

    @Test func `A to-many relationship has satisfiable counts`() {
        #expect(
            problems([players { $0.isOptional = false }], [game]) == [
                "Game.players: A to-many relationship can't be required: give it a minimum count of 1 instead."
            ])
        #expect(
            problems(
                [
                    players {
                        $0.minimumCount = 3
                        $0.maximumCount = 2
                    }
                ], [game])
                == [
                    "Game.players: The minimum count is greater than the maximum count, so no object could be saved: correct them."
                ])
        let bounds =
            "Game.players: The minimum count must be at least 0 and the maximum count at least 1: correct them."
        #expect(problems([players { $0.minimumCount = -1 }], [game]) == [bounds])
        #expect(problems([players { $0.maximumCount = 0 }], [game]) == [bounds])
        #expect(
            problems(
                [
                    players {
                        $0.minimumCount = 2
                        $0.maximumCount = 2
                    }
                ], [game]) == [])
    }

    @Test func `Two ends that require each other can't both deny deletion`() {
        let required = RelationshipDescription("game", to: "Game", isOptional: false, deleteRule: .deny)
        #expect(
            problems([players { $0.deleteRule = .deny }], [required]) == [
                "Player.game: It is required and denies deletion, and its inverse “Game.players” denies it too: neither object could "
                    + "be deleted while the other exists. Let one of them cascade, or let this one nullify."
            ])
        #expect(problems([players { $0.deleteRule = .cascade }], [required]) == [])
    }

    @Test func `Required objects must be able to exist`() {
        let sentence =
            "It needs an object of “Thing”, which is abstract and has no concrete subentity: add one, or make the relationship "
            + "optional."
        let thing = EntityDescription(
            "Thing", isAbstract: true, relationships: [RelationshipDescription("game", to: "Game")])
        let things = RelationshipDescription(
            "things", to: "Thing", inverse: "game", isToMany: true, minimumCount: 1)
        #expect(
            problems([RelationshipDescription("thing", to: "Thing", isOptional: false)], [], thing)
                == ["Game.thing: \(sentence)"])
        #expect(problems([things], [], thing) == ["Game.things: \(sentence)"])
        #expect(problems([things], [], thing, EntityDescription("Ball", superentity: "Thing")) == [])
        #expect(problems([RelationshipDescription("thing", to: "Thing")], [], thing) == [])
    }

    @Test func `Circular required to-one relationships are saved together, so they are allowed`() {
        #expect(
            problems(
                [
                    RelationshipDescription("captain", to: "Player", inverse: "game", isOptional: false),
                    RelationshipDescription("sequel", to: "Game", isOptional: false),
                ], [RelationshipDescription("game", to: "Game", isOptional: false)]) == [])
    }
}
