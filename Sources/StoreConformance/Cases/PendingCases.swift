import ContextCore

extension Topic {
    /// Pending changes of a context and its parents in requests for values.
    static let pending: Topic = Topic("pending") {
        Requirement(
            "A child's sums, groups, values and counts include its parents' pending changes, then its own"
        ) {
            run in
            let games = try await run.games()
            try await games.makeBackgroundContext().perform { context in
                let go = try context.only(Game.self, "title = 'Go'")
                _ = Player(in: context, name: "Zoe", score: 100, game: go)
                try context.only(Player.self, "name = 'Ann'").score = 1
                context.delete(try context.only(Player.self, "name = 'Bob'"))
                let child = context.makeChild()
                let above: [[StoredValue]] = [
                    [.null, .int(1), .int(0)], [.string("Chess"), .int(2), .int(8)],
                    [.string("Go"), .int(2), .int(101)],
                ]
                try expectEqual(try child.groupedPlayers(), above, "The groups in the child")
                try expectEqual(try child.sum(\Player.score), 109, "The sum in the child")
                try expectEqual(try child.maximum(\Player.name), "Élan", "The greatest name")
                try child.only(Player.self, "name = 'Cid'").score = 0
                child.delete(try child.only(Player.self, "name = 'Zoe'"))
                try child.only(Player.self, "name = 'Eve'").game = child.object(
                    with: go.objectID, as: Game.self)
                try expectEqual(
                    try child.groupedPlayers(),
                    [[.string("Chess"), .int(2), .int(-4)], [.string("Go"), .int(2), .int(1)]],
                    "The groups in the child with its own changes")
                try expectEqual(
                    try child.values(of: \Player.score, order: .ascending(\.score), distinct: true),
                    [-4, 0, 1], "Each score once")
                try expectEqual(
                    try child.average(\Player.score, where: \.game?.title == "Go"), 0.5, "The mean")
                try expectEqual(
                    try child.find(Game.self, "players.@sum.score = 1").map(\.title), ["Go"], "The games")
                try expectEqual(try child.count(FetchRequest<Player>(limit: 3, offset: 2)), 2, "The count")
                try expectEqual(try context.groupedPlayers(), above, "The groups in the parent")
            }
        }
        Requirement("Groups, having, orders and rows of values include pending changes") { run in
            let games = try await run.games()
            try await games.makeBackgroundContext().perform { context in
                try context.only(Player.self, "name = 'Eve'").game = Game(in: context, title: "Shogi")
                try context.only(Game.self, "title = 'Go'").title = "Baduk"
                context.delete(try context.only(Player.self, "name = 'Cid'"))
                try expectEqual(
                    try context.groupedPlayers(),
                    [
                        [.string("Baduk"), .int(2), .int(19)], [.string("Chess"), .int(1), .int(-4)],
                        [.string("Shogi"), .int(1), .int(0)],
                    ], "The groups")
                var request = ValueRequest(
                    "Player", ["game.title", .count()], groupBy: ["game.title"],
                    having: try FetchPredicate("@sum.score < 1"), order: try SortKey.keys("@sum.score DESC"))
                try expectEqual(
                    try context.values(request).map(\.values),
                    [[.string("Shogi"), .int(1)], [.string("Chess"), .int(1)]], "The groups that count")
                (request.limit, request.offset) = (1, 1)
                try expectEqual(
                    try context.values(request).map(\.values), [[.string("Chess"), .int(1)]], "The second")
                request.includesPendingChanges = false
                (request.having, request.limit, request.offset) = (nil, nil, 0)
                try expectEqual(
                    try context.values(request).map { $0["game.title"] },
                    [.string("Go"), .string("Chess"), .null], "The groups in the store")
                let rows = try context.values(
                    ValueRequest(
                        "Player", ["name", "game.title"], where: try FetchPredicate("score < 10"),
                        order: [try SortKey("name")]))
                try expectEqual(
                    rows.map(\.dictionary),
                    [
                        ["name": .string("Bob"), "game.title": .string("Baduk")],
                        ["name": .string("Eve"), "game.title": .string("Shogi")],
                        ["name": .string("Élan"), "game.title": .string("Chess")],
                    ], "The dictionaries")
            }
        }
        Requirement(
            "Every kind of result excludes pending objects of subentities if the request excludes subentities"
        ) {
            run in
            let games = try await run.games()
            try await games.makeBackgroundContext().perform { context in
                _ = Employee(insertingInto: context)
                let plain = Person(in: context, name: "Plain")
                try context.only(Employee.self, "name = 'Mia'").role = "new"
                let request = FetchRequest<Person>(
                    order: [try SortKey("name")], batchSize: 1, includesSubentities: false)
                try expectEqual(try context.fetch(request).map(\.name), ["Paul", "Plain"], "The objects")
                try expectEqual(try context.count(request), 2, "The count")
                try expectEqual(
                    try context.fetchIDs(request).last, plain.objectID, "The last of the identifiers")
                try expectEqual(try context.fetchIDs(request).count, 2, "The identifiers")
                try expectEqual(
                    try context.fetchPages(request).map(\.name), ["Paul", "Plain"], "The pages")
                var values = ValueRequest("Person", ["name"], order: [try SortKey("name")])
                values.includesSubentities = false
                try expectEqual(
                    try context.values(values).map { $0["name"] }, [.string("Paul"), .string("Plain")],
                    "The values")
                values = ValueRequest("Person", [.count()], includesSubentities: false)
                try expectEqual(try context.values(values).map(\.values), [[.int(2)]], "The aggregates")
                values.includesSubentities = true
                try expectEqual(
                    try context.values(values).map(\.values), [[.int(5)]], "The aggregates with subentities")
            }
        }
        Requirement("Nested undo groups are undone and redone with the outermost one") { run in
            let games = try await run.games()
            try await games.makeBackgroundContext().perform { context in
                context.isUndoEnabled = true
                let ann = try context.only(Player.self, "name = 'Ann'")
                context.undoGroup("before") { ann.score = 1 }
                context.undoGroup("outer") {
                    ann.score = 2
                    context.undoGroup("inner") {
                        ann.nick = "inner"
                        context.undoGroup { ann.game = nil }
                    }
                    ann.bonus = 9
                }
                try expectEqual(context.undoNames, ["outer", "before"], "The groups")
                context.undo()
                try expect(
                    ann.score == 1 && ann.nick == "Ace" && ann.bonus == 3 && ann.game?.title == "Go",
                    "The outer group is undone")
                context.redo()
                try expect(
                    ann.score == 2 && ann.nick == "inner" && ann.bonus == 9 && ann.game == nil,
                    "The outer group is redone")
                context.undo()
                context.undo()
                try expect(!context.hasChanges && !context.canUndo, "Everything is undone")
            }
        }
    }
}

extension ObjectContext {
    /// Returns the number of players and the sum of their scores for each game title.
    fileprivate func groupedPlayers() throws -> [[StoredValue]] {
        try values(
            ValueRequest(
                "Player", ["game.title", .count(), .sum(of: "score")], groupBy: ["game.title"],
                order: [SortKey("game.title")])
        ).map(\.values)
    }
}
