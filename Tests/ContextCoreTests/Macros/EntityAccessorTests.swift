import ContextCore
import Foundation
import Testing

struct EntityAccessorTests {
    private let context: ObjectContext

    init() throws {
        context = try .ofMacroModel()
    }

    @Test func `A new object has the defaults of its class`() {
        let before = Date()
        let league = League(in: context, title: "Go")
        #expect(league.title == "Go")
        #expect(league.grade == .easy)
        #expect(league.tags == ["new"])
        #expect(league.score == nil)
        #expect(!league.isOpen)
        #expect(league.runners.isEmpty)
        #expect(abs(league.startedAt.timeIntervalSince(before)) < 10)
        #expect(league.token != League(in: context, title: "Chess").token)
    }

    @Test func `Every kind of property stores its value`() {
        let league = League(in: context, title: "Go", grade: .hard, tags: ["a", "b"], score: 3)
        league.isOpen = true
        league.title += "!"
        league.tags.append("c")
        #expect(league.title == "Go!")
        #expect(league.grade == .hard)
        #expect(league.tags == ["a", "b", "c"])
        #expect(league.score == 3)
        #expect(league.isOpen)
    }

    @Test func `Relationships and inverses agree`() {
        let league = League(in: context, title: "Go")
        let ann = Runner(in: context, name: "Ann", league: league)
        let bob = Coach(in: context, venue: Venue(street: "Elm", zip: 7), pupils: [ann], leader: league)
        #expect(league.runners == [ann])
        #expect(ann.coaches == [bob])
        #expect(bob.leader == league)
        league.runners.insert(bob)
        #expect(bob.league == league)
    }

    @Test func `An object of a subclass has the properties of both classes`() {
        let league = League(in: context, title: "Go")
        let coach = Coach(in: context, salary: 12, venue: Venue(street: "Elm", zip: 7), leader: league)
        coach.name = "Cy"
        #expect(coach.name == "Cy")
        #expect(coach.salary == 12)
        coach.venue.city = "Ulm"
        #expect(coach.venue == Venue(street: "Elm", city: "Ulm", zip: 7))
    }

    @Test func `A class written by hand works the same`() {
        let first = Handmade(insertingInto: context)
        let second = Handmade(insertingInto: context)
        first.title = "One"
        first.next = second
        #expect(first.title == "One")
        #expect(second.next == first)
        #expect(first.snapshot().next == second.objectID)
    }
}
