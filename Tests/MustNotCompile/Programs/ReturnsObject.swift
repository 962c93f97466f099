// expected: conformance of 'ManagedObject' to 'Sendable' is unavailable: An object stays in its context
import ContextCore

func leak(_ store: Store) async throws {
    let game = try await store.write("leak") { context in Game(insertingInto: context) }
    print(game.title)
}
