import ContextCore
import Foundation
import Testing

struct EntityMacroTests {
    @Test func `A class describes its attributes`() {
        let league = League.entityDescription
        #expect(league.name == "League")
        #expect(league.superentityName == nil)
        #expect(league.renamingIdentifier == "Event")
        #expect(
            league.attributes == [
                AttributeDescription("title", .string),
                AttributeDescription("startedAt", .date, default: .now),
                AttributeDescription("token", .uuid, default: .newUUID),
                AttributeDescription("grade", .string, default: .value(.string("easy"))),
                AttributeDescription("tags", .codable, default: .value(.string(#"["new"]"#))),
                AttributeDescription(
                    "score", .int64, isOptional: true, rules: [.range(minimum: .int(0), maximum: .int(100))],
                    renamingIdentifier: "points"),
                AttributeDescription("isOpen", .bool, default: .value(.bool(false)), storage: .transient),
                AttributeDescription(
                    "runnerCount", .int64, storage: .derived(.count(relationship: "runners"))),
            ])
        #expect(
            league.uniqueConstraints == [
                UniqueConstraint(["title", "startedAt"]), UniqueConstraint(["title"]),
            ])
    }

    @Test func `A decimal number has the default as it was written`() throws {
        let context = try ObjectContext.ofMacroModel()
        let league = League(in: context, title: "Go")
        let coach = Coach(in: context, venue: Venue(street: "Elm", zip: 7), leader: league)
        let exact = try #require(Decimal(string: "9.07"))
        #expect(coach.salary == exact)
        #expect(Coach.entityDescription.attributes[0].defaultValue == .value(.decimal(exact)))
        #expect(
            PropertyDescription.property("price", Decimal.self, default: 0.07)
                == .property(
                    "price", Decimal.self,
                    default: .constant(Decimal(sign: .plus, exponent: -2, significand: 7))))
    }

    @Test func `A class describes its relationships`() {
        #expect(
            League.entityDescription.relationships == [
                RelationshipDescription(
                    "runners", to: "Runner", inverse: "league", isToMany: true, deleteRule: .cascade,
                    minimumCount: 1)
            ])
        #expect(
            Coach.entityDescription.relationships == [
                RelationshipDescription(
                    "pupils", to: "Runner", inverse: "coaches", isToMany: true, isOrdered: true),
                RelationshipDescription("leader", to: "League", isOptional: false),
            ])
    }

    @Test func `A subclass inherits its superclass's entity and slots`() {
        let coach = Coach.entityDescription
        #expect(coach.superentityName == "Runner")
        #expect(
            coach.indexes == [
                IndexDescription(
                    [.init("name"), .init("salary", isDescending: true)], where: "salary > 10")
            ])
        #expect(Runner.slotNames == ["coaches", "league", "name"])
        #expect(
            Coach.slotNames == Runner.slotNames + ["leader", "note", "pupils", "salary", "venue"])
        #expect(Coach.slotCount == 8)
    }

    @Test func `A composite's parts are described, and stored by the bytes of their names`() throws {
        let venue = try #require(Coach.entityDescription.attributes.first { $0.name == "venue" })
        #expect(
            venue.type
                == .composite([
                    AttributeDescription("city", .string, isOptional: true),
                    AttributeDescription("street", .string, rules: [.length(minimum: 1, maximum: 80)]),
                    AttributeDescription("zip", .int64),
                ]))
        let home = Venue(street: "Elm", zip: 7)
        #expect(home.storedValue == .composite([.null, .string("Elm"), .int(7)]))
        #expect(Venue(storedValue: home.storedValue) == home)
        #expect(Venue(storedValue: .composite([.null, .string("Elm")])) == nil)
        #expect(Venue.placeholder == Venue(street: "", city: "", zip: 0))
    }

    @Test func `The slots that accessors use are those of the model's layout`() throws {
        let model = try ObjectModel([League.self, Runner.self, Coach.self, Handmade.self])
        for type in [League.self, Runner.self, Coach.self, Handmade.self] as [ManagedObject.Type] {
            let layout = try #require(model.layout(named: type.entityName))
            #expect(layout.properties.map(\.name) == type.slotNames)
            #expect(type.slotCount == type.slotNames.count)
        }
    }
}
