// expected: sending 'game' risks causing data races
import ContextCore

func leak(_ store: Store, _ games: AsyncStream<Game>.Continuation) async throws {
    try await store.write("leak") { context in
        let game = Game(insertingInto: context)
        games.yield(game)
        game.title = "Go"
    }
}
