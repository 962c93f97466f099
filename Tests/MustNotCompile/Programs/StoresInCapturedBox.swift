// expected: capture of 'box' with non-Sendable type 'Box' in a '@Sendable' closure
import ContextCore

final class Box {
    var game: Game?
}

func leak(_ store: Store) async throws {
    let box = Box()
    try await store.write("leak") { context in box.game = Game(insertingInto: context) }
    print(box.game?.title ?? "")
}
