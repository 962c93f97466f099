import ContextCore
import Foundation
import Testing

@testable import StoreAdmin

/// The conversion of models of Core Data.
struct CoreDataConversionTests {
    private func source(_ text: String) throws -> CoreDataModel {
        try DataModelReader.model(XMLTree(reading: "<model>\(text)</model>".utf8))
    }

    private func converted(_ text: String, _ facts: CoreDataFacts = CoreDataFacts()) throws -> (
        ObjectModel, [String]
    ) {
        var conversion = CoreDataConversion(try source(text), facts)
        return (try conversion.validModel(), conversion.remarks.map(\.sentence))
    }

    @Test func `Every kind of property is converted`() throws {
        var facts = CoreDataFacts()
        facts.attributes[.init(entity: "Game", name: "tags")] = .init(values: 2)
        var conversion = CoreDataConversion(try CoreDataFixture.model(), facts)
        let model = try conversion.validModel()
        let game = try #require(model.layout(named: "Game")).description
        let attributes = Dictionary(uniqueKeysWithValues: game.attributes.map { ($0.name, $0) })
        #expect(
            attributes["place"]?.type
                == .composite([
                    AttributeDescription("city", .string, isOptional: true),
                    AttributeDescription("latitude", .double, isOptional: true),
                ]))
        #expect(attributes["place"]?.isOptional == false)
        #expect(attributes["playerCount"]?.storage == .derived(.count(relationship: "players")))
        #expect(attributes["playerCount"]?.type == .int64)
        #expect(attributes["prize"]?.type == .decimal(precision: 38, scale: 10))
        #expect(attributes["prize"]?.defaultValue == .value(.decimal(0)))
        #expect(
            attributes["startedAt"]?.defaultValue == .value(.timestamp(microseconds: 978_307_200_000_000)))
        #expect(attributes["tags"]?.type == .codable && attributes["tags"]?.transformerName == nil)
        #expect(attributes["title"]?.rules == [.length(minimum: 1, maximum: 40)])
        #expect(game.uniqueConstraints == [UniqueConstraint(["title"])])
        #expect(game.indexes == [IndexDescription([.descending("startedAt")])])
        let players = try #require(game.relationships.first { $0.name == "players" })
        #expect(players.isOrdered && players.deleteRule == .cascade && players.maximumCount == 8)
        let person = try #require(model.layout(named: "Person")).description
        #expect(person.isAbstract && person.attributes.map(\.type) == [.uuid, .string, .url])
        #expect(person.indexes == [IndexDescription(["name"])])
        let player = try #require(model.layout(named: "Player")).description
        #expect(player.superentityName == "Person")
        #expect(player.attributes.map(\.name) == ["isHost", "playerNote", "rank", "score", "speed"])
        #expect(player.attributes.map(\.type) == [.bool, .string, .int16, .double, .float])
        #expect(player.attributes[2].rules == [.range(minimum: .int(0), maximum: nil)])
        #expect(player.relationships.map(\.isOptional) == [false])
        let photo = try #require(model.layout(named: "Photo")).description
        #expect(photo.attributes.map(\.externalThreshold) == [65_536])
        #expect(photo.relationships.map(\.name) == ["gameOfPhotos", "owner"])
        #expect(photo.relationships.map(\.inverseName) == ["photos", nil])
    }

    @Test func `Rows decide types, and whether properties are required`() throws {
        var facts = CoreDataFacts()
        facts.attributes[.init(entity: "A", name: "small")] = .init(
            values: 1, wholeDigits: 3, fractionDigits: 14)
        facts.attributes[.init(entity: "A", name: "wide")] = .init(
            values: 1, wholeDigits: 38, fractionDigits: 1)
        facts.attributes[.init(entity: "A", name: "bytes")] = .init(values: 1, isPlain: false)
        facts.attributes[.init(entity: "A", name: "link")] = .init(values: 1, isURL: false)
        facts.attributes[.init(entity: "A", name: "title")] = .init(values: 1, missing: 2)
        facts.references[.init(entity: "A", name: "next")] = .init(missing: 1, disagreements: 1)
        let (model, remarks) = try converted(
            """
            <entity name="A"><attribute name="small" attributeType="Decimal"/><attribute name="wide" attributeType="Decimal"/>
            <attribute name="bytes" attributeType="Transformable" optional="YES"/><attribute name="link" attributeType="URI"/>
            <attribute name="title" attributeType="String"/><relationship name="next" maxCount="1" destinationEntity="A"/></entity>
            """, facts)
        let entity = model.layouts[0].description
        #expect(entity.attributes.map(\.name) == ["bytes", "link", "small", "title", "wide"])
        #expect(
            entity.attributes.map(\.type) == [
                .data, .string, .decimal(precision: 38, scale: 14), .string, .string,
            ])
        #expect(entity.attributes.map(\.isOptional) == [true, false, false, true, false])
        #expect(entity.relationships[0].isOptional)
        #expect(
            remarks == [
                "A.bytes: data; the bytes are the output of the default transformer.",
                "A.link: text, because some of its values are not URLs.",
                "A.title: optional, because 2 objects have no value.",
                "A.wide: text, because its numbers have more than 38 digits.",
                "A.next: optional, because 1 object has no destination.",
                "A.next: 1 destination doesn't refer back; 'storectl check --repair' pairs them.",
            ])
    }

    @Test func `Names that a model can't have are changed`() throws {
        let (model, remarks) = try converted(
            """
            <entity name="Type"><attribute name="hasChanges" attributeType="Boolean"/><attribute name="_id" attributeType="UUID"/>
            <attribute name="größe" attributeType="Double"/><attribute name="userID" attributeType="String"/>
            <attribute name="userId" attributeType="String"/></entity>
            """)
        #expect(model.layouts.map(\.name) == ["TypeEntity"])
        #expect(
            Set(model.layouts[0].properties.map(\.name)) == [
                "hasChangesValue", "id", "grosse", "userID", "typeEntityUserId",
            ])
        #expect(remarks.contains("Type.größe: the property is named grosse.") && remarks.count == 5)
    }

    @Test func `What a model can't have is left out and remarked`() throws {
        let (model, remarks) = try converted(
            """
            <entity name="A"><attribute name="upper" optional="YES" attributeType="String" derived="YES" \
            derivationExpression="uppercase:(name)"/><attribute name="sum" attributeType="String" optional="YES" derived="YES" \
            derivationExpression="bs.@sum.size"/><attribute name="name" attributeType="String" defaultValueString="toolong" \
            maxValueString="3"/><attribute name="code" attributeType="String" regularExpressionString="(["/>
            <attribute name="json" attributeType="Transformable" optional="YES"/>
            <relationship name="bs" toMany="YES" destinationEntity="B" inverseName="a"/>
            <fetchIndex name="byJSON"><fetchIndexElement property="json" type="RTree"/></fetchIndex></entity>
            <entity name="B"><attribute name="size" attributeType="Integer 32"/>
            <relationship name="a" maxCount="1" destinationEntity="A" inverseName="bs"/></entity>
            """)
        let entity = try #require(model.layout(named: "A")).description
        #expect(entity.attributes.allSatisfy { $0.storage == .stored && $0.defaultValue == nil })
        #expect(entity.relationships[0].minimumCount == 1)
        #expect(remarks.contains("A.upper: stored; its derivation “uppercase:(name)” has no counterpart."))
        #expect(remarks.contains("A.name: its default value."))
        #expect(
            remarks.contains { $0.hasPrefix("A.sum: its derivation. The sum of “size” is a 64-bit integer") })
        #expect(remarks.contains { $0.hasPrefix("A.code: its rules. The pattern “([” can't be read") })
        #expect(remarks.contains("A: the index byJSON, whose properties or kind a model can't express."))
    }

    @Test(
        arguments: [
            ("now()", Derivation.now), ("canonical:(name)", .canonical(path: "name")),
            ("lowercase:(game.title)", .lowercased(path: "game.title")),
            ("items.@count", .count(relationship: "items")),
            ("items.@sum.price", .sum(relationship: "items", attribute: "price")),
            ("items.@max.price", .maximum(relationship: "items", attribute: "price")),
            ("game.title", .copy(path: "game.title")),
            ("uppercase:(name)", nil), (#"first ++ " " ++ last"#, nil), ("name", nil), ("", nil),
        ] as [(String, Derivation?)])
    func `Derivations are read`(expression: String, derivation: Derivation?) {
        #expect(CoreDataDerivation.derivation(expression) { $0 } == derivation)
    }

    @Test func `An inverse in a superentity widens the destination`() throws {
        let (model, remarks) = try converted(
            """
            <entity name="Owner"><relationship name="pets" toMany="YES" optional="YES" destinationEntity="Dog" inverseName="owner"/>
            </entity><entity name="Pet"><relationship name="owner" maxCount="1" optional="YES" destinationEntity="Owner" \
            inverseName="pets"/></entity><entity name="Dog" parentEntity="Pet"/>
            """)
        #expect(model.layout(named: "Owner")?.description.relationships.map(\.destinationName) == ["Pet"])
        #expect(remarks == ["Owner.pets: its destination is Pet, which declares the inverse."])
    }
}
