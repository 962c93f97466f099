// Values and identifiers can leave a context.
import ContextCore

func work(_ store: Store, _ editor: ContextActor) async throws -> [String] {
    let id = try await store.write("new game") { context in
        let game = Game(insertingInto: context)
        game.title = "Go"
        try context.save()
        return game.objectID
    }
    let title = try await store.read("title") { context in
        try context.object(with: id, as: Game.self).title
    }
    let titles = try await editor.perform { context in
        let game = try context.object(with: id, as: Game.self)
        game.title += "!"
        try context.save()
        return ([game] + game.rematches).map(\.title)
    }
    return titles + [title]
}
