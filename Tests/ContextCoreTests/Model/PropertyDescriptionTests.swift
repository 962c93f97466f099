import ContextCore
import Foundation
import Testing

private final class Shelf: ManagedObject {
    override class var entityDescription: EntityDescription {
        EntityDescription(
            of: Shelf.self,
            properties: [
                .property("label", String.self, default: "new", .unique, .length(1...40)),
                .property("number", Int?.self, default: .constant(3), .indexed, .range(0...)),
                .property("weight", Double.self, default: 1, .range(0...100)),
                .property("filledAt", Date.self, default: .now),
                .property("serial", UUID.self, default: .newUUID),
                .property("price", Decimal.self, default: 2, .decimal(precision: 12, scale: 2), .range(0...)),
                .codable("tags", [String].self, default: .constant(["b", "a"])),
                .codable("origin", [String: Int]?.self),
                .transformed("secret", String.self, by: Reversed.self),
                .transient("isSelected", Bool.self, default: false),
                .derived("volumeCount", Int.self, .count(relationship: "volumes")),
                .property("volumes", [Volume].self, inverse: "shelf", deleteRule: .cascade),
                .property("owner", Owner.self),
            ])
    }
}

@Composite private struct Load {
    @Attribute(.decimal(precision: 5, scale: 1)) var weight: Double
}

private final class Scale: ManagedObject {
    override class var entityDescription: EntityDescription {
        EntityDescription(
            of: Scale.self,
            properties: [
                .property("label", String.self, .decimal(precision: 5, scale: 1)),
                .property("price", Decimal.self, .decimal(precision: 5, scale: 1)),
                .property("load", Load.self),
            ])
    }
}

private class Volume: ManagedObject {
    override class var entityDescription: EntityDescription {
        EntityDescription(of: Volume.self, properties: [.property("shelf", Shelf?.self)])
    }
}

private final class Atlas: Volume {
    override class var entityDescription: EntityDescription {
        EntityDescription(
            of: Atlas.self, inheriting: Volume.self, properties: [.property("friends", Set<Owner>.self)])
    }
}

private final class Owner: ManagedObject {
    override class var entityName: String { "Person" }
}

private struct Reversed: AttributeTransformer {
    static let name = "reversed"
    static let storedType = AttributeType.data
    static let placeholder = ""
    func storedValue(of value: String) -> StoredValue { .data(Data(value.utf8.reversed())) }
    func value(from stored: StoredValue) -> String {
        guard case .data(let data) = stored else { return "" }
        return String(decoding: data.reversed(), as: UTF8.self)
    }
}

struct PropertyDescriptionTests {
    private let shelf = Shelf.entityDescription

    private func attribute(_ name: String) throws -> AttributeDescription {
        try #require(shelf.attributes.first { $0.name == name })
    }

    private func relationship(
        _ name: String, of entity: EntityDescription
    ) throws -> RelationshipDescription {
        try #require(entity.relationships.first { $0.name == name })
    }

    @Test func `A storable type makes an attribute, which is optional if the type is`() throws {
        let number = AttributeDescription(
            "number", .int64, isOptional: true, default: .value(.int(3)),
            rules: [.range(minimum: .int(0), maximum: nil)])
        #expect(try attribute("number") == number)
        #expect(
            try attribute("label")
                == AttributeDescription(
                    "label", .string, default: .value(.string("new")),
                    rules: [.length(minimum: 1, maximum: 40)]))
        #expect(shelf.uniqueConstraints == [UniqueConstraint(["label"])])
        #expect(shelf.indexes == [IndexDescription([.init("number")])])
    }

    @Test func `Defaults and bounds written as integers have the attribute's type`() throws {
        #expect(try attribute("weight").defaultValue == .value(.double(1)))
        #expect(try attribute("weight").rules == [.range(minimum: .double(0), maximum: .double(100))])
        #expect(try attribute("price").type == .decimal(precision: 12, scale: 2))
        #expect(try attribute("price").defaultValue == .value(.decimal(2)))
        #expect(try attribute("price").rules == [.range(minimum: .decimal(0), maximum: nil)])
    }

    @Test func `Timestamps and UUIDs can be generated on insertion`() throws {
        #expect(try attribute("filledAt").defaultValue == .now)
        #expect(try attribute("serial").defaultValue == .newUUID)
    }

    @Test func `Codable, transformed, transient and derived attributes are declared by name`() throws {
        #expect(try attribute("tags").type == .codable)
        #expect(try attribute("tags").defaultValue == .value(.string(#"["b","a"]"#)))
        #expect(try attribute("origin").isOptional)
        #expect(try attribute("secret").transformerName == "reversed")
        #expect(try attribute("secret").type == .data)
        #expect(try attribute("isSelected").storage == .transient)
        #expect(try attribute("volumeCount").storage == .derived(.count(relationship: "volumes")))
    }

    @Test func `A class makes a relationship that is required, optional, to-many or ordered by its type`()
        throws
    {
        let volumes = try relationship("volumes", of: shelf)
        #expect(volumes.isToMany && volumes.isOrdered)
        #expect(volumes.destinationName == "Volume")
        #expect(volumes.inverseName == "shelf")
        #expect(volumes.deleteRule == .cascade)
        let owner = try relationship("owner", of: shelf)
        #expect(!owner.isToMany && !owner.isOptional)
        #expect(owner.destinationName == "Person")
        #expect(try relationship("shelf", of: Volume.entityDescription).isOptional)
        let friends = try relationship("friends", of: Atlas.entityDescription)
        #expect(friends.isToMany && !friends.isOrdered)
    }

    @Test func `Digits are for decimal numbers`() {
        let error = #expect(throws: ModelError.self) { try ObjectModel([Scale.self]) }
        let sentence = "Precision and scale are for decimal numbers, and the attribute is"
        #expect(
            error?.problems.map(\.description) == [
                "Scale.label: \(sentence) text: remove them, or change the type.",
                "Scale.load.weight: \(sentence) a 64-bit floating-point number: remove them, or change the type.",
            ])
    }

    @Test func `A superclass with an entity is the superentity`() {
        #expect(Atlas.entityDescription.superentityName == "Volume")
        #expect(Volume.entityDescription.superentityName == nil)
        #expect(Atlas.entityDescription.objectClass == Atlas.self)
    }
}
