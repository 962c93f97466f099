import ContextCore
import Foundation
import Hummingbird
import HummingbirdTesting
import Model
import Testing

@testable import ClubServer

struct TournamentRouteTests {
    @Test func `A tournament is saved with its games, and a result with the scores`() async throws {
        try await serve { client in
            let ann = try await client.addMember("Ann")
            let bo = try await client.addMember("Bo")
            let created = try await client.post(
                "/tournaments", #"{"name": "Spring", "members": [\#(ann), \#(bo)]}"#)
            #expect(created.status == .created)
            let path = try #require(created.headers[.location])
            let tournament = try await client.get(path).decode(TournamentJSON.self)
            #expect(try created.decode(TournamentJSON.self) == tournament)
            #expect(tournament.entries.count == 2)
            let game = try #require(tournament.games.first)

            #expect(try await client.patch("/games/\(game)", #"{"result": "black"}"#).status == .ok)
            #expect(try await client.patch("/games/\(game)", #"{"result": "draw"}"#).status == .ok)
            let standings = try await client.get(path + "/standings").decode([EntryJSON].self)
            #expect(standings.map(\.member) == [ann, bo])
            #expect(standings.map(\.score) == [0.5, 0.5])

            let unknown = try await client.patch("/games/\(game)", #"{"result": "lost"}"#)
            #expect(unknown.status == .unprocessableContent)
        }
    }

    @Test func `A member of a tournament stays until the tournament is deleted`() async throws {
        try await serve { client in
            let ids = [try await client.addMember("Ann"), try await client.addMember("Bo")]
            let created = try await client.post(
                "/tournaments", #"{"name": "Spring", "members": \#(ids)}"#)
            let path = try #require(created.headers[.location])
            #expect(try await client.delete("/members/\(ids[0])").status == .unprocessableContent)
            #expect(try await client.delete(path).status == .noContent)
            #expect(try await client.delete("/members/\(ids[0])").status == .noContent)
        }
    }

    @Test func `A tournament with an unknown member is not saved`() async throws {
        try await serve { client in
            let ann = try await client.addMember("Ann")
            let body = #"{"name": "Spring", "members": [\#(ann), 99]}"#
            #expect(try await client.post("/tournaments", body).status == .notFound)
            #expect(try await client.get("/tournaments").text == #"{"objects":[]}"#)
        }
    }
}
