#if Postgres
import ContextCore
import Foundation
import Testing

@testable import PostgresBackend

@Entity final class Game: ManagedObject {
    @Attribute(.unique) var title: String
    var startedAt: Date = .now
    @Relationship(deleteRule: .cascade, inverse: \Player.game) var players: Set<Player>
}

@Entity final class Player: ManagedObject {
    var name: String
    var score: Int = 0
    var game: Game?
}

@Suite(.enabled(if: TestServer.isExpected, "No PostgreSQL server: run scripts/test."))
struct GameProgramTests {
    private func openStore(_ url: String) async throws -> Store {
        try await Store.open(url, backends: [.postgres], model: [Game.self, Player.self])
    }

    @Test func `A program works with a server as it does with a file`() async throws {
        let url = try TestServer.freshURL()
        let store = try await openStore(url)
        try await store.write { context in
            let game = Game(in: context, title: "Go")
            _ = Player(in: context, name: "Ann", score: 12, game: game)
            _ = Player(in: context, name: "Bob", score: 3, game: game)
        }
        let leaders = try await store.read { context in
            try context.fetch(
                Player.self, where: \.score > 10 && \.game?.title == "Go", order: .descending(\.score),
                limit: 20
            ).map(\.name)
        }
        #expect(leaders == ["Ann"])
        await store.close()

        let again = try await openStore(url)
        try await again.write("change") { context in
            let game = try #require(try context.first(Game.self))
            #expect(game.players.count == 2)
            game.title = "Chess"
            for player in game.players { player.score += 1 }
        }
        #expect(try await again.read("titles") { try $0.fetch(Game.self).map(\.title) } == ["Chess"])
        try await again.write("delete") { context in
            for game in try context.fetch(Game.self) { context.delete(game) }
        }
        #expect(try await again.read("count") { try $0.count(Player.self) } == 0)
        await again.close()
    }

    @Test func `A uniqueness violation is an error, and leaves the store unchanged`() async throws {
        let store = try await openStore(TestServer.freshURL())
        try await store.write("one") { _ = Game(in: $0, title: "Go") }
        await #expect {
            try await store.write("two") { context in
                _ = Game(in: context, title: "Chess")
                _ = Game(in: context, title: "Go")
            }
        } throws: { ($0 as? StoreError)?.code == .duplicate }
        #expect(try await store.read("titles") { try $0.fetch(Game.self).map(\.title) } == ["Go"])
        await store.close()
    }
}
#endif
