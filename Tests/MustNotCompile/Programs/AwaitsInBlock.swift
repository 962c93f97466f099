// expected: cannot pass function of type '@Sendable (ObjectContext) async -> ()' to parameter
import ContextCore

func leak(_ store: Store) async throws {
    try await store.write("leak") { context in
        let game = Game(insertingInto: context)
        await Task.yield()
        game.title = "Go"
    }
}
