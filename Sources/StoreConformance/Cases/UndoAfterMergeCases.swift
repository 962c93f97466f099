import ContextCore

extension Topic {
    /// Undo of changes after another context has saved the same objects.
    static let undoAfterMerges: Topic = Topic("undo after merges") {
        Requirement("Undoing a move removes the object from the owner that another context assigned") { run in
            let fixture = try await UndoFixture(run)
            try await fixture.editor.perform { context in
                try context.player("Ann").game = try context.game("Chess")
                try context.save()
            }
            try await fixture.store.write("theirs") { try $0.player("Ann").game = try $0.game("Go") }
            try await fixture.editor.perform { context in
                try context.mergeStoreChanges()
                context.undo()
                let ann = try context.player("Ann")
                try expectEqual(ann.game?.title, "Ludo", "The game of Ann")
                for title in ["Chess", "Go"] {
                    try expect(!(try context.game(title).players.contains(ann)), "\(title) has lost Ann")
                }
                try context.save()
                context.redo()
                try expectEqual(ann.game?.title, "Go", "The game of Ann after redo")
                context.undo()
                try expect(!context.hasChanges, "Nothing is pending after redo and undo")
            }
            try await fixture.expect(players: ["Chess": [], "Go": [], "Ludo": ["Ann", "Bob"]])
        }
        Requirement("Undoing an insertion leaves no change if another context has deleted the object") {
            run in
            let fixture = try await UndoFixture(run)
            try await fixture.editor.perform { context in
                _ = Player(in: context, name: "Dan", game: try context.game("Ludo"))
                try context.save()
            }
            try await fixture.store.write("theirs") { $0.delete(try $0.player("Dan")) }
            try await fixture.editor.perform { context in
                try context.mergeStoreChanges()
                context.undo()
                let changed = context.updatedObjects.map { "\($0.objectID) \($0.changedPropertyNames)" }
                try expectEqual(changed, [], "The changes after undo")
                try expect(!context.hasChanges, "Nothing is pending after undo")
                context.redo()
                try expect(!context.hasChanges, "Nothing is pending after redo")
                try context.save()
            }
            try await fixture.expect(players: ["Ludo": ["Ann", "Bob"]])
        }
        Requirement("Undoing a one-to-one restores the partner, and both ends agree") { run in
            let travel = try await TravelFixture(run)
            let editor = travel.store.makeBackgroundContext()
            try await editor.perform { context in
                (context.automaticallyMergesChanges, context.isUndoEnabled) = (true, true)
                try context.traveler("Ann").passport = try context.passport(3)
                try context.save()
            }
            try await travel.store.write("theirs") { try $0.traveler("Cid").passport = try $0.passport(1) }
            try await editor.perform { context in
                try context.mergeStoreChanges()
                context.undo()
                try expectEqual(try context.traveler("Ann").passport?.number, 1, "The passport of Ann")
                try expect(try context.traveler("Cid").passport == nil, "Cid has no passport")
                try context.save()
            }
            try travel.expectStored(["Ann 1 Bob Iceland", "Bob 2 Ann -", "Cid - - -"], free: [3])
        }
        Requirement("Undoing a new order keeps the members that another context added, at their positions") {
            run in
            let fixture = try await UndoFixture(run)
            try await fixture.editor.perform { context in
                let ludo = try context.game("Ludo")
                ludo.rounds = ludo.rounds.reversed()
                try context.save()
            }
            try await fixture.store.write("theirs") {
                _ = Round(in: $0, number: 4, game: try $0.game("Ludo"))
            }
            try await fixture.editor.perform { context in
                try context.mergeStoreChanges()
                context.undo()
                let ludo = try context.game("Ludo")
                try expectEqual(ludo.rounds.map(\.number), [1, 2, 3, 4], "The rounds after undo")
                try context.save()
                ludo.rounds.append(Round(in: context, number: 5))
                try context.save()
            }
            try await fixture.store.read("look") { context in
                let rounds = try context.game("Ludo").rounds
                try expectEqual(rounds.map(\.number), [1, 2, 3, 4, 5], "The rounds in the store")
            }
        }
        Requirement("Undoing a new order loads a list that was unloaded since") { run in
            let fixture = try await UndoFixture(run)
            try await fixture.editor.perform { context in
                let ludo = try context.game("Ludo")
                ludo.rounds = [ludo.rounds[2], ludo.rounds[0], ludo.rounds[1]]
                try context.save()
                try context.refreshAll()
                context.undo()
                try context.save()
                try expectEqual(ludo.rounds.map(\.number), [1, 2, 3], "The rounds after undo")
            }
            try await fixture.store.read("look") { context in
                let rounds = try context.game("Ludo").rounds
                try expectEqual(rounds.map(\.number), [1, 2, 3], "The rounds in the store")
            }
        }
        Requirement("Undoing and redoing a link that another context has removed changes nothing") {
            run in
            let fixture = try await UndoFixture(run)
            try await fixture.editor.perform { context in
                try context.game("Ludo").fans.insert(try context.person("Eve"))
                try context.save()
            }
            try await fixture.store.write("theirs") { context in
                try context.game("Ludo").fans.remove(try context.person("Eve"))
                try context.game("Ludo").fans.insert(try context.person("Dan"))
            }
            try await fixture.editor.perform { context in
                try context.mergeStoreChanges()
                context.undo()
                try expectEqual(try context.game("Ludo").fans.map(\.name), ["Dan"], "The fans after undo")
                context.redo()
                try context.save()
            }
            try await fixture.store.read("look") { context in
                try expectEqual(
                    try context.game("Ludo").fans.map(\.name).sorted(), ["Dan"], "The fans")
                try expectEqual(try context.person("Eve").favourites.map(\.title), [], "Favourites")
            }
        }
        Requirement(
            "Undoing an insertion applies the delete rules to objects that another context linked to it"
        ) { run in
            let fixture = try await UndoFixture(run)
            try await fixture.editor.perform { context in
                _ = Game(in: context, title: "Halma")
                try context.save()
            }
            try await fixture.store.write("theirs") { context in
                let halma = try context.game("Halma")
                try context.player("Ann").game = halma
                halma.fans.insert(try context.person("Dan"))
                halma.owner = try context.person("Eve")
            }
            try await fixture.editor.perform { context in
                try context.mergeStoreChanges()
                context.undo()
                try context.save()
            }
            try await fixture.expect(players: ["Chess": [], "Go": [], "Ludo": ["Bob"]])
            try await fixture.store.read("look") { context in
                try expectEqual(try context.person("Dan").favourites.count, 0, "The favourites of Dan")
                try expectEqual(try context.person("Eve").games.count, 0, "The games of Eve")
            }
        }
        Requirement("Undoing a deletion doesn't restore members that another context has reassigned") { run in
            let fixture = try await UndoFixture(run)
            try await fixture.editor.perform { context in
                let ludo = try context.game("Ludo")
                _ = ludo.fans
                try context.player("Bob").game = try context.game("Go")
                try context.save()
                context.delete(try context.game("Go"))
                context.undo()
                try expect(!context.hasChanges, "Nothing is pending")
                context.delete(try context.game("Chess"))
                try context.save()
            }
            try await fixture.store.write("theirs") { try $0.player("Ann").game = try $0.game("Go") }
            try await fixture.editor.perform { context in
                try context.mergeStoreChanges()
                context.undo()
                try context.save()
            }
            try await fixture.expect(players: ["Chess": [], "Go": ["Ann", "Bob"], "Ludo": []])
        }
        Requirement("Assigning a property's current value is not a change for undo, redo and hooks") {
            run in
            let fixture = try await UndoFixture(run)
            try await fixture.editor.perform { context in
                let ann = try context.player("Ann")
                ann.score = 5
                context.undo()
                try expect(context.canRedo, "There is something to redo")
                ann.name = "Ann"
                ann.game = ann.game
                let ludo = try context.game("Ludo")
                ludo.rounds = ludo.rounds
                ludo.players = ludo.players
                try expect(context.canRedo && !context.canUndo, "Nothing was changed")
                try expect(!context.hasChanges, "Nothing is pending")
                context.redo()
                try expectEqual(ann.score, 5, "The score after redo")
            }
        }
    }
}

