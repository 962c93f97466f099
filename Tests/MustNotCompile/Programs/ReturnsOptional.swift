// expected: conformance of 'ManagedObject' to 'Sendable' is unavailable: An object stays in its context
import ContextCore

func leak(_ store: Store, _ id: ObjectID) async throws {
    let game = try await store.read("leak") { context in try? context.object(with: id, as: Game.self) }
    print(game?.title ?? "")
}
