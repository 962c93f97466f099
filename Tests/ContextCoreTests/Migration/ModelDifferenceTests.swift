import Testing

@testable import ContextCore

struct ModelDifferenceTests {
    private func model(_ entities: EntityDescription...) throws -> ObjectModel {
        try ObjectModel(entities: entities)
    }

    private func sentences(
        _ old: ObjectModel, _ new: ObjectModel, removed: Set<String> = []
    ) throws -> [String] {
        try ModelDifference(from: old, to: new, removed: removed).changes.map(\.description)
    }

    private func game(_ attributes: AttributeDescription...) -> EntityDescription {
        EntityDescription("Game", attributes: attributes)
    }

    @Test func `Equal models have no differences`() throws {
        let model = try model(game(.init("title", .string)))
        let difference = try ModelDifference(from: model, to: model)
        #expect(difference.changes.isEmpty)
        #expect(difference.consequence == .none)
    }

    @Test func `Every addition and removal is described`() throws {
        let old = try model(
            game(.init("title", .string), .init("stars", .int16)),
            EntityDescription("Old", attributes: [.init("a", .bool)]))
        let new = try model(
            game(.init("title", .string), .init("note", .string, isOptional: true), .init("rank", .double)),
            EntityDescription("Player", attributes: [.init("name", .string)]))
        #expect(
            try sentences(old, new) == [
                "Attribute Game.note is new.", "Attribute Game.rank is new.",
                "Attribute Game.rank becomes required.",
                "Attribute Game.stars is removed, with all of its data.", "Entity Player is new.",
                "Entity Old is removed, with all of its data.",
            ])
        #expect(try ModelDifference(from: old, to: new).consequence == .losesData)
    }

    @Test func `Renaming identifiers declare renames, across versions too`() throws {
        let first = try model(game(.init("title", .string)))
        let second = try model(
            EntityDescription(
                "Match", attributes: [.init("name", .string, renamingIdentifier: "title")],
                renamingIdentifier: "Game"))
        let third = try model(
            EntityDescription(
                "Contest", attributes: [.init("label", .string, renamingIdentifier: "title")],
                renamingIdentifier: "Game"))
        #expect(
            try sentences(first, second) == [
                "Entity Match was called Game.", "Attribute Match.name was called title.",
            ])
        #expect(
            try sentences(second, third) == [
                "Entity Contest was called Match.", "Attribute Contest.label was called name.",
            ])
        #expect(try sentences(second, second).isEmpty)
        #expect(try ModelDifference(from: first, to: third).consequence == .none)
    }

    @Test func `A new attribute may have the former name of a renamed one`() throws {
        let old = try model(game(.init("title", .string)))
        let new = try model(
            game(
                .init("name", .string, renamingIdentifier: "title"),
                .init("subtitle", .string, isOptional: true)))
        #expect(
            try sentences(old, new) == [
                "Attribute Game.name was called title.", "Attribute Game.subtitle is new.",
            ])
    }

    @Test func `A hint uses the name in the older model, whatever the identifiers say`() throws {
        let old = try model(
            game(
                .init("title", .string, renamingIdentifier: "name"),
                .init("name", .string, renamingIdentifier: "title")))
        let new = try model(game(.init("title", .string)))
        let hints = MigrationHints(renames: ["Game.title": "name"], removed: ["Game.title"])
        let difference = try ModelDifference(from: old, to: new, hints: hints)
        #expect(difference.matching.properties["Game"] == ["title": "name"])
    }

    @Test func `A possible rename is rejected until it is decided`() throws {
        let old = try model(game(.init("title", .string)))
        let new = try model(game(.init("name", .string)))
        let error = #expect(throws: AmbiguousRenames.self) { try ModelDifference(from: old, to: new) }
        #expect(
            error?.sentences == [
                "title of Game is missing and name is new, and they differ only in name: declare name with "
                    + "renamedFrom: \"title\", or declare title as removed."
            ])
        #expect(
            try sentences(old, new, removed: ["Game.title"]) == [
                "Attribute Game.name is new.", "Attribute Game.name becomes required.",
                "Attribute Game.title is removed, with all of its data.",
            ])
        let other = try model(EntityDescription("Match", attributes: [.init("title", .string)]))
        #expect(throws: AmbiguousRenames.self) { try ModelDifference(from: old, to: other) }
        #expect(try sentences(old, other, removed: ["Game"]).count == 2)
    }

    @Test func `All candidates for a rename are listed`() throws {
        let old = try model(game(.init("title", .string)))
        let new = try model(game(.init("label", .string), .init("name", .string), .init("score", .int64)))
        let error = #expect(throws: AmbiguousRenames.self) { try ModelDifference(from: old, to: new) }
        #expect(
            error?.sentences == [
                "title of Game is missing and label and name are new, and they differ only in name: declare one of them with "
                    + "renamedFrom: \"title\", or declare title as removed."
            ])
    }

    @Test func `Decisions about possible renames make hints`() throws {
        let old = try model(
            game(.init("title", .string), .init("score", .int64)),
            EntityDescription("Player", attributes: [.init("name", .string)]))
        let new = try model(
            game(.init("label", .string), .init("name", .string), .init("points", .int64)),
            EntityDescription("Member", attributes: [.init("name", .string)]))
        let error = #expect(throws: AmbiguousRenames.self) { try ModelDifference(from: old, to: new) }
        let renames = try #require(error?.likelyRenames)
        #expect(
            renames.map(\.former).sorted() == ["Game.score", "Game.title", "Player"]
                && renames.first { $0.former == "Game.title" }?.candidates == ["Game.label", "Game.name"])
        var hints = MigrationHints()
        for rename in renames {
            hints.decide(rename, as: rename.former == "Game.score" ? nil : rename.candidates.last)
        }
        #expect(
            hints
                == MigrationHints(
                    renames: ["Game.name": "title", "Member": "Player"], removed: ["Game.score"]))
        #expect(try ModelDifference(from: old, to: new, hints: hints).matching.entities["Member"] == "Player")
    }

    @Test(arguments: [
        (["Game.title": "name"], "Game.name=title"), (["Game": "Match"], "Match=Game"),
        (["Game.label": "caption"], nil),
    ])
    func `A rename in the wrong direction is reported with the right one`(
        _ renames: [String: String], _ turned: String?
    ) throws {
        let isOfEntity = renames["Game"] != nil
        let old = try model(game(.init("title", .string)))
        let new = try model(
            isOfEntity
                ? EntityDescription("Match", attributes: [.init("title", .string)])
                : game(.init("name", .string)))
        let error = #expect(throws: AmbiguousRenames.self) {
            try ModelDifference(from: old, to: new, hints: MigrationHints(renames: renames))
        }
        let (name, former) = try #require(renames.first)
        #expect(
            error?.sentences.last
                == "\(name) is declared as a rename of \(former), but the newer model has no \(name)"
                + (turned.map { ": the newer name comes first, \($0)." } ?? "."))
    }

    @Test func `Two properties with one predecessor are rejected`() throws {
        let old = try model(game(.init("title", .string)))
        let new = try model(
            game(
                .init("name", .string, renamingIdentifier: "title"),
                .init("label", .string, renamingIdentifier: "title")))
        let error = #expect(throws: AmbiguousRenames.self) { try ModelDifference(from: old, to: new) }
        #expect(error?.sentences == ["label and name of Game are both declared as renames of title."])
    }

    @Test(arguments: [
        (AttributeType.int16, AttributeType.int64, ModelChange.Consequence.none), (.float, .double, .none),
        (.int64, .int32, .needsConversion), (.string, .int64, .needsConversion),
        (.decimal(precision: 10, scale: 2), .decimal(precision: 12, scale: 3), .none),
        (.decimal(precision: 10, scale: 2), .decimal(precision: 10, scale: 3), .needsConversion),
    ])
    func `A wider type needs no conversion, but another type does`(
        old: AttributeType, new: AttributeType, consequence: ModelChange.Consequence
    ) throws {
        let difference = try ModelDifference(
            from: model(game(.init("a", old))), to: model(game(.init("a", new))))
        #expect(difference.changes.map(\.kind) == [.type(from: old, to: new)])
        #expect(difference.consequence == consequence)
    }

    @Test func `A required attribute gets its default if there is one`() throws {
        let old = try model(
            game(
                .init("a", .int64, isOptional: true), .init("b", .int64, isOptional: true), .init("c", .bool))
        )
        let new = try model(
            game(
                .init("a", .int64, default: .value(.int(0))), .init("b", .int64),
                .init("c", .bool, isOptional: true)))
        let difference = try ModelDifference(from: old, to: new)
        #expect(
            difference.changes.map(\.description) == [
                "Attribute Game.a becomes required; objects without a value get the default.",
                "Attribute Game.b becomes required.",
                "Attribute Game.c becomes optional.",
            ])
        #expect(difference.changes.map(\.consequence) == [.none, .dependsOnData, .none])
    }

    private func pair(
        _ players: RelationshipDescription, _ game: RelationshipDescription, indexes: [IndexDescription] = [],
        unique: [UniqueConstraint] = []
    ) throws -> ObjectModel {
        try model(
            EntityDescription("Game", relationships: [players]),
            EntityDescription(
                "Player", attributes: [.init("name", .string)], relationships: [game], indexes: indexes,
                uniqueConstraints: unique))
    }

    @Test func `Relationships, indexes and constraints are compared`() throws {
        let old = try pair(
            .init("players", to: "Player", inverse: "game", isToMany: true),
            .init("game", to: "Game", inverse: "players"),
            indexes: [.init(["name"])])
        let new = try pair(
            .init(
                "players", to: "Player", inverse: "games", isToMany: true, isOrdered: true,
                deleteRule: .cascade),
            .init("games", to: "Game", inverse: "players", isToMany: true, renamingIdentifier: "game"),
            unique: [.init(["name"])])
        #expect(
            try sentences(old, new) == [
                "Relationship Game.players becomes ordered.",
                "Relationship Game.players has the delete rule cascade, not nullify.",
                "Relationship Player.games was called game.",
                "Relationship Player.games becomes to-many.",
                "Entity Player no longer has an index on name.", "Entity Player must be unique by name.",
            ])
    }

    @Test func `Exchanged inverses are noticed`() throws {
        func model(_ first: String, _ second: String) throws -> ObjectModel {
            try self.model(
                EntityDescription(
                    "Game",
                    relationships: [
                        .init("home", to: "Team", inverse: first),
                        .init("guest", to: "Team", inverse: second),
                    ]),
                EntityDescription(
                    "Team",
                    relationships: [
                        .init("here", to: "Game", isToMany: true), .init("there", to: "Game", isToMany: true),
                    ]))
        }
        #expect(
            try sentences(model("here", "there"), model("there", "here")).contains(
                "Relationship Game.home has the inverse there, not here."))
    }

    @Test func `Moves in the hierarchy are noticed, without renames of superentities`() throws {
        func model(_ above: String, identifier: String? = nil, isBelow: Bool = true) throws -> ObjectModel {
            try self.model(
                EntityDescription(
                    above, isAbstract: true, attributes: [.init("a", .bool)], renamingIdentifier: identifier),
                EntityDescription("Leaf", superentity: isBelow ? above : nil, attributes: [.init("b", .bool)])
            )
        }
        #expect(
            try sentences(model("Base"), model("Root", identifier: "Base")) == [
                "Entity Root was called Base."
            ])
        #expect(
            try sentences(model("Base"), model("Base", isBelow: false)) == [
                "Entity Leaf no longer inherits from Base.",
                "Attribute Leaf.a is removed, with all of its data.",
            ])
    }
}
