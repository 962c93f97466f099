// expected: capture of 'game' with non-Sendable type 'Game' in a '@Sendable' closure
import ContextCore

func leak(_ first: ContextActor, _ second: ContextActor) async throws {
    try await first.perform { context in
        let game = Game(insertingInto: context)
        try second.performAndWait { _ in game.title = "Go" }
    }
}
