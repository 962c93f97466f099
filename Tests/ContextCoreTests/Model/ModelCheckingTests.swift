import ContextCore
import Foundation
import Testing

/// Errors of invalid models: each test makes one mistake, and expects exactly its message.
struct ModelCheckingTests {
    static func problems(_ entities: [EntityDescription]) -> [String] {
        do {
            _ = try ObjectModel(entities: entities)
            return []
        } catch let error as ModelError {
            return error.problems.map(\.description)
        } catch {
            return ["unexpected: \(error)"]
        }
    }

    private func problems(
        _ attributes: [AttributeDescription], relationships: [RelationshipDescription] = []
    ) -> [String] {
        Self.problems([EntityDescription("Game", attributes: attributes, relationships: relationships)])
    }

    // MARK: Names

    @Test func `Entity names are unique`() {
        #expect(
            Self.problems([EntityDescription("Game"), EntityDescription("Game")])
                == ["Game: Two entities have this name: rename one."])
    }

    @Test func `Entity names may not differ in case only`() {
        #expect(
            Self.problems([EntityDescription("Game"), EntityDescription("GAME")]) == [
                "Game: In SQL it becomes the table “Game”, and the entity GAME becomes “GAME”, and databases that ignore case "
                    + "can't distinguish them: rename one."
            ])
    }

    @Test func `Property names are unique`() {
        #expect(
            problems([AttributeDescription("x", .int64), AttributeDescription("x", .string)])
                == ["Game.x: Two properties have this name: rename one."])
        #expect(
            problems(
                [AttributeDescription("x", .int64)], relationships: [RelationshipDescription("x", to: "Game")]
            )
                == ["Game.x: Two properties have this name: rename one."])
    }

    @Test func `Property names are unique within an inheritance tree`() {
        let sentence =
            "has this name too, and both entities are in one table: rename one, or declare the property once in a common superentity."
        let x = AttributeDescription("x", .int64)
        #expect(
            Self.problems([
                EntityDescription("A", attributes: [x]),
                EntityDescription("B", superentity: "A", attributes: [x]),
            ]) == ["B.x: A.x \(sentence)"])
        #expect(
            Self.problems([
                EntityDescription("A"), EntityDescription("B", superentity: "A", attributes: [x]),
                EntityDescription("C", superentity: "A", attributes: [x]),
            ]) == ["C.x: B.x \(sentence)"])
    }

    @Test func `Properties must have different columns`() {
        func collision(_ own: String, _ other: String, _ becomes: String) -> String {
            "In SQL it becomes the column “\(own)”, and \(other) becomes “\(becomes)”, and databases that ignore case can't "
                + "distinguish them: rename one."
        }
        #expect(
            problems([AttributeDescription("title", .string), AttributeDescription("Title", .string)])
                == ["Game.title: " + collision("title", "Game.Title", "Title")])
        #expect(
            problems(
                [AttributeDescription("next_id", .int64)],
                relationships: [RelationshipDescription("next", to: "Game")])
                == ["Game.next: " + collision("next_id", "Game.next_id", "next_id")])
        #expect(
            problems(
                [AttributeDescription("above_order", .int64)],
                relationships: [
                    RelationshipDescription("above", to: "Game", inverse: "below"),
                    RelationshipDescription("below", to: "Game", isToMany: true, isOrdered: true),
                ])
                == ["Game.above: " + collision("above_order", "Game.above_order", "above_order")])
        #expect(
            problems([
                AttributeDescription("address_city", .string),
                AttributeDescription("address", .composite([AttributeDescription("city", .string)])),
            ]) == ["Game.address_city: " + collision("address_city", "Game.address", "address_city")])
    }

    @Test func `SQL names must be unique`() {
        #expect(
            problems([AttributeDescription("startedAt", .date), AttributeDescription("started_at", .date)])
                == [
                    "Game.started_at: In SQL it becomes the column “started_at”, and so does Game.startedAt: rename one."
                ])
        #expect(
            Self.problems([EntityDescription("SqliteStat"), EntityDescription("PgClass")]).allSatisfy {
                $0.contains("reserved for the library and for stores")
            })
        #expect(Self.problems([EntityDescription("SqliteStat")]).count == 1)
    }

    @Test func `A join table may not have an entity's name`() {
        let tag = EntityDescription(
            "Tag",
            relationships: [RelationshipDescription("games", to: "Game", inverse: "tags", isToMany: true)])
        let game = EntityDescription(
            "Game", relationships: [RelationshipDescription("tags", to: "Tag", isToMany: true)])
        #expect(Self.problems([tag, game]) == [])
        #expect(
            Self.problems([tag, game, EntityDescription("game_tags")]) == [
                "Game.tags: In SQL it becomes the table “Game_tags”, and the entity game_tags becomes “game_tags”, and databases "
                    + "that ignore case can't distinguish them: rename one."
            ])
    }

    @Test(arguments: ["1st", "größe", "a b", "a-b", "a.b", "\"; DROP TABLE x"])
    func `Names are letters, digits and underscores`(name: String) {
        let sentence =
            "“\(name)” isn't a valid name in both Swift and SQL: begin it with a letter, and use only ASCII letters, digits and "
            + "underscores."
        #expect(Self.problems([EntityDescription(name)]) == ["\(name): \(sentence)"])
        #expect(problems([AttributeDescription(name, .int64)]) == ["Game.\(name): \(sentence)"])
        let composite = AttributeType.composite([AttributeDescription(name, .int64)])
        #expect(problems([AttributeDescription("c", composite)]) == ["Game.c.\(name): \(sentence)"])
    }

    @Test func `A name can't be empty`() {
        #expect(Self.problems([EntityDescription("")]) == [": A name can't be empty: give one."])
        #expect(problems([AttributeDescription("", .bool)]) == ["Game.: A name can't be empty: give one."])
    }

    @Test(arguments: ["_Game", "sqlite_master", "PG_class", "ManagedObject"])
    func `Names that stores or the library use are reserved`(name: String) {
        #expect(
            Self.problems([EntityDescription(name)])
                == [
                    "\(name): The name is reserved for the library and for stores: give the entity another name."
                ])
    }

    @Test(arguments: [
        "objectID", "hasChanges", "isDeleted", "isFault", "entityLayout", "objectState", "self",
    ])
    func `Names of members of every object are reserved`(name: String) {
        #expect(
            problems([AttributeDescription(name, .string)])
                == [
                    "Game.\(name): Managed objects already have a member of this name: give the property another name."
                ])
    }

    @Test func `Names with a leading underscore are reserved`() {
        #expect(
            problems([AttributeDescription("_key", .int64)])
                == [
                    "Game._key: Names that begin with an underscore are reserved for stores: remove the underscore."
                ])
    }

    @Test func `A name has at most 63 bytes including what SQL adds`() {
        func name(_ length: Int) -> String { String(repeating: "n", count: length) }
        func sentence(_ kind: String, _ name: String) -> String {
            "In SQL it becomes the \(kind) “\(name)” of \(name.utf8.count) bytes, but PostgreSQL allows only 63: shorten it."
        }
        #expect(Self.problems([EntityDescription(name(63))]) == [])
        #expect(
            Self.problems([EntityDescription(name(64))]) == ["\(name(64)): " + sentence("table", name(64))])
        #expect(problems([AttributeDescription(name(63), .int64)]) == [])
        #expect(
            problems([AttributeDescription(name(64), .int64)])
                == ["Game.\(name(64)): " + sentence("column", name(64))])
        #expect(problems([], relationships: [RelationshipDescription(name(60), to: "Game")]) == [])
        #expect(
            problems([], relationships: [RelationshipDescription(name(61), to: "Game")])
                == ["Game.\(name(61)): " + sentence("column", name(61) + "_id")])
        #expect(
            problems(
                [],
                relationships: [
                    RelationshipDescription(name(60), to: "Game", inverse: name(60), isToMany: true)
                ]) == ["Game.\(name(60)): " + sentence("table", "Game_" + name(60))])
    }

    // MARK: Inheritance and classes

    @Test func `A superentity must be in the model`() {
        #expect(
            Self.problems([EntityDescription("Game", superentity: "Thing")]) == [
                "Game: Its superentity “Thing” isn't in the model: add it to the model, or correct the name."
            ])
    }

    @Test func `No entity inherits from itself`() {
        #expect(
            Self.problems([
                EntityDescription("A", superentity: "B"), EntityDescription("B", superentity: "A"),
                EntityDescription("C", superentity: "A"),
            ]) == [
                "A: It inherits from itself through “B”: remove the superentity of one entity of the cycle."
            ])
        #expect(
            Self.problems([EntityDescription("A", superentity: "A")])
                == [
                    "A: It inherits from itself through “A”: remove the superentity of one entity of the cycle."
                ]
        )
    }

    @Test func `An abstract entity needs no subentity`() {
        #expect(Self.problems([EntityDescription("Thing", isAbstract: true)]) == [])
    }

    // MARK: Several problems

    @Test func `All problems are reported at once, sorted by position`() throws {
        let error = try #require(throws: ModelError.self) {
            try ObjectModel(entities: [
                EntityDescription("B", attributes: [AttributeDescription("_b", .bool)]),
                EntityDescription("A", relationships: [RelationshipDescription("b", to: "C")]),
            ])
        }
        #expect(error.problems.map(\.code) == [.unknownDestination, .reservedName])
        #expect(error.problems.map(\.entity) == ["A", "B"])
        #expect(error.problems.map(\.property) == ["b", "_b"])
        #expect(error.description.hasPrefix("The model has 2 problems:\n- A.b: "))
    }
}
