import ContextCore

extension Topic {
    /// Queries and changes of to-many relationships that are not loaded.
    static let members: Topic = Topic("members") {
        Requirement("Members are counted, tested and paged without loading the relationship") { run in
            let games = try await run.games()
            try await games.read("ask") { context in
                let go = try context.only(Game.self, "title = 'Go'")
                let (ann, eve) = (
                    try context.only(Player.self, "name = 'Ann'"),
                    try context.only(Player.self, "name = 'Eve'")
                )
                let players = go.members(\.players)
                try expectEqual(try players.count, 2, "The number of players")
                try expectEqual(try players.count(where: \.score > 10), 1, "The players with many points")
                try expect(try players.contains(ann) && !players.contains(eve), "Membership of players")
                try expectEqual(
                    try players.page(offset: 1, limit: 1, order: .descending(\.score)).map(\.name), ["Bob"],
                    "The second page")
                try expectEqual(
                    try players.fetch(where: \.bonus != nil).map(\.name), ["Ann"], "The players with a bonus")
                let fans = go.members(\.fans)
                try expectEqual(try fans.count, 2, "The number of fans")
                try expectEqual(
                    try fans.fetch(order: .descending(\.name)).map(\.name), ["Paul", "Mia"], "The fans")
                try expect(
                    try context.only(Game.self, "title = 'Empty'").members(\.fans).isEmpty,
                    "A game has no fans")
                try expect(!players.isLoaded && !fans.isLoaded, "Nothing is loaded")
            }
        }
        Requirement("Pages of an ordered relationship have its order") { run in
            let games = try await run.games()
            let id = try await games.write("rounds") { context in
                let go = try context.only(Game.self, "title = 'Go'")
                go.rounds = [3, 1, 2, 5, 4].map { Round(in: context, number: $0) }
                try context.save()
                return go.objectID
            }
            try await games.read("pages") { context in
                let rounds = try context.object(with: id, as: Game.self).members(\.rounds)
                try expectEqual(try rounds.page(limit: 2).map(\.number), [3, 1], "The first page")
                try expectEqual(try rounds.page(offset: 2, limit: 9).map(\.number), [2, 5, 4], "The rest")
                try expectEqual(
                    try rounds.page(limit: 2, order: .ascending(\.number)).map(\.number), [1, 2],
                    "In another order")
                try expect(!rounds.isLoaded, "Nothing is loaded")
            }
        }
        Requirement(
            "Members are added and removed without loading the relationship, and a save writes only these changes"
        ) { run in
            let games = try await run.games()
            let editor = games.makeBackgroundContext()
            try await editor.perform { context in
                let go = try context.only(Game.self, "title = 'Go'")
                let (players, fans) = (go.members(\.players), go.members(\.fans))
                try players.insert(try context.only(Player.self, "name = 'Cid'"))
                try players.remove(try context.only(Player.self, "name = 'Bob'"))
                try fans.insert(try context.only(Person.self, "name = 'Max'"))
                try fans.remove(try context.only(Person.self, "name = 'Paul'"))
                try expectEqual(try players.count, 2, "The players with pending changes")
                try expect(!players.isLoaded && !fans.isLoaded, "Nothing is loaded")
                try context.save()
            }
            try await games.expectNames([("game.title = 'Go'", ["Ann", "Cid"])])
            try await games.expectNames([("ANY favourites.title = 'Go'", ["Max", "Mia"])], of: "Person")
        }
    }
}
