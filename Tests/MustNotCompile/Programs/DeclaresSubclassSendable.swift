// expected: conformance of 'ManagedObject' to 'Sendable' is unavailable: An object stays in its context
import ContextCore

final class Move: ManagedObject, Sendable {}

func leak(_ store: Store) async throws {
    let move = try await store.write("leak") { context in Move(insertingInto: context) }
    print(move.isInserted)
}
