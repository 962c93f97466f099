import ContextCore
import Foundation

// One class of each kind that the macros support.

enum Grade: String, CaseIterable, AttributeValue { case easy, hard }

@Composite struct Venue: Equatable {
    @Attribute(.length(1...80)) var street: String
    var city: String? = nil
    var zip: Int
}

@Entity(unique: [[\.title, \.startedAt]], renamedFrom: "Event")
final class League: ManagedObject {
    @Attribute(.unique) var title: String
    var startedAt: Date = .now
    var token: UUID = UUID()
    var grade: Grade = .easy
    @Attribute(.codable) var tags: [String] = ["new"]
    @Attribute(.range(0...100), renamedFrom: "points") var score: Int?
    @Transient var isOpen: Bool = false
    @Relationship(deleteRule: .cascade, inverse: \Runner.league, minimumCount: 1)
    var runners: Set<Runner>
    @Derived(.count(\.runners)) var runnerCount: Int

    var shout: String { title.uppercased() + "!" }
}

@Entity class Runner: ManagedObject {
    var name: String
    var league: League?
    @Relationship(inverse: \.pupils) var coaches: [Coach]
}

@Entity(indexes: [.index(.ascending(\.name), .descending(\.salary), where: "salary > 10")])
final class Coach: Runner {
    var salary: Decimal = 9.07
    var venue: Venue
    @Relationship(inverse: \.coaches) var pupils: [Runner]
    var leader: League

    private var note: String = ""
}

/// A class without macros, equal to the expansion of `@Entity`.
final class Handmade: ManagedObject {
    var title: String {
        get { value(at: 1) }
        set { setValue(newValue, at: 1) }
    }
    var next: Handmade? {
        get { value(at: 0) }
        set { setValue(newValue, at: 0) }
    }

    override class var entityDescription: EntityDescription {
        EntityDescription(
            of: Handmade.self,
            properties: [
                .property("title", String.self), .property("next", Handmade?.self, inverse: "next"),
            ])
    }
}
