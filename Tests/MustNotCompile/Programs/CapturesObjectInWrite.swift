// expected: capture of 'game' with non-Sendable type 'Game' in a '@Sendable' closure
import ContextCore

@MainActor func leak(_ store: Store) async throws {
    let game = Game(insertingInto: store.viewContext)
    try await store.write("leak") { _ in game.title = "Go" }
}
