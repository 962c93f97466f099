import ContextCore

extension Topic {
    /// Saves after another context has saved related objects: links, ordered and one-to-one relationships, derived attributes.
    static let concurrentSaves: Topic = Topic("concurrent saves") {
        Requirement(
            "Moving a member of an ordered relationship doesn't restore it after another context removed it"
        ) {
            run in
            let store = try await run.openRankedGames()
            let editor = store.makeBackgroundContext()
            try await editor.perform { context in
                _ = try context.person("Dan").favourites
                _ = try context.game("A").rounds
            }
            try await store.write("theirs") { context in
                try context.person("Dan").favourites.removeAll { $0.title == "B" }
                try context.only(Round.self, "number = 2").game = try context.game("B")
            }
            try await editor.perform { context in
                let dan = try context.person("Dan")
                dan.favourites = dan.favourites.reversed()
                let game = try context.game("A")
                game.rounds = game.rounds.reversed()
                try context.save()
            }
            try await store.read("look") { context in
                let titles = try context.person("Dan").favourites.map(\.title)
                try expectEqual(titles, ["C", "A"], "The favourites of Dan")
                try expectEqual(try context.game("A").rounds.map(\.number), [3, 1], "The rounds of A")
                try expectEqual(try context.game("B").rounds.map(\.number), [2], "The rounds of B")
            }
        }
        Requirement("A new order doesn't move a member within the list to which another context has moved it")
        { run in
            let store = try await run.openRankedGames()
            let editor = store.makeBackgroundContext()
            try await editor.perform { context in
                let game = try context.game("A")
                game.rounds = [game.rounds[1], game.rounds[2], game.rounds[0]]
            }
            try await store.write("theirs") { context in
                let other = try context.game("B")
                other.rounds = [
                    Round(in: context, number: 4), try context.only(Round.self, "number = 1"),
                    Round(in: context, number: 5),
                ]
            }
            try await editor.perform { try $0.save() }
            try await store.read("look") { context in
                try expectEqual(try context.game("A").rounds.map(\.number), [2, 3], "The rounds of A")
                try expectEqual(try context.game("B").rounds.map(\.number), [4, 1, 5], "The rounds of B")
            }
        }
        Requirement(
            "A child's new order keeps members that its parent added, and doesn't restore removed ones"
        ) {
            run in
            let store = try await run.openRankedGames()
            try await store.makeBackgroundContext().perform { context in
                let child = context.makeChild()
                let theirs = try child.person("Dan")
                _ = theirs.favourites
                let dan = try context.person("Dan")
                dan.favourites.removeAll { $0.title == "B" }
                dan.favourites.insert(try context.game("D"), at: 0)
                theirs.favourites = theirs.favourites.reversed()
                try child.save()
                try expectEqual(dan.favourites.map(\.title), ["D", "C", "A"], "The favourites in the parent")
                try context.save()
            }
            try await store.read("look") { context in
                let titles = try context.person("Dan").favourites.map(\.title)
                try expectEqual(titles, ["D", "C", "A"], "The favourites in the store")
            }
        }
        Requirement("A child that appends to an ordered relationship keeps its parent's order") { run in
            let store = try await run.openRankedGames()
            try await store.makeBackgroundContext().perform { context in
                let child = context.makeChild()
                let theirs = try child.person("Dan")
                _ = theirs.favourites
                let dan = try context.person("Dan")
                dan.favourites = dan.favourites.reversed()
                theirs.favourites.append(try child.game("D"))
                try child.save()
                try expectEqual(
                    dan.favourites.map(\.title), ["C", "B", "A", "D"], "The favourites in the parent")
            }
        }
        Requirement("A merge into an ordered relationship keeps its pending changes") {
            run in
            let store = try await run.openRankedGames()
            let editor = store.makeBackgroundContext()
            try await editor.perform { context in
                let dan = try context.person("Dan")
                dan.favourites = [dan.favourites[2], dan.favourites[0], dan.favourites[1]]
            }
            try await store.write("theirs") { context in
                let dan = try context.person("Dan")
                dan.favourites.insert(try context.game("D"), at: 0)
            }
            try await editor.perform { context in
                let dan = try context.person("Dan")
                try context.refresh(dan)
                try expectEqual(dan.favourites.map(\.title), ["D", "C", "A", "B"], "The favourites")
                try context.save()
            }
            try await store.read("look") { context in
                let titles = try context.person("Dan").favourites.map(\.title)
                try expectEqual(titles, ["D", "C", "A", "B"], "The favourites in the store")
            }
        }
        Requirement("Both ends of a one-to-one agree after a conflict: two passports for one traveler") {
            run in
            let outcomes: [(MergePolicy, String, Int64)] = [
                (.objectWins, "Cid 3 - -", 2), (.overwrite, "Cid 3 - -", 2), (.storeWins, "Cid 2 - -", 3),
            ]
            for (policy, stored, free) in outcomes {
                let travel = try await TravelFixture(run, beside: "_\(UInt32.random(in: 0...UInt32.max))")
                try await travel.store.write("free") { try $0.traveler("Bob").passport = nil }
                let editor = travel.store.makeBackgroundContext()
                try await editor.perform { try $0.traveler("Cid").passport = try $0.passport(3) }
                try await travel.store.write("theirs") {
                    try $0.traveler("Cid").passport = try $0.passport(2)
                }
                try await expectConflict(in: editor, resolvedBy: policy)
                try travel.expectStored(["Ann 1 Bob Iceland", "Bob - Ann -", stored], free: [free])
            }
        }
        Requirement("Both ends of a one-to-one agree after a conflict: two travelers for one passport") {
            run in
            let outcomes: [(MergePolicy, [String])] = [
                (.objectWins, ["Bob - Ann -", "Cid 3 - -"]), (.overwrite, ["Bob - Ann -", "Cid 3 - -"]),
                (.storeWins, ["Bob 3 Ann -", "Cid - - -"]),
            ]
            for (policy, stored) in outcomes {
                let travel = try await TravelFixture(run, beside: "_\(UInt32.random(in: 0...UInt32.max))")
                let editor = travel.store.makeBackgroundContext()
                try await editor.perform { try $0.traveler("Cid").passport = try $0.passport(3) }
                try await travel.store.write("theirs") {
                    try $0.traveler("Bob").passport = try $0.passport(3)
                }
                try await expectConflict(in: editor, resolvedBy: policy)
                try travel.expectStored(["Ann 1 Bob Iceland"] + stored, free: [2])
            }
        }
        Requirement("Derived attributes include the saves of all contexts, and cause no conflict") {
            run in
            let store = try await run.openRankedGames()
            let editor = store.makeBackgroundContext()
            try await editor.perform { context in
                let game = try context.game("A")
                _ = game.players
                game.rating = 3
                _ = Player(in: context, name: "mine", game: game)
            }
            try await store.write("theirs") { _ = Player(in: $0, name: "theirs", game: try $0.game("A")) }
            try await editor.perform { context in
                try context.save()
                try expectEqual(try context.game("A").playerCount, 2, "The count in the context")
            }
            try await store.read("look") { context in
                try expectEqual(try context.game("A").playerCount, 2, "The count in the store")
                try expectEqual(try context.game("A").rating, 3, "The rating")
            }
        }
        Requirement("An object that is inserted again has the members that the store still has") { run in
            let store = try await run.openRankedGames()
            try await store.write("more") { context in
                for name in ["x", "y"] { _ = Player(in: context, name: name, game: try context.game("A")) }
            }
            let editor = store.makeBackgroundContext()
            try await editor.perform { context in
                let game = try context.game("A")
                _ = (game.players.map(\.name), game.fans.map(\.name), game.rounds.map(\.number))
                game.rating = 4
            }
            try await store.write("theirs") { context in
                try context.player("y").game = try context.game("B")
                context.delete(try context.game("A"))
            }
            try await editor.perform { context in
                context.mergePolicy = .objectWins
                try context.save()
                let game = try context.game("A")
                try expectEqual(game.players.count, 0, "The players in the context")
                try expectEqual(game.playerCount, 0, "The count in the context")
            }
            try await store.read("look") { context in
                let game = try context.game("A")
                try expectEqual(game.playerCount, 0, "The count in the store")
                try expectEqual(game.players.count, 0, "The players in the store")
                try expectEqual(game.fans.map(\.name), ["Dan"], "The fans")
                try expectEqual(try context.game("B").playerCount, 1, "The count of the other game")
            }
        }
        Requirement("A member whose row was read before the merge leaves the list of its former owner") {
            run in
            let store = try await run.openRankedGames()
            let editor = store.makeBackgroundContext()
            try await editor.perform { context in
                let rounds = try context.game("A").rounds
                try context.game("A").rounds.append(Round(in: context, number: 7))
                context.refault(rounds[0])
            }
            var changes = store.changes.makeAsyncIterator()
            try await store.write("theirs") { try $0.only(Round.self, "number = 1").game = nil }
            let change = try require(await changes.next(), "The change")
            try await editor.perform { context in
                let first = try context.only(Round.self, "number = 1")
                try expect(first.game == nil, "The round belongs to no game")
                try context.merge(change)
                let numbers = try context.game("A").rounds.map(\.number)
                try expectEqual(numbers, [2, 3, 7], "The rounds after the merge")
            }
        }
        Requirement("An object that is inserted again has the links that only their other end has loaded") {
            run in
            let store = try await run.openRankedGames()
            let editor = store.makeBackgroundContext()
            try await editor.perform { context in
                let dan = try context.person("Dan")
                try expectEqual(dan.favourites.map(\.title).contains("A"), true, "Dan's favourite")
                // The changes keep both objects.
                dan.name = "Daniel"
                try context.game("A").rating = 4
            }
            try await store.write("theirs") { $0.delete(try $0.game("A")) }
            try await editor.perform { context in
                context.mergePolicy = .objectWins
                try context.save()
                try expectEqual(try context.game("A").fans.map(\.name), ["Daniel"], "The fans in the context")
            }
            try await store.read("look") { context in
                try expectEqual(try context.game("A").fans.map(\.name), ["Daniel"], "The fans in the store")
                let favourites = try context.person("Daniel").favourites.map(\.title)
                try expectEqual(favourites.contains("A"), true, "Dan's favourite in the store")
            }
        }
        Requirement(
            "Saving some objects updates the owner's derived attributes, but saves no other change"
        ) {
            run in
            let store = try await run.openRankedGames()
            let editor = store.makeBackgroundContext()
            try await editor.perform { context in
                let game = try context.game("A")
                game.rating = 2
                let first = Player(in: context, name: "first", game: game)
                _ = Player(in: context, name: "second", game: game)
                try context.save(only: [first])
                try expectEqual(game.rating, 2, "The rating in the context")
            }
            try await store.read("look") { context in
                try expectEqual(try context.game("A").playerCount, 1, "The count in the store")
                try expectEqual(try context.game("A").rating, nil, "The rating in the store")
            }
            try await editor.perform { context in
                try context.save()
                try expectEqual(try context.game("A").playerCount, 2, "The count in the context")
                let third = Player(in: context, name: "third", game: try context.game("A"))
                try context.save(only: [third])
                context.rollback()
                try expectEqual(try context.game("A").playerCount, 3, "The count after rolling back")
            }
            try await store.read("look") { context in
                try expectEqual(try context.game("A").playerCount, 3, "The count in the store")
                try expectEqual(try context.game("A").rating, 2, "The rating in the store")
            }
        }
        Requirement(
            "A save that fails changes nothing: derived attributes, members and objects are as before"
        ) {
            run in
            let store = try await run.openRankedGames()
            try await store.write("more") { _ = Player(in: $0, name: "gone") }
            let editor = store.makeBackgroundContext()
            try await editor.perform { context in
                let (game, player) = (try context.game("A"), try context.player("gone"))
                _ = (game.players, player.score)
                player.game = game
            }
            try await store.write("theirs") { $0.delete(try $0.player("gone")) }
            try await editor.perform { context in
                let game = try context.game("A")
                let player = try require(game.players.first, "The pending player")
                for _ in 0..<2 {
                    try expectError(.conflict) { try context.save() }
                    try expect(player.isUpdated && game.players.contains(player), "The player is pending")
                    try expectEqual(game.playerCount, 0, "The count in the context")
                }
            }
            try await store.read("look") {
                try expectEqual(try $0.game("A").playerCount, 0, "The count in the store")
            }
        }
        Requirement(
            "Derived copies follow their source, whether an object, a batch or another context changes it"
        ) {
            run in
            let store = try await run.open(LibraryModel.classes)
            try await store.write("fill") { context in
                for (label, title) in [("X", "a"), ("Y", "b")] {
                    _ = Volume(in: context, title: title, shelf: Shelf(in: context, label: label))
                }
            }
            func expect(_ labels: [String?], line: Int = #line) async throws {
                try await store.read("look") { context in
                    let volumes = try context.find(Volume.self, order: "title")
                    try expectEqual(volumes.map(\.shelfLabel), labels, "The copies", line: line)
                    try expectEqual(
                        volumes.map(\.lowerShelfLabel), labels.map { $0?.lowercased() }, "The lower copies",
                        line: line)
                }
            }
            try await expect(["X", "Y"])
            try await store.write("rename") { try $0.only(Shelf.self, "label = 'X'").label = "Q" }
            try await expect(["Q", "Y"])
            let editor = store.makeBackgroundContext()
            try await editor.perform { context in
                let volumes = try context.find(Volume.self, order: "title")
                try context.only(Shelf.self, "label = 'Y'").label = "R"
                try context.save()
                try expectEqual(volumes.map(\.shelfLabel), ["Q", "R"], "The copies in the context")
            }
            try await expect(["Q", "R"])
            try await store.write("batch") { context in
                _ = try context.batchUpdate(Shelf.self, .set(\.label, to: "All"))
            }
            try await expect(["All", "All"])
            try await editor.perform { context in
                try context.refreshAll()
                let volume = try context.only(Volume.self, "title = 'a'")
                volume.shelf = try context.only(Volume.self, "title = 'b'").shelf
                volume.pages = 7
            }
            try await store.write("theirs") { context in
                try require(try context.only(Volume.self, "title = 'b'").shelf).label = "Last"
            }
            try await editor.perform { try $0.save() }
            try await expect(["Last", "Last"])
        }
        Requirement("Without an order, new objects come last, in the order of their insertion") {
            run in
            let store = try await run.openRankedGames()
            try await store.makeBackgroundContext().perform { context in
                for title in ["E", "F", "G"] { _ = Game(in: context, title: title) }
                let all = ["A", "B", "C", "D", "E", "F", "G"]
                try expectEqual(try context.find(Game.self).map(\.title), all, "The games before the save")
                try context.save()
                try expectEqual(try context.find(Game.self).map(\.title), all, "The games after the save")
            }
        }
        Requirement("A refresh that discards changes restores a deleted object") { run in
            let store = try await run.openRankedGames()
            try await store.makeBackgroundContext().perform { context in
                let player = Player(in: context, name: "kept", game: try context.game("A"))
                try context.save()
                context.delete(player)
                try context.refresh(player, mergeChanges: false)
                try expect(!player.isDeleted && !context.hasChanges, "The player is as in the store")
                try expect(try context.game("A").players.contains(player), "The game has the player")
            }
        }
        Requirement("A merge rule that returns the store's value leaves no pending change") { run in
            let store = try await run.openRankedGames()
            let editor = store.makeBackgroundContext()
            try await editor.perform { try $0.game("A").rating = 1 }
            try await store.write("theirs") { try $0.game("A").rating = 2 }
            try await editor.perform { context in
                context.mergePolicy = MergePolicy(.custom { $0.theirs })
                try context.save()
                try expect(!context.hasChanges, "Nothing is pending")
            }
        }
    }
}

extension CaseRun {
    /// Opens a store with the games A to D; Dan's favourites are the first three, and A has three rounds.
    fileprivate func openRankedGames() async throws -> Store {
        let store = try await open()
        try await store.write("fill") { context in
            let games = ["A", "B", "C", "D"].map { Game(in: context, title: $0) }
            Person(in: context, name: "Dan").favourites = Array(games.prefix(3))
            for number in 1...3 { _ = Round(in: context, number: number, game: games[0]) }
        }
        return store
    }
}

/// Expects that a context's save conflicts, and that it succeeds with a policy.
private func expectConflict(in editor: ContextActor, resolvedBy policy: MergePolicy) async throws {
    try await editor.perform { context in
        try expectError(.conflict) { try context.save() }
        context.mergePolicy = policy
        try context.save()
        try expect(!context.hasChanges, "Nothing is pending")
    }
}
