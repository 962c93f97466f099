import ContextCore
import Foundation
import Testing

struct ModelFileTests {
    @Test func `A file has one property per line and everything sorted`() throws {
        let model = try ObjectModel {
            Entity("Player", inheriting: "Person", hashModifier: "2") {
                Relationship("game", to: "Game").indexed()
                Attribute("score", .int64).default(0).range(0...)
                Index("game", .descending("score"), where: "score > 10")
            }
            Entity("Person", isAbstract: true, renamedFrom: "Human") {
                Attribute("name", .string).length(1...40).pattern("[A-Z].*")
            }
            Entity("Game") {
                Attribute("title", .string).unique()
                Attribute("startedAt", .date).default(.now)
                Attribute("price", .decimal(precision: 12, scale: 2)).optional()
                Relationship("players", toMany: "Player", inverse: "game", deleteRule: .cascade).ordered()
                Attribute("playerCount", .int64).derived(.count(relationship: "players"))
            }
        }
        #expect(model.fileText == Self.text)
    }

    private static let text = """
        {
          "entities": {
            "Game": {
              "attributes": {
                "playerCount": {"derived": {"count": "players"}, "type": "int64"},
                "price": {"optional": true, "precision": 12, "scale": 2, "type": "decimal"},
                "startedAt": {"generated": "now", "type": "date"},
                "title": {"type": "string"}
              },
              "relationships": {
                "players": {"deleteRule": "cascade", "inverse": "game", "ordered": true, "to": "Player", "toMany": true}
              },
              "unique": [
                ["title"]
              ]
            },
            "Person": {
              "abstract": true,
              "attributes": {
                "name": {"maximumLength": 40, "minimumLength": 1, "pattern": "[A-Z].*", "type": "string"}
              },
              "renamedFrom": "Human"
            },
            "Player": {
              "attributes": {
                "score": {"default": 0, "minimum": 0, "type": "int64"}
              },
              "hashModifier": "2",
              "indexes": [
                {"properties": ["game"]},
                {"properties": ["game", "-score"], "where": "score > 10"}
              ],
              "relationships": {
                "game": {"inverse": "players", "optional": true, "to": "Game"}
              },
              "superentity": "Person"
            }
          },
          "format": 1
        }

        """

