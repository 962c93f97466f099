import ContextCore

extension Topic {
    /// Values, aggregates, groups and batches of contexts.
    static let requests: Topic = Topic("requests") {
        Requirement("Sums, averages, minimums and maximums of a context include pending changes") { run in
            let games = try await run.games()
            let editor = games.makeBackgroundContext()
            try await editor.perform { context in
                try expectEqual(try context.sum(\Player.score), 27, "The sum")
                try expectEqual(
                    try context.average(\Player.score, where: \.game?.title == "Go"), 9.5, "The mean")
                try expectEqual(try context.maximum(\Player.name), "Élan", "The greatest")
                _ = Player(in: context, name: "Zoe", score: 100)
                context.delete(try context.only(Player.self, "name = 'Bob'"))
                try expectEqual(try context.sum(\Player.score), 120, "The sum with pending changes")
                try expectEqual(try context.minimum(\Player.score, where: \.score > 0), 12, "The least")
                try expectEqual(try context.maximum(\Player.score, where: \.score > 1000), nil, "None")
            }
        }
        Requirement("Pages by identifier contain each object once, unsaved ones last") { run in
            let games = try await run.games()
            try await games.makeBackgroundContext().perform { context in
                for player in try context.find(Player.self) { player.score = player.name < "C" ? 3 : 5 }
                try context.save()
                let new = Player(in: context, name: "New", score: 3)
                let all = try context.find(Player.self, order: "score DESC")
                try expect(all.count == 6 && all.last === new, "The unsaved object is the last")
                func page(after last: Player?) throws -> [Player] {
                    guard let last else {
                        return try context.fetch(Player.self, order: .descending(\.score), limit: 2)
                    }
                    let isTied: TypedPredicate<Player> = \.score == last.score && \.objectID > last.objectID
                    return try context.fetch(
                        Player.self, where: \.score < last.score || isTied, order: .descending(\.score),
                        limit: 2)
                }
                var names: [String] = []
                var last: Player?
                while case let players = try page(after: last), let end = players.last {
                    names += players.map(\.name)
                    if end === new { break }
                    last = end
                }
                try expectEqual(names, all.map(\.name), "The objects of all pages")
                try expectError(.unsupportedRequest) {
                    try context.find(Player.self, "SELF > %@", new.objectID)
                }
                try expectError(.unsupportedRequest) { try context.find(Player.self, "game > game") }
            }
            try await games.read("keys") { context in
                let ids = try context.find(Player.self).map(\.objectID).sorted { $0.key < $1.key }
                for (index, id) in ids.enumerated() {
                    let counts = try ["<", "<=", ">", ">="].map {
                        try context.find(Player.self, "SELF \($0) %@", id).count
                    }
                    try expectEqual(
                        counts, [index, index + 1, ids.count - index - 1, ids.count - index],
                        "The players around \(id)")
                }
                let least = try context.find(Player.self, "NOT SELF > %@", ids[0]).map(\.objectID)
                try expectEqual(least, [ids[0]], "The object that isn't greater")
            }
        }
        Requirement("Groups, values and rows of a context are sorted") { run in
            let games = try await run.games()
            try await games.read("groups") { context in
                let groups = try context.groups(
                    of: Player.self, by: \.game?.title, .count(), .sum(\.score),
                    order: .descending(by: .count()))
                try expectEqual(groups.map(\.1), [2, 2, 1], "How many")
                try expectEqual(
                    Dictionary(groups.map { ($0.0, $0.2) }) { $1 }, ["Go": 19, "Chess": 8, nil: 0], "Sums")
                let names = try context.values(
                    of: \Player.name, where: \.score > 0, order: .ascending(\.name), limit: 2, offset: 1)
                try expectEqual(names, ["Bob", "Cid"], "The names")
                try expectEqual(
                    try context.values(of: \Player.score, order: .descending(\.score), distinct: true),
                    [12, 7, 0, -4], "Each score once")
                var request = ValueRequest(
                    "Player", ["game.title", .maximum(of: "score", as: "best")], groupBy: ["game.title"])
                request.having = try FetchPredicate("@count > 1")
                request.order = try SortKey.keys("game.title DESC")
                let rows = try context.values(request)
                try expectEqual(
                    rows.map { [$0["game.title"], $0["best"]] },
                    [[.string("Go"), .int(12)], [.string("Chess"), .int(12)]], "The rows")
            }
        }
        Requirement("A batch of a context changes the store immediately, and updates the context's objects") {
            run in
            let games = try await run.games()
            let editor = games.makeBackgroundContext()
            try await editor.perform { context in
                let ann = try context.only(Player.self, "name = 'Ann'")
                let updated = try context.batchUpdate(
                    Player.self, where: \.score > 10, .set(\.score, to: 1), .set(\.nick, to: "same"))
                try expectEqual(updated.updated.count, 2, "How many were changed")
                try expect(updated.updated.contains(ann.objectID) && ann.score == 1, "The object follows")
                let inserted = try context.batchInsert(Player.self, from: ["Yan", "Zoe"]) {
                    [.set(\.name, to: $0), .set(\.score, to: 77)]
                }
                try expectEqual(
                    try inserted.inserted.map { try context.object(with: $0, as: Player.self).name },
                    ["Yan", "Zoe"], "The new players, by identifier")
                let deleted = try context.batchDelete(Game.self, where: \.title == "Go")
                try expectEqual(deleted.deleted.count, 3, "A game and its two players")
                try expect(ann.isDeleted, "The object is deleted with them")
            }
            try await games.expectNames([("TRUEPREDICATE", ["Cid", "Eve", "Yan", "Zoe", "Élan"])])
        }
        Requirement("Other contexts merge a batch like a save") { run in
            let games = try await run.games()
            try await follow(games)
        }
        Requirement("A batch is rejected in a context with pending changes, and in a child") { run in
            let games = try await run.games()
            let editor = games.makeBackgroundContext()
            try await editor.perform { context in
                try expectError(.unsupportedRequest) { try context.makeChild().batchDelete(Player.self) }
                _ = Player(in: context, name: "Zoe")
                try expectError(.unsupportedRequest) { try context.batchDelete(Player.self) }
            }
            try await games.expectNames([("score > 6", ["Ann", "Bob", "Cid"])])
        }
        Requirement("A property's values report all changes, whichever context makes them") { run in
            let games = try await run.games()
            try await watch(games)
        }
    }

    @MainActor private static func follow(_ games: Store) async throws {
        let context = games.viewContext
        context.automaticallyMergesChanges = true
        let eve = try context.only(Player.self, "name = 'Eve'")
        var changes = games.changes.makeAsyncIterator()
        let changed = try await games.makeBackgroundContext().perform {
            try $0.batchUpdate(Player.self, where: \.name == "Eve", .set(\.score, to: 5)).updated
        }
        let message = try require(await changes.next(), "The values reported of the batch")
        try expectEqual(message.updated, changed, "The changed objects")
        try context.mergeStoreChanges()
        try expectEqual(eve.score, 5, "The other context's object")
    }

    @MainActor private static func watch(_ games: Store) async throws {
        let context = games.viewContext
        let ann = try context.only(Player.self, "name = 'Ann'")
        var changes = ann.changes(of: \.score).makeAsyncIterator()
        ann.score = 13
        try expectEqual(await changes.next(), 13, "What was assigned")
        context.rollback()
        try expectEqual(await changes.next(), 12, "What was rolled back")
        try await games.write("others") { try $0.only(Player.self, "name = 'Ann'").score = 99 }
        try context.refresh(ann)
        try expectEqual(await changes.next(), 99, "The value that another context saved")
    }
}