/// A store with the games Chess, Go and Ludo, and the people Dan and Eve; Ludo has the players Ann and Bob and three rounds.
///
/// The editor is a context with undo and automatic merging.
private struct UndoFixture {
    let store: Store
    let editor: ContextActor

    init(_ run: CaseRun) async throws {
        store = try await run.open()
        try await store.write("fill") { context in
            let games = ["Chess", "Go", "Ludo"].map { Game(in: context, title: $0) }
            for name in ["Ann", "Bob"] { _ = Player(in: context, name: name, game: games[2]) }
            for number in 1...3 { _ = Round(in: context, number: number, game: games[2]) }
            for name in ["Dan", "Eve"] { _ = Person(in: context, name: name) }
        }
        editor = store.makeBackgroundContext()
        try await editor.perform { ($0.automaticallyMergesChanges, $0.isUndoEnabled) = (true, true) }
    }

    /// Expects that the store's games have these players, and that their derived counts match.
    func expect(players: [String: [String]], file: String = #fileID, line: Int = #line) async throws {
        try await store.read("look") { context in
            for (title, names) in players {
                let game = try context.game(title)
                try expectEqual(
                    game.players.map(\.name).sorted(), names, "The players of \(title)", file: file,
                    line: line)
                try expectEqual(
                    game.playerCount, names.count, "The player count of \(title)", file: file, line: line)
            }
        }
    }
}

extension ObjectContext {
    func game(_ title: String) throws -> Game { try only(Game.self, "title = %@", title) }

    func player(_ name: String) throws -> Player { try only(Player.self, "name = %@", name) }

    func person(_ name: String) throws -> Person { try only(Person.self, "name = %@", name) }
}
