// expected: capture of 'game' with non-Sendable type 'Game' in a '@Sendable' closure
import ContextCore

func leak(_ store: Store) async throws {
    let title = try await store.write("leak") { context in
        let game = Game(insertingInto: context)
        let title: @Sendable () -> String = { game.title }
        return title
    }
    print(title())
}
