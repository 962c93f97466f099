import ContextCore
import Foundation
import PostgresBackend
import SQLiteBackend

/// Plays games on a store: `Games`, or `Games postgres://app@localhost/games`.
///
/// Without a URL the store is a SQLite file in a folder that goes when the program ends.
@main
struct Games {
    static func main() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "games-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let url = CommandLine.arguments.dropFirst().first ?? "sqlite:\(folder.path)/games.sqlite"

        let store = try await Store.open(
            url, backends: [.sqlite, .postgres], model: [Game.self, Player.self])
        let play = Play(store: store)
        try await play.setUp(tables: 4, playersAtEach: 5)
        print("4 games of 5 players, set up in one save.")
        let rounds = try await play.playAtOnce(rounds: 25)
        print("\(rounds) rounds, played by 4 tasks at once, each round saved on its own.")
        for line in try await play.leaders(5) { print(line) }
        try await play.checkScores(rounds: rounds)
        print("Every round is in the scores.")
        await store.close()
    }
}
