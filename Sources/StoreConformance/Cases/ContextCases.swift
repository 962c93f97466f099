import ContextCore
import Foundation

extension Topic {
    /// Pending changes, child contexts, rollback and undo.
    static let contexts: Topic = Topic("contexts") {
        Requirement("Fetches include pending changes: objects, identifiers, counts, limits and orders") {
            run in
            let games = try await run.games()
            let editor = games.makeBackgroundContext()
            try await editor.perform { context in
                _ = Player(in: context, name: "Zoe", score: 8)
                try context.only(Player.self, "name = 'Bob'").score = -1
                context.delete(try context.only(Player.self, "name = 'Cid'"))
                var request = FetchRequest<Player>(
                    where: try FetchPredicate("score > 6"), order: try SortKey.keys("score DESC"))
                try expectEqual(try context.fetch(request).map(\.name), ["Ann", "Zoe"], "The objects")
                try expectEqual(try context.count(request), 2, "The count")
                try expectEqual(
                    try context.fetchIDs(request).map(\.isTemporary), [false, true], "The identifiers")
                try expectEqual(try context.fetchPages(request).map(\.name), ["Ann", "Zoe"], "The pages")
                (request.limit, request.offset) = (1, 1)
                try expectEqual(try context.fetch(request).map(\.name), ["Zoe"], "The second object")
                (request.limit, request.offset, request.includesPendingChanges) = (nil, 0, false)
                try expectEqual(try context.fetchIDs(request).count, 3, "The identifiers in the store")
                try expectEqual(try context.count(request), 3, "The count in the store")
            }
        }
        Requirement(
            "An identifier of another store's object is rejected, even if the store has an object with its key"
        ) { run in
            let games = try await run.games()
            let editor = games.makeBackgroundContext()
            try await editor.perform { context in
                let game = try context.only(Game.self, "title = 'Go'")
                let ours = game.objectID
                let uri = ours.uri.replacing(ours.storeID.uuidString, with: UUID().uuidString)
                let theirs = try require(ObjectID(uri: uri), "The identifier with another store")
                try expectEqual(theirs.key, ours.key, "The key")
                try expectEqual(try context.fetch(Game.self, where: \.objectID == ours), [game], "The game")
                let conditions: [TypedPredicate<Player>] = [
                    \.game == theirs, \.game != theirs, (\Player.game).isIn([ours, theirs]),
                ]
                for condition in conditions {
                    try expectError(.objectNotFound) { try context.fetch(Player.self, where: condition) }
                    try expectError(.objectNotFound) { try context.count(Player.self, where: condition) }
                    try expectError(.objectNotFound) { try context.sum(\Player.score, where: condition) }
                    try expectError(.objectNotFound) {
                        try context.batchDelete(Player.self, where: condition)
                    }
                }
                try expectError(.objectNotFound) { try context.fetch(Game.self, where: \.objectID == theirs) }
                try expectError(.objectNotFound) {
                    try game.members(\.players).fetch(where: \.game == theirs)
                }
            }
        }
        Requirement("Predicates and orders include pending relationships") { run in
            let games = try await run.games()
            let editor = games.makeBackgroundContext()
            try await editor.perform { context in
                let empty = try context.only(Game.self, "title = 'Empty'")
                try context.only(Player.self, "name = 'Ann'").game = empty
                empty.fans.insert(try context.only(Person.self, "name = 'Max'"))
                let found = try context.find(Game.self, "players.@count = 1", order: "title").map(\.title)
                try expectEqual(found, ["Empty", "Go"], "The games with one player")
                try expectEqual(
                    try context.find(Player.self, "game.title = 'Empty'").map(\.name), ["Ann"], "The players")
                try expectEqual(
                    try context.find(Person.self, "ANY favourites.title = 'Empty'").map(\.name), ["Max"],
                    "The fans")
                let order = try context.find(Player.self, order: "game.title DESC, name").map(\.name)
                try expectEqual(order, ["Bob", "Ann", "Cid", "Élan", "Eve"], "The players by game")
            }
        }
        Requirement("A child's save stops at its parent, and saveToStore saves through all levels") { run in
            let games = try await run.games()
            let editor = games.makeBackgroundContext()
            try await editor.perform { context in
                let child = context.makeChild()
                let grandchild = child.makeChild()
                let ann = try grandchild.only(Player.self, "name = 'Ann'")
                ann.score = 20
                let shogi = Game(in: grandchild, title: "Shogi")
                ann.game = shogi
                try grandchild.save()
                try expect(child.hasChanges && !context.hasChanges, "A save stops at the parent")
                try expectEqual(
                    try child.only(Player.self, "score = 20").game?.title, "Shogi", "The game in the child")
                try expectEqual(
                    try context.find(Player.self, "score = 20").count, 0, "The players in the parent")
                try child.save()
                try expectEqual(
                    try context.only(Player.self, "score = 20").game?.title, "Shogi", "The game in the parent"
                )
                ann.score = 21
                try grandchild.saveToStore()
                try expect(
                    !context.hasChanges && !child.hasChanges && !grandchild.hasChanges, "Nothing is pending")
                try expect(!shogi.objectID.isTemporary, "The new object's identifier is permanent")
            }
            try await games.expectNames([("score = 21 AND game.title = 'Shogi'", ["Ann"])])
        }
        Requirement("A child's fetches include the pending changes of its parents") { run in
            let games = try await run.games()
            let editor = games.makeBackgroundContext()
            try await editor.perform { context in
                _ = Player(in: context, name: "Zoe", score: 100)
                context.delete(try context.only(Player.self, "name = 'Bob'"))
                try context.only(Player.self, "name = 'Ann'").nick = "changed"
                let child = context.makeChild()
                let names = try child.find(Player.self, order: "score DESC", limit: 2).map(\.name)
                try expectEqual(names, ["Zoe", "Ann"], "The first two")
                try expectEqual(try child.count(Player.self), 5, "The count")
                try expectEqual(
                    try child.only(Player.self, "nick = 'changed'").name, "Ann", "Whose nick changed")
                let pages = try child.fetchPages(
                    FetchRequest<Player>(order: [try SortKey("name")], batchSize: 2))
                try expectEqual(pages.map(\.name), ["Ann", "Cid", "Eve", "Zoe", "Élan"], "The pages")
                try expectEqual(
                    try child.only(Game.self, "title = 'Go'").players.map(\.name), ["Ann"],
                    "The players of Go")
            }
        }
        Requirement("A child's save conflicts with pending changes of its parent") { run in
            let games = try await run.games()
            let editor = games.makeBackgroundContext()
            try await editor.perform { context in
                let child = context.makeChild()
                try child.only(Player.self, "name = 'Ann'").score = 1
                try context.only(Player.self, "name = 'Ann'").score = 2
                try expectError(.conflict) { try child.save() }
                child.mergePolicy = .objectWins
                try child.save()
                try expectEqual(
                    try context.only(Player.self, "name = 'Ann'").score, 1, "The score in the parent")
            }
        }
        Requirement("A child rolls back to its parent's state, or to the store's") { run in
            let games = try await run.games()
            let editor = games.makeBackgroundContext()
            try await editor.perform { context in
                let ann = try context.only(Player.self, "name = 'Ann'")
                ann.score = 1
                let child = context.makeChild()
                let same = try child.object(with: ann.objectID, as: Player.self)
                try expectEqual(same.score, 1, "The parent's pending score")
                same.score = 2
                child.rollback()
                try expectEqual(same.score, 1, "The score in the parent")
                same.score = 3
                child.rollbackToStore()
                try expect(
                    same.score == 12 && ann.score == 12 && !context.hasChanges, "Everything is as stored")
            }
        }
        Requirement("Undo and redo in groups, over relationships and deletions") { run in
            let games = try await run.games()
            let editor = games.makeBackgroundContext()
            try await editor.perform { context in
                context.isUndoEnabled = true
                let ann = try context.only(Player.self, "name = 'Ann'")
                let chess = try context.only(Game.self, "title = 'Chess'")
                context.undoGroup("move") {
                    ann.game = chess
                    ann.score = 1
                }
                context.undoGroup("delete") { context.delete(chess) }
                try expect(ann.isDeleted, "The cascade deleted the player")
                try expectEqual(context.undoNames, ["delete", "move"], "The names")
                context.undo()
                try expect(
                    !chess.isDeleted && ann.game === chess && chess.players.count == 3,
                    "The deletion is undone")
                context.undo()
                try expect(ann.game?.title == "Go" && ann.score == 12, "The move is undone")
                try expectEqual(context.redoNames, ["move", "delete"], "The names of the undone groups")
                try expect(!context.hasChanges, "Nothing is pending")
                context.redo()
                try expect(ann.game === chess && ann.score == 1 && context.canRedo, "The move is redone")
                try expectEqual(context.redoNames, ["delete"], "The names after a redo")
            }
        }
        Requirement("Saved changes can be undone, and the undone state be saved") { run in
            let games = try await run.games()
            let editor = games.makeBackgroundContext()
            try await editor.perform { context in
                context.isUndoEnabled = true
                context.undoGroup {
                    _ = Game(in: context, title: "Shogi")
                }
                try context.undoGroup {
                    let go = try context.only(Game.self, "title = 'Go'")
                    go.title = "Baduk"
                    context.delete(try context.only(Player.self, "name = 'Bob'"))
                }
                try context.save()
                context.undo()
                try context.save()
            }
            try await games.expectNames([("game.title = 'Go'", ["Ann", "Bob"])])
            try await editor.perform { context in
                context.undo()
                try context.save()
                try expectEqual(try context.count(Game.self), 3, "The games")
                context.redo()
                context.redo()
                try context.save()
            }
            try await games.expectNames([("game.title = 'Baduk'", ["Ann"])])
            try await games.expectNames(
                [("TRUEPREDICATE", ["Baduk", "Chess", "Empty", "Shogi"])], of: "Game")
        }
        Requirement("Properties of objects without a class are accessed by name") { run in
            let store = try await run.open(RuleModel.classes)
            try await store.write("make") { context in
                let box = try context.insert("Box")
                try box.set("name", to: "box")
                let items = try ["b", "a"].map { name in
                    let item = try context.insert("Item")
                    try item.set("name", to: name)
                    return item
                }
                try box.set("items", to: items)
                try expectEqual(try items[0].object("box"), box, "The box of an item")
            }
            try await store.read("look") { context in
                let box = try require(try context.fetch(FetchRequest<ManagedObject>(entityName: "Box")).first)
                let names = try box.objects("items").map { try $0["name"] }
                try expectEqual(Set(names), [.string("a"), .string("b")], "The names of the items")
                try expectError(.unknownProperty) { try box.objects("nothing") }
            }
        }
        Requirement("Invalid requests are rejected before the store runs them") { run in
            let games = try await run.games()
            try await games.read("nonsense") { context in
                for text in [
                    "colour = 1", "score = 'text'", "game = 5", "players > 1", "mood = 'calm'",
                    "game.@count = 1",
                ] {
                    do {
                        _ = try context.find(Player.self, text)
                    } catch let error as StoreError {
                        try expect(
                            error.code == .unknownProperty || error.code == .unsupportedRequest,
                            "“\(text)” is refused as a request, not as \(error.code)")
                        continue
                    }
                    throw ConformanceFailure("“\(text)” was not refused.", file: #fileID, line: #line)
                }
            }
        }
    }
}
