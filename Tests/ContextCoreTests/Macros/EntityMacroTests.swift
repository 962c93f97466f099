import ContextCore
import Foundation
import Testing

@Entity(unique: [[\.title, \.startedAt]])
private final class Match: ManagedObject {
    @Attribute(.unique) var title: String
    var startedAt: Date = .now
    @Relationship(deleteRule: .cascade, inverse: \Contestant.match) var contestants: Set<Contestant>
    @Derived(.count(\.contestants)) var contestantCount: Int
}

@Entity private final class Contestant: ManagedObject {
    var name: String
    @Attribute(.range(0...100), renamedFrom: "points") var score: Int = 0
    var match: Match?
}

struct EntityMacroTests {
    @Test func `A class describes its entity`() {
        let match = Match.entityDescription
        #expect(match.name == "Match")
        #expect(match.superentityName == nil)
        #expect(
            match.attributes == [
                AttributeDescription("title", .string),
                AttributeDescription("startedAt", .date, default: .now),
                AttributeDescription(
                    "contestantCount", .int64, storage: .derived(.count(relationship: "contestants"))),
            ])
        #expect(
            match.relationships == [
                RelationshipDescription(
                    "contestants", to: "Contestant", inverse: "match", isToMany: true, deleteRule: .cascade)
            ])
        #expect(
            match.uniqueConstraints == [
                UniqueConstraint(["title", "startedAt"]), UniqueConstraint(["title"]),
            ])
    }

    @Test func `Slots follow the bytes of the names`() {
        #expect(Match.slotNames == ["contestantCount", "contestants", "startedAt", "title"])
        #expect(Match.slotCount == 4)
    }
}
