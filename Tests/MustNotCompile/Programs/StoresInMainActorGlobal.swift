// expected: main actor-isolated var 'kept' can not be mutated from a nonisolated context
import ContextCore

@MainActor var kept: Game?

func leak(_ store: Store) async throws {
    try await store.write("leak") { context in kept = Game(insertingInto: context) }
}
