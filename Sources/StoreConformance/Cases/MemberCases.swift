import ContextCore

extension Topic {
    /// To-many relationships that are asked and changed without being loaded.
    static let members: Topic = Topic("members") {
        Promise("Members are counted, tested and paged without being loaded") { trial in
            let games = try await trial.games()
            try await games.read("ask") { context in
                let go = try context.only(Game.self, "title = 'Go'")
                let (ann, eve) = (
                    try context.only(Player.self, "name = 'Ann'"),
                    try context.only(Player.self, "name = 'Eve'")
                )
                let players = go.members(\.players)
                try expectEqual(try players.count, 2, "The number of players")
                try expectEqual(try players.count(where: \.score > 10), 1, "Those with many points")
                try expect(try players.contains(ann) && !players.contains(eve), "Who plays")
                try expectEqual(
                    try players.page(offset: 1, limit: 1, order: .descending(\.score)).map(\.name), ["Bob"],
                    "The second page")
                try expectEqual(
                    try players.fetch(where: \.bonus != nil).map(\.name), ["Ann"], "Those with a bonus")
                let fans = go.members(\.fans)
                try expectEqual(try fans.count, 2, "The number of fans")
                try expectEqual(
                    try fans.fetch(order: .descending(\.name)).map(\.name), ["Paul", "Mia"], "The fans")
                try expect(
                    try context.only(Game.self, "title = 'Empty'").members(\.fans).isEmpty, "Nobody's fans")
                try expect(!players.isLoaded && !fans.isLoaded, "Nothing is loaded")
            }
        }
        Promise("An ordered relationship's pages are in its order") { trial in
            let games = try await trial.games()
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
        Promise("Members come and go without being loaded, and a save writes no more than that") { trial in
            let games = try await trial.games()
            let editor = games.makeContext()
            try await editor.perform { context in
                let go = try context.only(Game.self, "title = 'Go'")
                let (players, fans) = (go.members(\.players), go.members(\.fans))
                try players.insert(try context.only(Player.self, "name = 'Cid'"))
                try players.remove(try context.only(Player.self, "name = 'Bob'"))
                try fans.insert(try context.only(Person.self, "name = 'Max'"))
                try fans.remove(try context.only(Person.self, "name = 'Paul'"))
                try expectEqual(try players.count, 2, "The players, with what is pending")
                try expect(!players.isLoaded && !fans.isLoaded, "Nothing is loaded")
                try context.save()
            }
            try await games.expectNames([("game.title = 'Go'", ["Ann", "Cid"])])
            try await games.expectNames([("ANY favourites.title = 'Go'", ["Max", "Mia"])], of: "Person")
        }
    }
}
