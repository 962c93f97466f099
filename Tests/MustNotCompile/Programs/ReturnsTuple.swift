// expected: conformance of 'ManagedObject' to 'Sendable' is unavailable: An object stays in its context
import ContextCore

func leak(_ store: Store) async throws {
    let (game, count) = try await store.write("leak") { context in (Game(insertingInto: context), 1) }
    print(game.title, count)
}
