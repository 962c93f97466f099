// expected: conformance of 'ManagedObject' to 'Sendable' is unavailable: An object stays in its context
import ContextCore

func leak(_ editor: ContextActor) async throws {
    let game = try await editor.perform { context in Game(insertingInto: context) }
    print(game.title)
}