    /// One attribute of each type, with a default that is difficult to serialize.
    private static let attributes: [AttributeDescription] = [
        AttributeDescription("aBool", .bool, default: .value(.bool(true))),
        AttributeDescription("anInt16", .int16, default: .value(.int(-32_768))),
        AttributeDescription("anInt32", .int32, default: .value(.int(2_147_483_647))),
        AttributeDescription("anInt64", .int64, default: .value(.int(.min))),
        AttributeDescription("aFloat", .float, default: .value(.double(-.infinity))),
        AttributeDescription(
            "aDouble", .double, default: .value(.double(.leastNonzeroMagnitude)),
            rules: [.range(minimum: .double(-1e300), maximum: .double(.infinity))]),
        AttributeDescription(
            "aDecimal", .decimal(precision: 38, scale: 10),
            default: .value(.decimal(Decimal(string: "1234567890123456789012345678.0123456789") ?? 0)),
            rules: [.range(minimum: .decimal(Decimal(string: "0.1") ?? 0), maximum: nil)]),
        AttributeDescription("aString", .string, default: .value(.string("\"\\\n\t\u{1}é😀/"))),
        AttributeDescription("aData", .data, default: .value(.data(Data([0, 255, 10])))),
        AttributeDescription(
            "aDate", .date, default: .value(.timestamp(microseconds: -62_135_596_800_000_001)),
            rules: [.range(minimum: nil, maximum: .timestamp(microseconds: 1_800_000_000_123_456))]),
        AttributeDescription(
            "aUUID", .uuid,
            default: .value(.uuid(UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 255))))),
        AttributeDescription("aURL", .url, default: .value(.string("https://example.com/a?b=c#d"))),
        AttributeDescription(
            "aCodable", .codable, default: .value(.string(#"{"a":[1,2.50,null],"b":"x"}"#))),
        AttributeDescription(
            "aComposite",
            .composite([
                AttributeDescription("city", .string, isOptional: true),
                AttributeDescription(
                    "zip", .string, rules: [.pattern("[0-9]{5}")], renamingIdentifier: "code",
                    versionHashModifier: "1"),
            ]), default: .value(.composite([.null, .string("01234")]))),
        AttributeDescription("aMoment", .date, isOptional: true, default: .now),
        AttributeDescription("aNumber", .uuid, default: .newUUID),
        AttributeDescription("aTransient", .string, isOptional: true, storage: .transient),
        AttributeDescription("aSecret", .data, transformerName: "sealed", externalThreshold: 100),
        AttributeDescription(
            "aTomb", .string, renamingIdentifier: "old", versionHashModifier: "2",
            preservesValueOnDeletion: true),
        AttributeDescription("lower", .string, storage: .derived(.lowercased(path: "aString"))),
        AttributeDescription("plain", .string, storage: .derived(.canonical(path: "aString"))),
        AttributeDescription(
            "copied", .int64, isOptional: true, storage: .derived(.copy(path: "above.anInt64"))),
        AttributeDescription("counted", .int64, storage: .derived(.count(relationship: "below"))),
        AttributeDescription(
            "summed", .int64, storage: .derived(.sum(relationship: "below", attribute: "anInt16"))),
        AttributeDescription(
            "least", .date, isOptional: true,
            storage: .derived(.minimum(relationship: "below", attribute: "aDate"))),
        AttributeDescription(
            "most", .date, isOptional: true,
            storage: .derived(.maximum(relationship: "below", attribute: "aDate"))),
        AttributeDescription("saved", .date, storage: .derived(.now)),
    ]

    private static let relationships: [RelationshipDescription] = [
        RelationshipDescription("above", to: "All", inverse: "below", deleteRule: .noAction),
        RelationshipDescription(
            "below", to: "All", inverse: "above", isToMany: true, isOrdered: true, deleteRule: .deny,
            minimumCount: 0,
            maximumCount: 9, renamingIdentifier: "under", versionHashModifier: "3"),
        RelationshipDescription("other", to: "All", isOptional: false),
        RelationshipDescription("friends", to: "All", inverse: "friends", isToMany: true),
    ]

    @Test func `Every feature of a model is read back from its file`() throws {
        let entity = EntityDescription(
            "All", attributes: Self.attributes, relationships: Self.relationships,
            indexes: [
                IndexDescription(
                    [.init("aComposite.city", isDescending: true), .init("other")], where: "aBool = true")
            ],
            uniqueConstraints: [UniqueConstraint(["aString", "aDate"]), UniqueConstraint(["aUUID"])],
            renamingIdentifier: "Everything", versionHashModifier: "4")
        let file = try ObjectModel(
            entities: [entity, EntityDescription("Sub", superentity: "All", isAbstract: true)],
            transformers: [Sealed()]
        ).fileText
        let model = try ObjectModel(fileText: file)
        #expect(model.fileText == file)
        let read = try #require(model.layout(named: "All")?.description)
        #expect(Set(read.attributes) == Set(Self.attributes))
        #expect(Set(read.relationships) == Set(Self.relationships))
        #expect(Set(read.indexes) == Set(entity.indexes))
        #expect(Set(read.uniqueConstraints) == Set(entity.uniqueConstraints))
        #expect(read.renamingIdentifier == "Everything")
        #expect(read.versionHashModifier == "4")
        #expect(model.layout(named: "Sub")?.description.superentityName == "All")
        #expect(model.layout(named: "Sub")?.isAbstract == true)
    }

    @Test func `A file can be read with or without its transformers`() throws {
        let file = try ObjectModel(transformers: [Sealed()]) {
            Entity("Game") { Attribute("secret", .data).transformed(by: "sealed") }
        }.fileText
        #expect(try ObjectModel(fileText: file).layouts[0].properties[0].transformer == nil)
        #expect(
            try ObjectModel(fileText: file, transformers: [Sealed()]).layouts[0].properties[0].transformer
                is Sealed)
        #expect(throws: ModelFileError.self) { try ObjectModel(fileText: file, transformers: []) }
    }

    @Test func `A file is read from disk, and its name precedes each message`() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).model.json")
        defer { try? FileManager.default.removeItem(at: file) }
        let model = try ObjectModel { Entity("Game") { Attribute("title", .string) } }
        try Data(model.fileText.utf8).write(to: file)
        #expect(try ObjectModel(contentsOf: file).fingerprint == model.fingerprint)
        try Data("{]".utf8).write(to: file)
        let error = #expect(throws: ModelFileError.self) { try ObjectModel(contentsOf: file) }
        #expect(
            error?.description.hasPrefix("\(file.lastPathComponent):1:2: Expected a name in double quotes")
                == true)
    }
}

private struct Sealed: AttributeTransformer {
    static let name = "sealed"
    static let storedType = AttributeType.data
    static let placeholder = ""
    func storedValue(of value: String) -> StoredValue { .data(Data(value.utf8)) }
    func value(from stored: StoredValue) -> String { "\(stored)" }
}
