import ContextCore
import Foundation
import Testing

struct ObjectModelBuilderTests {
    @Test func `A model declared without classes equals the one of descriptions`() throws {
        let built = try ObjectModel {
            Entity("Game") {
                Attribute("title", .string).unique().length(1...80)
                Attribute("startedAt", .date).default(.now)
                Relationship("players", toMany: "Player", inverse: "game", deleteRule: .cascade)
            }
            Entity("Player") {
                Attribute("name", .string)
                Attribute("score", .int64).default(0)
                Relationship("game", to: "Game")
                Index("game", .descending("score"))
            }
        }
        let described = try ObjectModel(entities: [
            EntityDescription(
                "Player",
                attributes: [
                    AttributeDescription("score", .int64, default: .value(.int(0))),
                    AttributeDescription("name", .string),
                ], relationships: [RelationshipDescription("game", to: "Game", inverse: "players")],
                indexes: [IndexDescription([.init("game"), .init("score", isDescending: true)])]),
            EntityDescription(
                "Game",
                attributes: [
                    AttributeDescription("title", .string, rules: [.length(minimum: 1, maximum: 80)]),
                    AttributeDescription("startedAt", .date, default: .now),
                ],
                relationships: [
                    RelationshipDescription("players", to: "Player", isToMany: true, deleteRule: .cascade)
                ],
                uniqueConstraints: [UniqueConstraint(["title"])]),
        ])
        #expect(built.fileText == described.fileText)
    }

    @Test func `The builder covers every part of an entity's description`() {
        let entity = Entity(
            "Cup", inheriting: "Thing", isAbstract: true, renamedFrom: "Mug", hashModifier: "2")
        #expect(entity.superentityName == "Thing")
        #expect(entity.isAbstract)
        #expect(entity.renamingIdentifier == "Mug")
        #expect(entity.versionHashModifier == "2")
    }

    @Test func `The builder covers every part of an attribute's description`() {
        let entity = Entity("Cup") {
            Attribute("a", .string).optional().pattern("a+").renamed(from: "z").hashModifier("1")
                .preservedOnDeletion().indexed()
            Attribute("b", .data).externalStorage(over: 10).length(...9).transformed(by: "sealed")
            Attribute("c", .double).transient().default(1.5).range(0...2)
            Attribute("d", .int64).derived(.count(relationship: "parts"))
            Attribute("e", .composite { Attribute("f", .bool) })
            Attribute("g", .decimal(precision: 9, scale: 2)).range(Decimal(1)...)
        }
        #expect(
            entity.attributes == [
                AttributeDescription(
                    "a", .string, isOptional: true, rules: [.pattern("a+")], renamingIdentifier: "z",
                    versionHashModifier: "1", preservesValueOnDeletion: true),
                AttributeDescription(
                    "b", .data, rules: [.length(minimum: nil, maximum: 9)], transformerName: "sealed",
                    externalThreshold: 10),
                AttributeDescription(
                    "c", .double, default: .value(.double(1.5)), storage: .transient,
                    rules: [.range(minimum: .double(0), maximum: .double(2))]),
                AttributeDescription("d", .int64, storage: .derived(.count(relationship: "parts"))),
                AttributeDescription("e", .composite([AttributeDescription("f", .bool)])),
                AttributeDescription(
                    "g", .decimal(precision: 9, scale: 2), rules: [.range(minimum: .decimal(1), maximum: nil)]
                ),
            ])
        #expect(entity.indexes == [IndexDescription([.init("a")])])
    }

    @Test func `The builder covers every part of a relationship's description`() {
        let entity = Entity("Cup") {
            Relationship("owner", to: "Owner", inverse: "cups", deleteRule: .deny).required().unique()
                .indexed()
            Relationship("parts", toMany: "Part", inverse: "cup").ordered().count(1...3).renamed(from: "bits")
                .hashModifier("1")
            Unique("owner", "parts")
            Index("owner", where: "size > 3")
        }
        #expect(
            entity.relationships == [
                RelationshipDescription(
                    "owner", to: "Owner", inverse: "cups", isOptional: false, deleteRule: .deny),
                RelationshipDescription(
                    "parts", to: "Part", inverse: "cup", isToMany: true, isOrdered: true, minimumCount: 1,
                    maximumCount: 3, renamingIdentifier: "bits", versionHashModifier: "1"),
            ])
        #expect(
            entity.uniqueConstraints == [UniqueConstraint(["owner"]), UniqueConstraint(["owner", "parts"])])
        #expect(
            entity.indexes == [
                IndexDescription([.init("owner")]), IndexDescription([.init("owner")], where: "size > 3"),
            ])
    }

    @Test func `Conditions and loops are allowed in declarations`() throws {
        let isLarge = true
        let model = try ObjectModel {
            for name in ["A", "B"] {
                Entity(name) {
                    for index in 0..<2 { Attribute("x\(index)", .bool) }
                    if isLarge { Attribute("size", .int64) } else { Attribute("weight", .double) }
                }
            }
            if isLarge { Entity("C") }
        }
        #expect(model.layouts.map(\.name) == ["A", "B", "C"])
        #expect(model.layouts[0].properties.map(\.name) == ["size", "x0", "x1"])
    }

    @Test func `An invalid model is rejected as usual`() {
        let error = #expect(throws: ModelError.self) {
            try ObjectModel { Entity("Game") { Relationship("players", toMany: "Player") } }
        }
        #expect(error?.problems.map(\.code) == [.unknownDestination])
    }
}
