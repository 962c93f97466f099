// expected: capture of 'view' with non-Sendable type 'ObjectContext' in a '@Sendable' closure
import ContextCore

@MainActor func leak(_ editor: ContextActor, _ store: Store) throws {
    let view = store.viewContext
    try editor.performAndWait { context in
        let game = Game(insertingInto: context)
        game.origin = Game(insertingInto: view)
    }
}
