// expected: 'inout sending' parameter '$0' cannot be task-isolated at end of function
import ContextCore
import Synchronization

final class Shelf: Sendable {
    let game = Mutex<Game?>(nil)
}

func leak(_ store: Store, _ shelf: Shelf) async throws {
    try await store.write("leak") { context in
        let game = Game(insertingInto: context)
        shelf.game.withLock { $0 = game }
        game.title = "Go"
    }
}
