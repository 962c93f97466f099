// expected: sending 'game' risks causing data races
import ContextCore

@MainActor func leak(_ store: Store) async throws {
    let game = Game(insertingInto: store.viewContext)
    async let title = read(game)
    game.title = "Go"
    print(await title)
}

nonisolated func read(_ game: Game) async -> String { game.title }
