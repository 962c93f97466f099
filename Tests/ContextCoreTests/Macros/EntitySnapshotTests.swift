import Foundation
import Testing

@testable import ContextCore

struct EntitySnapshotTests {
    private let context: ObjectContext
    private let league: League
    private let coach: Coach

    init() throws {
        context = try .ofMacroModel()
        league = League(in: context, title: "Go", grade: .hard, tags: ["a"], score: 3)
        coach = Coach(in: context, salary: 12, venue: Venue(street: "Elm", zip: 7), leader: league)
        coach.name = "Ann"
        coach.league = league
    }

    @Test func `A snapshot has the attributes of its class with their types`() {
        let snapshot = league.snapshot()
        league.title = "Chess"
        #expect(snapshot.title == "Go")
        #expect(snapshot.grade == .hard)
        #expect(snapshot.tags == ["a"])
        #expect(snapshot.score == 3)
        #expect(snapshot.token == league.token)
        #expect(snapshot.objectID == league.objectID)
    }

    @Test func `Relationships are identifiers`() {
        #expect(league.snapshot().runners == [coach.objectID])
        #expect(coach.snapshot().league == league.objectID)
        #expect(coach.snapshot().leader == league.objectID)
        #expect(coach.snapshot().pupils == [])
    }

    @Test func `A snapshot of a subclass has the properties of both classes`() {
        let snapshot = coach.snapshot()
        #expect(snapshot.name == "Ann")
        #expect(snapshot.salary == 12)
        #expect(snapshot.venue == Venue(street: "Elm", zip: 7))
        #expect((coach as Runner).snapshot().name == "Ann")
    }

    @Test func `A computed property works on the snapshot's values`() {
        let snapshot = league.snapshot()
        league.title = "Chess"
        #expect(snapshot.shout == "GO!")
    }

    @Test func `A snapshot is Sendable, comparable, and gives its object back`() async throws {
        let snapshot = league.snapshot()
        let title = await Task.detached { snapshot.title }.value
        #expect(title == "Go")
        #expect(league.snapshot() == snapshot)
        #expect(try context.object(from: snapshot) === league)
        league.score = 4
        #expect(league.snapshot() != snapshot)
    }

    @Test func `A snapshot is encoded as its values, and decoded`() throws {
        let snapshot = coach.snapshot()
        let data = try JSONEncoder().encode(snapshot)
        #expect(try JSONDecoder().decode(EntitySnapshot<Coach>.self, from: data) == snapshot)
        #expect(try JSONDecoder().decode(ObjectSnapshot.self, from: data) == snapshot.objectSnapshot)
    }

    @Test func `A snapshot is decoded only as its own class or a superclass`() throws {
        let (coaches, leagues) = (
            try JSONEncoder().encode(coach.snapshot()), try JSONEncoder().encode(league.snapshot())
        )
        let runners = try JSONEncoder().encode(Runner(in: context, name: "Bo").snapshot())
        #expect(try JSONDecoder().decode(EntitySnapshot<Runner>.self, from: coaches).name == "Ann")
        #expect(
            try JSONDecoder().decode(EntitySnapshot<ManagedObject>.self, from: coaches).objectID
                == coach.objectID)
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(EntitySnapshot<League>.self, from: coaches)
        }
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(EntitySnapshot<Coach>.self, from: leagues)
        }
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(EntitySnapshot<Coach>.self, from: runners)
        }
    }

    @Test func `Values missing in an older snapshot are nil, zero or empty`() {
        let bare = ObjectSnapshot(
            objectID: league.objectID, entityName: "League", attributes: [:], references: [:],
            collections: [:])
        let snapshot = EntitySnapshot<League>(objectSnapshot: bare)
        #expect(snapshot.title == "")
        #expect(snapshot.tags == [])
        #expect(snapshot.runners == nil)
        #expect(EntitySnapshot<Coach>(objectSnapshot: bare).leader == nil)
    }
}
