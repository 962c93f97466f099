import ContextCore
import Foundation

/// Concurrent blocks of one process, on a store with many writers.
extension Work {
    /// The number of writing tasks.
    private static let writers = 8

    /// Adds players to games until it is killed, and prints the name of each one that was saved; every save changes a game that others
    /// change too.
    func writeAtOnce() async throws {
        let options = StoreOptions(writes: .concurrent(limit: Self.writers))
        let store = try await Store.open(
            url, backends: backends, model: StoreUserModel.classes, options: options)
        say("open")
        guard readLine() != nil else { return }
        try await withThrowingTaskGroup { group in
            for writer in 0..<Self.writers {
                group.addTask { await addPlayers(to: store, writer) }
            }
            try await group.waitForAll()
        }
    }

    private func addPlayers(to store: Store, _ writer: Int) async {
        for number in 0..<count {
            let player = "\(name)-\(writer)-\(number)"
            do {
                try await store.write("player", retries: 100) { context in
                    let games = try context.fetch(Game.self, order: .ascending(\.title))
                    let game = games[number % games.count]
                    game.board = Data(player.utf8)
                    _ = Player(in: context, name: player, score: number, game: game)
                }
                say(player)
            } catch let error as StoreError
                where error.code == .connectionLost || error.code == .commitOutcomeUnknown
            {
                // The connection was terminated; the next block gets another one.
                continue
            } catch {
                say("failed: \(error)")
                exit(1)
            }
        }
    }
}
