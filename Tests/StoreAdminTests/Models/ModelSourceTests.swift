import ContextCore
import Foundation
import Testing

@testable import StoreAdmin

/// The Swift source of a model.
struct ModelSourceTests {
    private static let game = #"""
        {"entities": {
          "Game": {
            "attributes": {
              "title": {"maximumLength": 80, "minimumLength": 1, "renamedFrom": "name", "type": "string"},
              "startedAt": {"generated": "now", "type": "date"},
              "switch": {"default": true, "type": "bool"},
              "score": {"derived": {"sum": "players.score"}, "type": "int64"},
              "place": {"optional": true, "parts": {"city": {"type": "string"}, "zip": {"optional": true, "type": "int32"}}, "type": "composite"}
            },
            "indexes": [{"properties": ["title", "-startedAt"]}, {"properties": ["startedAt"]}],
            "relationships": {"players": {"deleteRule": "cascade", "inverse": "game", "to": "Player", "toMany": true}},
            "renamedFrom": "Match",
            "unique": [["title"]]
          },
          "Player": {
            "abstract": true,
            "attributes": {"score": {"default": 0, "maximum": 100, "minimum": -100, "type": "int64"}},
            "relationships": {"game": {"inverse": "players", "optional": true, "to": "Game"}}
          },
          "Robot": {"superentity": "Player"}
        }, "format": 1}
        """#

    @Test func `Classes are written as a program would declare them`() throws {
        let source = ModelSource(try ObjectModel(fileText: Self.game))
        #expect(
            source.text == #"""
                import ContextCore

                /// An object of the entity `Game`.
                @Entity(indexes: [.index(.ascending(\.title), .descending(\.startedAt))], renamedFrom: "Match")
                final class Game: ManagedObject {
                    var place: Place?
                    /// The sum of `score` over `players`.
                    @Derived(.sum(\.players, \.score)) var score: Int
                    @Attribute(.indexed) var startedAt: Date = .now
                    var `switch`: Bool = true
                    @Attribute(.unique, .length(1...80), renamedFrom: "name") var title: String
                    /// The `Player` objects whose `game` is this object.
                    @Relationship(deleteRule: .cascade, inverse: \Player.game) var players: Set<Player>
                }

                /// An object of an entity that inherits from the abstract entity `Player`.
                @Entity(isAbstract: true) class Player: ManagedObject {
                    @Attribute(.range(-100...100)) var score: Int = 0
                    /// The `Game` whose `players` include this object.
                    var game: Game?
                }

                /// An object of the entity `Robot`.
                @Entity final class Robot: Player {}

                /// A value whose parts are stored in separate columns.
                @Composite struct Place {
                    var city: String
                    var zip: Int32?
                }

                /// The classes of the model.
                let appModel: [ManagedObject.Type] = [Game.self, Player.self, Robot.self]

                """#)
        #expect(
            source.files.map(\.name)
                == ["Game", "Player", "Robot", "Place", "AppModel"].map { "\($0).swift" })
        #expect(source.remarks.isEmpty && source.hasSameFingerprint)
    }

    // MARK: The round trip

    @Test func `The source of a model with everything is the one that these tests contain`() throws {
        let source = ModelSource(try ObjectModel(fileText: LibraryModel.text))
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "Generated")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(Set(names) == Set(source.files.map(\.name)))
        for file in source.files {
            let text = try String(contentsOf: folder.appending(path: file.name), encoding: .utf8)
            #expect(file.text == text, "\(file.name)")
        }
        #expect(source.hasSameFingerprint)
    }

    @Test func `A model of the generated classes is the original model`() throws {
        let original = try ObjectModel(fileText: LibraryModel.text)
        let classes = try ObjectModel(appModel, transformers: appTransformers)
        #expect(classes.fingerprint == original.fingerprint)
        #expect(classes.fileText == original.fileText)
    }

    @Test func `Generated classes save and fetch objects`() async throws {
        let store = try Store.inMemory(ObjectModel(appModel, transformers: appTransformers))
        try await store.write { context in
            let author = Author(in: context, fee: 3, name: "Ann", secret: "[1]")
            author.settings = .object(["size": .integer(3), "isOn": .bool(false)])
            author.portrait = Data([1, 2])
            let book = Book(in: context, isbn: "9780000000000", author: author)
            book.title = "One"
        }
        try await store.read { context in
            let author = try #require(try context.first(Author.self, where: \.address?.city == "Rome"))
            #expect(author.bookCount == 1 && author.pages == 100 && author.visits == -7)
            #expect(author.settings == .object(["size": .integer(3), "isOn": .bool(false)]))
            #expect(author.portrait == Data([1, 2]) && author.secret == "[1]")
            #expect(author.books.map(\.authorName) == ["Ann"])
        }
    }

    // MARK: What the macros can't express

    /// A model with a transformer, JSON, and parts that have no equivalent in Swift.
    static let odd = #"""
        {"entities": {
          "Place": {
            "attributes": {
              "photo": {"transformer": "sealed", "type": "data"},
              "draft": {"transient": true, "type": "int16"},
              "content": {"optional": true, "type": "codable"},
              "spot": {"parts": {"map": {"type": "codable"}, "x": {"type": "double"}}, "type": "composite"}
            }}}, "format": 1}
        """#

    @Test func `Parts that have no equivalent are comments, and listed`() throws {
        let source = ModelSource(try ObjectModel(fileText: Self.odd))
        #expect(
            source.remarks.map(\.sentence) == [
                "Place.content: the model doesn't contain the type of the value: replace JSONContent.",
                "Place.draft: it gets an initial value, because a transient attribute needs one.",
                "Place.photo: SealedTransformer passes the stored values on: replace its two functions.",
                "Spot.map: “map” is missing: a part of a composite can't be codable in Swift.",
            ])
        #expect(!source.hasSameFingerprint)
        let spot = try #require(source.files.first { $0.name == "Spot.swift" })
        #expect(
            spot.text == """
                import ContextCore

