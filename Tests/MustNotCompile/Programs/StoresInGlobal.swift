// expected: var 'kept' is not concurrency-safe because it is nonisolated global shared mutable state
import ContextCore

var kept: Game?

func leak(_ store: Store) async throws {
    try await store.write("leak") { context in kept = Game(insertingInto: context) }
}
