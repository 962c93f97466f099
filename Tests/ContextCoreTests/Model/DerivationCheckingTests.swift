import ContextCore
import Testing

struct DerivationCheckingTests {
    private func problems(
        _ type: AttributeType, isOptional: Bool = false, _ derivation: Derivation
    ) -> [String] {
        let derived = AttributeDescription("x", type, isOptional: isOptional, storage: .derived(derivation))
        let found = ModelCheckingTests.problems([
            EntityDescription(
                "Game",
                attributes: [
                    derived, AttributeDescription("title", .string), AttributeDescription("tags", .codable),
                    AttributeDescription("shade", .string, storage: .transient),
                    AttributeDescription("note", .string, isOptional: true),
                ],
                relationships: [
                    RelationshipDescription("players", to: "Player", isToMany: true),
                    RelationshipDescription("owner", to: "Player", isOptional: false),
                    RelationshipDescription("winner", to: "Player"),
                    RelationshipDescription("host", to: "Host", inverse: "games", isOptional: false),
                ]),
            EntityDescription(
                "Player",
                attributes: [
                    AttributeDescription("name", .string), AttributeDescription("score", .int16),
                    AttributeDescription("price", .decimal(precision: 9, scale: 2)),
                    AttributeDescription("isGuest", .bool),
                ], relationships: [RelationshipDescription("game", to: "Game", inverse: "players")]),
            EntityDescription(
                "Host", attributes: [AttributeDescription("name", .string)],
                relationships: [
                    RelationshipDescription(
                        "games", to: "Game", inverse: "host", isToMany: true, deleteRule: .noAction)
                ]),
        ])
        return found.map { $0.replacing("Game.x: ", with: "") }
    }

    @Test(arguments: [
        (AttributeType.string, Derivation.lowercased(path: "title")),
        (.string, .canonical(path: "owner.name")),
        (.int16, .copy(path: "owner.score")), (.int64, .count(relationship: "players")),
        (.int64, .sum(relationship: "players", attribute: "score")),
        (.decimal(precision: 9, scale: 2), .sum(relationship: "players", attribute: "price")),
        (.date, .now),
    ])
    func `Valid derivations are accepted`(type: AttributeType, derivation: Derivation) {
        #expect(problems(type, derivation) == [])
    }

    @Test func `A derivation that may be null makes the attribute optional`() {
        #expect(problems(.string, isOptional: true, .lowercased(path: "note")) == [])
        #expect(
            problems(.string, .lowercased(path: "note")) == [
                "“note” may be nil, so the derived value may be nil: make the attribute optional."
            ])
        #expect(
            problems(.string, .copy(path: "winner.name")) == [
                "“winner.name” may be nil, so the derived value may be nil: make the attribute optional."
            ])
        #expect(
            problems(.string, .copy(path: "host.name")) == [
                "“host.name” may be nil, so the derived value may be nil: make the attribute optional."
            ])
        #expect(
            problems(.int16, .minimum(relationship: "players", attribute: "score")) == [
                "“players” may be empty, so the derived value may be nil: make the attribute optional."
            ])
        #expect(
            problems(.string, isOptional: true, .maximum(relationship: "players", attribute: "name")) == [])
    }

    @Test(arguments: [
        (
            AttributeType.string, Derivation.lowercased(path: "name"),
            "“Game” has no attribute “name”: correct the name."
        ),
        (
            .string, .lowercased(path: "sponsor.name"),
            "“sponsor.name” can't be followed: “Game” has no relationship “sponsor”. Correct the path."
        ),
        (
            .string, .copy(path: "players.name"),
            "“players.name” contains the to-many relationship “players”: use a count, sum, minimum or maximum."
        ),
        (
            .string, .canonical(path: "owner.score"),
            "“owner.score” is a 16-bit integer, and only text can be lower-cased or canonical: name a text attribute."
        ),
        (
            .int64, .lowercased(path: "title"),
            "The lower-case or canonical form is text, and the attribute is a 64-bit integer: change its type."
        ),
        (
            .int64, .copy(path: "owner.score"),
            "The copied attribute “owner.score” is a 16-bit integer, and the attribute is a 64-bit integer: change its type."
        ),
        (
            .int32, .count(relationship: "players"),
            "A count is a 64-bit integer, and the attribute is a 32-bit integer: change its type."
        ),
        (
            .int64, .count(relationship: "owner"),
            "“Game” has no to-many relationship “owner”: correct the name."
        ),
        (
            .int64, .sum(relationship: "players", attribute: "name"),
            "“name” is text, which can't be added up: name a number."
        ),
        (
            .int16, .sum(relationship: "players", attribute: "score"),
            "The sum of “score” is a 64-bit integer, and the attribute is a 16-bit integer: change its type."
        ),
        (
            .bool, .minimum(relationship: "players", attribute: "isGuest"),
            "“isGuest” is a Boolean, which has no order: name a number, a date or text."
        ),
        (.string, .now, "The time of a save is a date, and the attribute is text: change its type."),
        (
            .string, .copy(path: "shade"),
            "“Game.shade” is transient, derived, transformed, codable or a composite, so nothing can be derived from it: name "
                + "another attribute."
        ),
        (
            .codable, .copy(path: "tags"),
            "“Game.tags” is transient, derived, transformed, codable or a composite, so nothing can be derived from it: name "
                + "another attribute."
        ),
    ])
    func `Invalid derivations are rejected`(type: AttributeType, derivation: Derivation, sentence: String) {
        #expect(problems(type, derivation) == [sentence])
    }
}
