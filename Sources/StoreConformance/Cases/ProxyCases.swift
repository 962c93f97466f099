import ContextCore

extension Topic {
    /// The store's shared context, and proxies of it.
    static let proxies: Topic = Topic("proxies") {
        Requirement("A proxy sees pending changes of the shared context and saves of other contexts") { run in
            let games = try await run.games()
            try await games.performWithSharedContext { context in
                try context.only(Player.self, "name = 'Ann'").score = 100
                _ = Player(in: context, name: "Flo", score: 90)
            }
            let proxy = games.makeProxy()
            let best = FetchRequest<Player>(
                where: try FetchPredicate("score > 10"), order: try SortKey.keys("score DESC"))
            var names = try await proxy.fetch(best).map(\.name)
            try expectEqual(names, ["Ann", "Flo", "Cid"], "The names with pending changes")
            try expectEqual(
                try proxy.context.fetch(best).map(\.name), names, "The names that the proxy's context fetches"
            )
            try await games.write("others") { try $0.only(Player.self, "name = 'Cid'").score = 1 }
            names = try await proxy.fetch(best).map(\.name)
            try expectEqual(names, ["Ann", "Flo"], "The names after another context's save")
            try await proxy.save()
            names = try await games.read("saved") { try $0.fetch(best).map(\.name) }
            try expectEqual(names, ["Ann", "Flo"], "What was saved")
        }
        Requirement("The shared context loads faults and relationships of a proxy") { run in
            let games = try await run.games()
            try await games.performWithSharedContext { context in
                let go = try context.only(Game.self, "title = 'Go'")
                go.title = "Baduk"
                try context.only(Player.self, "name = 'Eve'").game = go
                context.delete(try context.only(Player.self, "name = 'Bob'"))
            }
            let proxy = games.makeProxy()
            let found = try await proxy.fetch(FetchRequest<Player>(where: try FetchPredicate("name = 'Ann'")))
            let ann = try require(found.first, "Ann")
            try expectEqual(ann.game?.title, "Baduk", "The game's title")
            let members = ann.game?.players.map(\.name).sorted()
            try expectEqual(members, ["Ann", "Eve"], "The game's players")
            try expectEqual(try proxy.context.count(Player.self), 4, "The number of players")
            try expectEqual(try proxy.context.sum(\Player.score), 20, "The sum of scores")
        }
        Requirement("A proxy's fetch and its prefetched relationships read one snapshot of the store") {
            run in
            let games = try await run.games()
            try await games.write("level") { try Self.setNumber($0, 0) }
            let writer = Task {
                for number in 1...60 { try await games.write("level") { try Self.setNumber($0, number) } }
            }
            // With pending changes, even unrelated ones, the shared context runs other code.
            for round in 0..<40 {
                if round == 20 {
                    try await games.performWithSharedContext { _ = Player(in: $0, name: "New", score: 0) }
                }
                let proxy = games.makeProxy()
                let request = FetchRequest<Game>(prefetching: ["players", "owner.games"])
                let found =
                    round % 2 == 0 ? try await proxy.fetch(request) : try proxy.context.fetch(request)
                for game in found {
                    let scores = Set(game.players.map { Double($0.score) })
                    try expect(
                        scores.isSubset(of: [game.rating ?? -1]),
                        "A game and its players are of the same save")
                }
            }
            try await writer.value
        }
        Requirement("A fetch of a proxy updates the objects that it already has to the fetched snapshot") {
            run in
            let games = try await run.games()
            try await games.write("level") { try Self.setNumber($0, 0) }
            let writer = Task {
                for number in 1...60 { try await games.write("level") { try Self.setNumber($0, number) } }
            }
            let proxy = games.makeProxy()
            let request = FetchRequest<Game>(prefetching: ["players", "owner.games"])
            var held: [ManagedObject] = []
            var highest = 0.0
            for _ in 0..<40 {
                let found = try await proxy.fetch(request)
                for game in found {
                    let scores = Set(game.players.map { Double($0.score) })
                    try expect(
                        scores.isSubset(of: [game.rating ?? -1]),
                        "A game and its players are of the same save")
                    held = Array(game.players) + [game] + held.prefix(100)
                }
                let rating = found.first?.rating ?? -1
                try expect(rating >= highest, "A later fetch doesn't return older values")
                highest = rating
            }
            try await writer.value
            try expectEqual(try await proxy.fetch(request).first?.rating, 60, "The last number")
        }
        Requirement("A results controller of a proxy follows the shared context and saves of other contexts")
        {
            run in
            let games = try await run.games()
            let follower = ProxyFollower()
            let changes = try await follower.follow(games)
            var iterator = changes.makeAsyncIterator()
            try expectEqual(await iterator.next()?.snapshot.count, 5, "The players at first")
            try await games.performWithSharedContext { _ = Player(in: $0, name: "Flo", score: 1) }
            try expectEqual(await iterator.next()?.snapshot.count, 6, "The players with a new one")
            try await games.write("others") { context in
                for player in try context.find(Player.self, "score > 0") { context.delete(player) }
            }
            try expectEqual(await iterator.next()?.snapshot.count, 3, "The players that are left")
        }
    }

    /// Sets the rating of all games and the score of their players to one number.
    private static func setNumber(_ context: ObjectContext, _ number: Int) throws {
        for game in try context.fetch(Game.self) {
            game.rating = Double(number)
            for player in game.players { player.score = number }
        }
    }
}

/// An actor that owns a proxy, as the code of a screen would.
private actor ProxyFollower {
    private var proxy: ContextProxy?

    func follow(_ store: Store) throws -> ResultsChanges {
        let proxy = store.makeProxy()
        self.proxy = proxy
        return try FetchedResultsController(Player.self, order: .ascending(\.name), in: proxy.context).changes
    }
}
