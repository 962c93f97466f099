// expected: passing closure as a 'sending' parameter risks causing data races between code in
import ContextCore

func leak(_ store: Store) async throws {
    try await store.write("leak") { context in
        let game = Game(insertingInto: context)
        Task { print(game.title) }
    }
}
