import ContextCore
import Foundation
import Hummingbird
import Model
import Testing

@testable import ClubServer

struct EventTests {
    @Test func `A list is sent at once, and each change of it after the save`() async throws {
        let store = try Store.inMemory(clubModel)
        let routes = MemberRoutes(club: try await Club(store: store))
        var events = ListEvents(rows: try await routes.followStrongest()).makeAsyncIterator()
        let list = try await next(&events)
        #expect(list == "event: list\ndata: {\"steps\":[]}\n\n")

        let id = try await store.write { context in
            let member = Member(in: context, name: "Ann", rating: 1850)
            try context.save()
            return member.objectID
        }
        let ann = #"{"id":\#(id.number),"name":"Ann","rating":1850}"#
        let inserted = #"{"steps":[{"action":"insert","object":\#(ann),"row":0}]}"#
        let insertion = try await next(&events)
        #expect(insertion == "event: change\ndata: \(inserted)\n\n")

        try await store.write { context in
            context.delete(try context.existing(Member.self, id))
        }
        let deleted = #"{"steps":[{"action":"delete","row":0}]}"#
        let deletion = try await next(&events)
        #expect(deletion == "event: change\ndata: \(deleted)\n\n")
        await store.close()
    }

    @Test func `The standings of a tournament follow the results of its games`() async throws {
        let store = try Store.inMemory(clubModel)
        let (tournament, entry) = try await store.write { context in
            let tournament = Tournament(in: context, name: "Spring")
            let member = Member(in: context, name: "Ann")
            let entry = Entry(in: context, member: member, tournament: tournament)
            try context.save()
            return (tournament.objectID, entry.objectID)
        }
        let routes = TournamentRoutes(club: try await Club(store: store))
        var events = ListEvents(rows: try await routes.followStandings(of: tournament)).makeAsyncIterator()
        let list = try await next(&events)
        #expect(list.hasPrefix("event: list\ndata: {\"steps\":[{\"action\":\"insert\""))
        try await store.write { context in
            try context.existing(Entry.self, entry).score = 1
        }
        let change = try await next(&events)
        #expect(change.contains(#""action":"update""#))
        #expect(change.contains(#""score":1"#))
        await store.close()
    }

    private func next<Object>(_ events: inout ListEvents<Object>.Iterator) async throws -> String {
        let event = try await events.next()
        return String(buffer: try #require(event))
    }
}
