// expected: sending 'game' risks causing data races
import ContextCore

func leak(_ store: Store, _ continuation: CheckedContinuation<Game, Never>) async throws {
    try await store.write("leak") { context in
        let game = Game(insertingInto: context)
        continuation.resume(returning: game)
        game.title = "Go"
    }
}
