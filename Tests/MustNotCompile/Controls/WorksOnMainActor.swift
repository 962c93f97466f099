// The view context and its objects, on the main actor.
import ContextCore

@MainActor final class Screen {
    let store: Store
    var games: [Game] = []

    init(_ store: Store) { self.store = store }

    func add() throws {
        let game = Game(insertingInto: store.viewContext)
        games.append(game)
        try store.viewContext.save()
    }

    func refresh() async throws {
        let ids = games.map(\.objectID)
        try await store.write("rename") { context in
            for id in ids { try context.object(with: id, as: Game.self).title = "Chess" }
        }
        Task { try add() }
    }
}