                /// A value whose parts are stored in separate columns.
                @Composite struct Spot {
                    // “map” is missing: a part of a composite can't be codable in Swift.
                    var x: Double
                }

                """)
        #expect(source.text.contains("@Transient var draft: Int16 = .placeholder\n"))
        #expect(
            source.text.contains(
                "    @Attribute(.transformable(by: SealedTransformer.self)) var photo: Data\n"))
        #expect(
            source.text.contains("let appTransformers: [any AttributeTransformer] = [SealedTransformer()]\n"))
    }

    // MARK: Names

    /// Returns the classes and structs for entities with one composite attribute each.
    private func types(_ entities: [(name: String, attribute: String, part: String)]) throws -> [String] {
        let model = try ObjectModel(
            entities: entities.map { entity in
                EntityDescription(
                    entity.name,
                    attributes: [
                        AttributeDescription(
                            entity.attribute, .composite([AttributeDescription(entity.part, .string)]))
                    ])
            })
        return ModelSource(model).files.map { String($0.name.dropLast(".swift".count)) }
    }

    @Test func `Types have names of their own`() throws {
        #expect(
            try types([("Set", "home_address", "city"), ("Book", "string", "text")])
                == ["Book", "SetObject", "BookString", "HomeAddress", "AppModel"])
        #expect(
            try types([("A", "place", "x"), ("B", "place", "y"), ("C", "place", "x"), ("Place", "q", "x")])
                == ["A", "B", "C", "Place", "APlace", "BPlace", "AppModel"])
        #expect(
            try types([("appModel", "entity", "x")]) == [
                "appModelObject", "AppModelEntity", "AppModel",
            ])
    }

    @Test func `A standard type has its module where a property hides it`() throws {
        let model = try ObjectModel(entities: [
            EntityDescription(
                "Page",
                attributes: [
                    AttributeDescription("URL", .url),
                    AttributeDescription("String", .string, isOptional: true),
                ])
        ])
        let text = ModelSource(model).text
        #expect(text.contains("    var String: Swift.String?\n    var URL: Foundation.URL\n"))
    }

    @Test(arguments: [
        ("text", #""text""#), (#"a"b\c"#, ##"#"a"b\c"#"##), (##"a"#b"##, ###"##"a"#b"##"###),
        ("a\nb\"\t", #""a\nb\"\t""#), ("\u{200B}\u{0}é", #""\u{200B}\u{0}é""#), ("", #""""#),
    ])
    func `A string literal is the text`(text: String, literal: String) {
        #expect(SwiftText.literal(text) == literal)
    }

    @Test func `Keywords are in backticks`() {
        #expect(SwiftText.name("default") == "`default`" && SwiftText.name("title") == "title")
        #expect(SwiftText.keyPath("class.title") == #"\.`class`.title"#)
        #expect(SwiftText.label("in") == "in" && SwiftText.label("inout") == "`inout`")
    }
}
