import ContextCore

extension Topic {
    /// The order of results, limits and offsets.
    static let orders: Topic = Topic("orders") {
        Requirement("Several sort keys with their own directions, and ties sorted by identifier") { run in
            try await run.games().expectOrders([
                ("score DESC, name ASC", ["Ann", "Cid", "Bob", "Eve", "Élan"]),
                ("score DESC, name DESC", ["Cid", "Ann", "Bob", "Eve", "Élan"]),
                ("isActive, name", ["Eve", "Élan", "Ann", "Bob", "Cid"]),
            ])
            let games = try await run.open(beside: "_ties")
            try await games.write("ties") { context in
                for number in 0..<20 { _ = Player(in: context, name: "same", score: number % 2) }
            }
            try await games.read("ties") { context in
                let keys = try context.find(Player.self, order: "name").map(\.objectID.key)
                try expectEqual(keys, keys.sorted(), "The keys of ties")
                let halves = try context.find(Player.self, order: "score DESC")
                try expectEqual(
                    halves.map(\.score), [Int](repeating: 1, count: 10) + [Int](repeating: 0, count: 10),
                    "The scores")
                for half in [halves.prefix(10), halves.suffix(10)] {
                    let keys = half.map(\.objectID.key)
                    try expectEqual(keys, keys.sorted(), "The keys of ties in a descending order")
                }
            }
        }
        Requirement(
            "Nulls come first in ascending and last in descending order, unless the key says otherwise"
        ) {
            run in
            try await run.games().expectOrders([
                ("bonus, name", ["Bob", "Eve", "Cid", "Ann", "Élan"]),
                ("bonus DESC, name", ["Élan", "Ann", "Cid", "Bob", "Eve"]),
                ("bonus ASC NULLS LAST, name", ["Cid", "Ann", "Élan", "Bob", "Eve"]),
                ("bonus DESC NULLS FIRST, name", ["Bob", "Eve", "Élan", "Ann", "Cid"]),
            ])
        }
        Requirement("An order follows to-one relationships") { run in
            try await run.games().expectOrders([
                ("game.title, name", ["Eve", "Cid", "Élan", "Ann", "Bob"]),
                ("game.owner.name DESC, score", ["Bob", "Ann", "Élan", "Cid", "Eve"]),
                ("game.rating NULLS LAST, name DESC", ["Bob", "Ann", "Élan", "Eve", "Cid"]),
            ])
        }
        Requirement("An order by an expression") { run in
            try await run.games().expectOrders([
                ("game.players.@count DESC, name", ["Ann", "Bob", "Cid", "Élan", "Eve"]),
                ("score + 100 * bonus, name", ["Bob", "Eve", "Cid", "Ann", "Élan"]),
                ("game.players.@min.score, name", ["Eve", "Cid", "Élan", "Ann", "Bob"]),
            ])
        }
        Requirement("An order by folded text") { run in
            try await run.games().expectOrders([
                ("nick[c], name", ["Bob", "Ann", "Cid", "Élan", "Eve"]),
                ("nick[cd], name", ["Bob", "Ann", "Cid", "Eve", "Élan"]),
                ("name[cd]", ["Ann", "Bob", "Cid", "Élan", "Eve"]),
            ])
        }
        Requirement("Limit and offset apply to the sorted results") { run in
            let games = try await run.games()
            try await games.read("cut") { context in
                func names(_ limit: Int?, _ offset: Int) throws -> [String] {
                    try context.find(Player.self, order: "name", limit: limit, offset: offset).map(\.name)
                }
                try expectEqual(try names(2, 0), ["Ann", "Bob"], "The first two")
                try expectEqual(try names(2, 3), ["Eve", "Élan"], "The last two")
                try expectEqual(try names(2, 4), ["Élan"], "The last one")
                try expectEqual(try names(nil, 3), ["Eve", "Élan"], "All but three")
                try expectEqual(try names(0, 0), [], "None")
                try expectEqual(try names(5, 9), [], "Beyond the end")
                try expectEqual(
                    try context.count(FetchRequest<Player>(limit: 3, offset: 3)), 2, "The count within limits"
                )
            }
        }
        Requirement("Without an order, objects are sorted by identifier") { run in
            let games = try await run.games()
            try await games.read("all") { context in
                let keys = try context.find(Player.self).map(\.objectID.key)
                try expectEqual(keys, keys.sorted(), "The keys")
                let some = try context.find(Player.self, "score > -100", limit: 3).map(\.objectID.key)
                try expectEqual(some, Array(keys.prefix(3)), "The keys of the first three")
            }
        }
        Requirement("Identifiers, counts and pages match the fetched objects") { run in
            let games = try await run.games()
            try await games.read("kinds") { context in
                var request = FetchRequest<Player>(
                    where: try FetchPredicate("score > -1"), order: try SortKey.keys("name DESC"))
                let objects = try context.fetch(request)
                try expectEqual(try context.fetchIDs(request), objects.map(\.objectID), "The identifiers")
                try expectEqual(try context.count(request), 4, "The count")
                request.batchSize = 2
                let pages = try context.fetchPages(request)
                try expectEqual(pages.count, 4, "The count of the pages")
                try expectEqual(pages.map(\.name), ["Eve", "Cid", "Bob", "Ann"], "The names on the pages")
                try expect(pages[3] === objects[3], "A page holds the context's own objects")
                try expectEqual(try context.first(request)?.name, "Eve", "The first")
            }
        }
    }
}
