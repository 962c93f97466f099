// expected: conformance of 'ManagedObject' to 'Sendable' is unavailable: An object stays in its context
import ContextCore

func leak(_ editor: ContextActor) throws {
    let game = try editor.performAndWait { context in Game(insertingInto: context) }
    print(game.title)
}
