// expected: conformance of 'ManagedObject' to 'Sendable' is unavailable: An object stays in its context
import ContextCore

func leak(_ store: Store) async throws {
    let games = try await store.read("leak") { context in [Game(insertingInto: context)] }
    print(games.count)
}
