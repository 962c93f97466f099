import ContextCore

extension Topic {
    /// Atomicity and order of saves.
    static let saving: Topic = Topic("saving") {
        Requirement("A write block that throws leaves nothing in the store, not even its own saves") { run in
            let games = try await run.open()
            struct Stop: Error {}
            do {
                try await games.write("stop") { context in
                    _ = Game(in: context, title: "Go")
                    try context.save()
                    try expectEqual(try context.count(Game.self), 1, "The games inside the block")
                    throw Stop()
                }
                throw ConformanceFailure("The block's error was lost.", file: #fileID, line: #line)
            } catch is Stop {}
            let count = try await games.read("look") { try $0.count(Game.self) }
            try expectEqual(count, 0, "The games")
        }
        Requirement("A save that fails validation saves nothing, and reports every failure without values") {
            run in
            let rules = try await run.open(RuleModel.classes)
            let editor = rules.makeBackgroundContext()
            try await editor.perform { context in
                let home = Box(in: context, name: "home")
                // A number that no identifier contains by chance.
                let account = Account(in: context, login: "SECRET", age: 987_654_321, home: home)
                let error = try expectError(.validation) { try context.save() }
                try expectEqual(
                    Set(error.failures.compactMap(\.property)), ["login", "age"], "The properties")
                try expect(
                    !"\(error)".contains("SECRET") && !"\(error)".contains("987654321"),
                    "The error names no value")
                try expect(
                    account.isInserted && home.isInserted && home.objectID.isTemporary,
                    "The objects are pending")
                try expectEqual(
                    try context.count(FetchRequest<Box>(includesPendingChanges: false)), 0,
                    "The boxes in the store")
                (account.login, account.age) = ("ann", 20)
                try context.save()
            }
            let count = try await rules.read("look") { try $0.count(Account.self) }
            try expectEqual(count, 1, "The accounts")
        }
        Requirement("A save with a duplicate unique value saves nothing, and can be retried") { run in
            let games = try await run.games()
            let editor = games.makeBackgroundContext()
            try await editor.perform { context in
                let double = Game(in: context, title: "Go")
                let player = try context.only(Player.self, "name = 'Ann'")
                (player.score, player.game) = (99, double)
                context.delete(try context.only(Player.self, "name = 'Bob'"))
                try expectError(.duplicate) { try context.save() }
                try expect(
                    double.isInserted && player.isUpdated && context.deletedObjects.count == 1,
                    "Everything is pending")
            }
            try await games.expectNames([("score = 99", []), ("game.title = 'Go'", ["Ann", "Bob"])])
            try await editor.perform { context in
                for game in context.insertedObjects { try game.set("title", to: "Shogi") }
                try context.save()
                try expect(!context.hasChanges, "Nothing is pending")
            }
            try await games.expectNames([
                ("score = 99 AND game.title = 'Shogi'", ["Ann"]), ("name = 'Bob'", []),
            ])
        }
        Requirement(
            "Saving only some objects also saves the new objects that they refer to, and nothing else"
        ) {
            run in
            let games = try await run.games()
            let editor = games.makeBackgroundContext()
            try await editor.perform { context in
                let shogi = Game(in: context, title: "Shogi")
                let new = Player(in: context, name: "New", game: shogi)
                let ann = try context.only(Player.self, "name = 'Ann'")
                ann.score = 99
                _ = Player(in: context, name: "Later", game: shogi)
                try context.save(only: [new])
                try expect(!new.hasChanges && ann.isUpdated, "Only what was named is saved")
                try expectEqual(context.insertedObjects.count, 1, "What is still new")
            }
            try await games.expectNames([("game.title = 'Shogi'", ["New"]), ("score = 99", [])])
            try await editor.perform { try $0.save() }
            try await games.expectNames([
                ("game.title = 'Shogi'", ["Later", "New"]), ("score = 99", ["Ann"]),
            ])
        }
        Requirement("Assigning the current value is not a change, and an empty save creates no transaction") {
            run in
            let games = try await run.games()
            let editor = games.makeBackgroundContext()
            let changes = games.changes
            try await editor.perform { context in
                let ann = try context.only(Player.self, "name = 'Ann'")
                ann.score = 13
                try expectEqual(ann.changedValues, ["score": .int(13)], "The changed values")
                try expectEqual(ann.committedValues(["score"]), ["score": .int(12)], "The committed values")
                ann.score = 12
                try expect(!ann.hasChanges && !context.hasChanges, "A value that was set back is no change")
                let game = ann.game
                ann.game = nil
                ann.game = game
                try expect(!context.hasChanges, "A relationship that was set back is no change")
                try context.save()
                ann.score = 14
                try context.save()
            }
            var iterator = changes.makeAsyncIterator()
            let first = try require(await iterator.next(), "A change")
            try expectEqual(first.updated.count, 1, "The objects that the first transaction changed")
        }
        Requirement("willSave is called until it changes nothing, and a hook that never stops is an error") {
            run in
            let rules = try await run.open(RuleModel.classes)
            try await rules.write("hooks") { context in
                let hooked = Hooked(insertingInto: context)
                hooked.name = "calm"
                try expectEqual(hooked.createdBy, "hook", "What was set on insertion")
                try context.save()
                try expectEqual(hooked.name, "calm!", "The name")
            }
            let hook = try await rules.read("look") { context in
                let hooked = try context.only(Hooked.self)
                try expect(!hooked.hasChanges, "A fetched object has no changes")
                return hooked.name
            }
            try expectEqual(hook, "calm!", "The name in the store")
            try await expectError(.endlessWillSave) {
                try await rules.write("restless") { _ = Hooked(in: $0, name: "restless") }
            }
            try await expectError(.validation) {
                try await rules.write("kept") { context in
                    let kept = Hooked(in: context, name: "kept")
                    try context.save()
                    context.delete(kept)
                }
            }
        }
        Requirement("Writes are applied in the order of their submission, and a later read sees them") {
            run in
            let games = try await run.open()
            try await games.write("make") { _ = Player(in: $0, name: "log", nick: "") }
            for number in 0..<30 {
                try await games.write("append") { context in
                    let player = try context.only(Player.self)
                    player.nick = (player.nick ?? "") + "\(number),"
                }
                let nick = try await games.read("look") { try $0.only(Player.self).nick }
                try expectEqual(nick, (0...number).map { "\($0)," }.joined(), "The log after write \(number)")
            }
        }
        Requirement("Concurrent writes of many tasks lose no update") { run in
            let games = try await run.open()
            try await games.write("make") { _ = Player(in: $0, name: "counter") }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<40 {
                    group.addTask { try await games.write("count") { try $0.only(Player.self).score += 1 } }
                }
                try await group.waitForAll()
            }
            let score = try await games.read("look") { try $0.only(Player.self).score }
            try expectEqual(score, 40, "The count")
        }
        Requirement("A read block reads one snapshot while other saves are committed") { run in
            let games = try await run.games()
            let (before, after) = try await games.read("snapshot") { context in
                let before = try context.find(Player.self, "score > 6").count
                let saving = DetachedSave(games)
                saving.waitForSave()
                let game = try context.only(Game.self, "title = 'Go'")
                try expectEqual(game.players.count, 2, "The players that a fault loads")
                return (before, try context.count(Player.self, where: \.score > 6))
            }
            try expectEqual(before, after, "The count before and after another save")
            let count = try await games.read("later") { try $0.count(Player.self, where: \.score > 6) }
            try expectEqual(count, 4, "The count of a later read")
        }
        Requirement("A read-only context can't save") { run in
            let games = try await run.games()
            try await games.read("read only") { context in
                try expect(context.isReadOnly, "A read block's context is read-only")
                try context.only(Player.self, "name = 'Ann'").score = 1
                try expectError(.readOnly) { try context.save() }
                context.rollback()
            }
            let viewer = games.makeBackgroundContext(name: "viewer", isReadOnly: true)
            try await viewer.perform { context in
                try context.only(Player.self, "name = 'Ann'").score = 1
                try expectError(.readOnly) { try context.save() }
                let child = context.makeChild()
                _ = Person(in: child, name: "Eve")
                try expectError(.readOnly) { try child.saveToStore() }
            }
            try await games.expectNames([("score = 12", ["Ann", "Cid"])])
        }
        Requirement("A read block that changes objects throws, unless they are transient or discarded") {
            run in
            let games = try await run.games()
            let error = try await expectError(.readOnly) {
                try await games.read("change") { context in
                    try context.only(Player.self, "name = 'Ann'").score = 1
                    _ = Person(in: context, name: "Eve")
                }
            }
            try expect(
                error.message.contains("changed 2 objects"), "The message counts the objects: \(error)")
            try await expectError(.unknownProperty, "The block's own error") {
                try await games.read("throw") { context in
                    let ann = try context.only(Player.self, "name = 'Ann'")
                    ann.score = 1
                    try ann.set("nothing", to: 1)
                }
            }
            try await games.read("discard") { context in
                let ann = try context.only(Player.self, "name = 'Ann'")
                ann.score += 1
                context.rollback()
                ann.mood = "merry"
            }
            try await games.expectNames([("score = 12", ["Ann", "Cid"])])
        }
        Requirement("A large graph with cycles is saved in one transaction") { run in
            let games = try await run.open()
            try await games.write("graph") { context in
                let people = (0..<50).map { Person(in: context, name: "p\($0)") }
                for index in 0..<50 {
                    people[index].mentor = people[(index * 7 + 3) % 50]
                    let game = Game(in: context, title: "g\(index)", owner: people[index])
                    game.players = Set(
                        (0..<10).map { Player(in: context, name: "\(index).\($0)", score: $0) })
                    game.fans = [people[(index + 1) % 50], people[(index + 2) % 50]]
                    game.rounds = (0..<3).map { Round(in: context, number: $0) }
                }
            }
            try await games.read("look") { context in
                try expectEqual(try context.count(Player.self), 500, "The players")
                try expectEqual(
                    try context.find(Game.self, "fans.@count = 2 AND players.@sum.score = 45").count, 50,
                    "The games")
                try expectEqual(
                    try context.find(Person.self, "favourites.@count = 2 AND mentor != NIL").count, 50,
                    "The people")
            }
        }
        Requirement("Concurrent writes are atomic, and one that fails doesn't affect the others") { run in
            let games = try await run.games()
            let results = await withTaskGroup(of: (Int, StoreError.Code?).self) { group in
                for number in 0..<40 {
                    group.addTask {
                        do {
                            try await games.write("\(number)") { context in
                                let game = Game(in: context, title: "Game \(number)")
                                _ = Player(in: context, name: "Player \(number)", game: game)
                                try context.save()
                                switch number % 5 {
                                case 1: throw StoreError(.objectNotFound, "Given up.")
                                case 2: _ = Game(in: context, title: "Go")
                                case 3: withUnsafeCurrentTask { $0?.cancel() }
                                default: break
                                }
                            }
                            return (number, nil)
                        } catch {
                            return (number, (error as? StoreError)?.code)
                        }
                    }
                }
                return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
            }
            for number in 0..<40 {
                let code: StoreError.Code? =
                    [1: .objectNotFound, 2: .duplicate, 3: .cancelled][number % 5]
                try expectEqual(results[number], code, "What write \(number) threw")
            }
            try await games.read("look") { context in
                let whole = try context.find(Player.self, "name BEGINSWITH 'Player'", order: "name")
                try expectEqual(whole.count, 16, "The players of the writes that returned")
                for player in whole {
                    try expectEqual(
                        player.game?.title, "Game " + player.name.dropFirst("Player ".count),
                        "The player's game")
                }
                try expectEqual(
                    try context.find(Game.self, "title BEGINSWITH 'Game'").count, 16, "Their games")
            }
        }
        Requirement("Transient values are tracked and never stored") { run in
            let games = try await run.games()
            try await games.write("mood") { context in
                let ann = try context.only(Player.self, "name = 'Ann'")
                ann.mood = "wild"
                try context.save()
                try expectEqual(ann.mood, "wild", "The mood after the save")
            }
            let mood = try await games.read("look") { try $0.only(Player.self, "name = 'Ann'").mood }
            try expectEqual(mood, "calm", "The mood in the store")
        }
    }
}

/// Saves in a detached task while a read block waits.
private struct DetachedSave {
    private let store: Store

    init(_ store: Store) { self.store = store }

    func waitForSave() {
        let store = store
        let done = Semaphore()
        Task.detached {
            _ = try? await store.write("beside") { context in
                let go = try context.only(Game.self, "title = 'Go'")
                _ = Player(in: context, name: "New", score: 50, game: go)
            }
            done.signal()
        }
        done.wait()
    }
}
