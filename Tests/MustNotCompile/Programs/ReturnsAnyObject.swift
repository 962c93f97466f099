// expected: type 'Any' does not conform to the 'Sendable' protocol
import ContextCore

func leak(_ store: Store) async throws {
    let game = try await store.write("leak") { context in Game(insertingInto: context) as Any }
    print(game)
}
