import ContextCore

extension Topic {
    /// Relationships of every kind and their inverses.
    static let relationships: Topic = Topic("relationships") {
        Requirement("Setting a to-one updates the inverse to-many immediately, and both are stored") { run in
            let games = try await run.open()
            try await games.write("make") { context in
                let (go, chess) = (Game(in: context, title: "Go"), Game(in: context, title: "Chess"))
                let ann = Player(in: context, name: "Ann", game: go)
                try expectEqual(go.players, [ann], "The players of Go")
                chess.players.insert(ann)
                try expect(ann.game === chess && go.players.isEmpty, "A player has one game")
            }
            try await games.read("look") { context in
                let ann = try context.only(Player.self)
                try expectEqual(ann.game?.title, "Chess", "The game")
                try expectEqual(
                    try context.only(Game.self, "title = 'Go'").players.count, 0, "The players of Go")
                try expectEqual(
                    try context.only(Game.self, "title = 'Chess'").players, [ann], "The players of Chess")
            }
        }
        Requirement("Saved objects are moved to another owner and removed from their owner") { run in
            let games = try await run.games()
            try await games.write("move") { context in
                let (go, chess) = (
                    try context.only(Game.self, "title = 'Go'"),
                    try context.only(Game.self, "title = 'Chess'")
                )
                try context.only(Player.self, "name = 'Ann'").game = chess
                chess.players.remove(try context.only(Player.self, "name = 'Cid'"))
                try context.only(Player.self, "name = 'Eve'").game = go
                try expectEqual(go.players.count, 2, "The players of Go")
            }
            try await games.expectNames([
                ("game.title = 'Go'", ["Bob", "Eve"]), ("game.title = 'Chess'", ["Ann", "Élan"]),
                ("game = NIL", ["Cid"]),
            ])
        }
        Requirement("An ordered relationship keeps its order through insertions, moves and removals") { run in
            let games = try await run.open()
            try await games.write("make") { context in
                let go = Game(in: context, title: "Go")
                go.rounds = (0..<6).map { Round(in: context, number: $0) }
            }
            let changes: [@Sendable (Game, ObjectContext) throws -> Void] = [
                { game, _ in game.rounds.swapAt(0, 5) },
                { game, context in game.rounds.insert(Round(in: context, number: 6), at: 0) },
                { game, context in game.rounds.insert(Round(in: context, number: 7), at: 4) },
                { game, _ in game.rounds.remove(at: 2) },
                { game, _ in game.rounds.append(game.rounds.remove(at: 0)) },
                { game, _ in game.rounds.reverse() },
                { game, context in context.delete(game.rounds[1]) },
                { game, context in
                    let moved = game.rounds.remove(at: 3)
                    game.rounds.insert(moved, at: 0)
                    game.rounds.append(Round(in: context, number: 8))
                },
            ]
            for (index, change) in changes.enumerated() {
                let expected = try await games.write("change") { context in
                    let game = try context.only(Game.self)
                    try change(game, context)
                    return game.rounds.map(\.number)
                }
                let found = try await games.read("look") { try $0.only(Game.self).rounds.map(\.number) }
                try expectEqual(found, expected, "The rounds after change \(index)")
            }
        }
        Requirement("A hundred moves to the same position keep the order") { run in
            let games = try await run.open()
            try await games.write("make") { context in
                Game(in: context, title: "Go").rounds = (0..<5).map { Round(in: context, number: $0) }
            }
            for _ in 0..<100 {
                try await games.write("move") { context in
                    let game = try context.only(Game.self)
                    game.rounds.insert(game.rounds.remove(at: 4), at: 1)
                }
            }
            let found = try await games.read("look") { try $0.only(Game.self).rounds.map(\.number) }
            try expectEqual(found, [0, 1, 2, 3, 4], "The rounds")
        }
        Requirement("Many-to-many links are added and removed from both ends, one of which is ordered") {
            run in
            let games = try await run.games()
            try await games.write("like") { context in
                let mia = try context.only(Person.self, "name = 'Mia'")
                try expectEqual(Set(mia.favourites.map(\.title)), ["Go", "Chess"], "What Mia likes")
                mia.favourites = try ["Empty", "Chess", "Go"].map {
                    try context.only(Game.self, "title = %@", $0)
                }
                try context.only(Game.self, "title = 'Go'").fans.remove(
                    try context.only(Person.self, "name = 'Paul'"))
            }
            try await games.read("look") { context in
                let mia = try context.only(Person.self, "name = 'Mia'")
                try expectEqual(
                    mia.favourites.map(\.title), ["Empty", "Chess", "Go"], "What Mia likes, in order")
                try expectEqual(
                    try context.only(Game.self, "title = 'Go'").fans.map(\.name), ["Mia"], "The fans of Go")
                try expectEqual(
                    try context.only(Person.self, "name = 'Paul'").favourites.count, 0, "What Paul likes")
            }
            try await games.write("reorder") { context in
                let mia = try context.only(Person.self, "name = 'Mia'")
                mia.favourites.swapAt(0, 2)
                try context.only(Game.self, "title = 'Chess'").fans.removeAll()
                try expectEqual(mia.favourites.map(\.title), ["Go", "Empty"], "What Mia likes")
            }
            let left = try await games.read("look") {
                try $0.only(Person.self, "name = 'Mia'").favourites.map(\.title)
            }
            try expectEqual(left, ["Go", "Empty"], "What Mia likes in the store")
        }
        Requirement("A self-inverse to-many links both objects") { run in
            let games = try await run.games()
            try await games.write("befriend") { context in
                let (paul, mia) = (
                    try context.only(Person.self, "name = 'Paul'"),
                    try context.only(Person.self, "name = 'Mia'")
                )
                paul.friends.insert(mia)
                try expectEqual(mia.friends, [paul], "The friends of Mia")
                paul.friends.insert(paul)
            }
            try await games.read("look") { context in
                let (paul, mia) = (
                    try context.only(Person.self, "name = 'Paul'"),
                    try context.only(Person.self, "name = 'Mia'")
                )
                try expectEqual(mia.friends, [paul], "The friends of Mia in the store")
                try expectEqual(paul.friends, [paul, mia], "The friends of Paul in the store")
            }
            try await games.expectNames(
                [
                    ("ANY friends.name = 'Paul'", ["Mia", "Paul"]), ("friends.@count = 1", ["Mia"]),
                    ("ANY friends.name = 'Mia'", ["Paul"]),
                ], of: "Person")
            try await games.write("part") { context in
                let (paul, mia) = (
                    try context.only(Person.self, "name = 'Paul'"),
                    try context.only(Person.self, "name = 'Mia'")
                )
                mia.friends.remove(paul)
            }
            let counts = try await games.read("look") {
                try $0.find(Person.self, order: "name").map(\.friends.count)
            }
            try expectEqual(counts, [0, 0, 1], "How many friends Max, Mia and Paul have")
        }
        Requirement("A to-one to the same entity forms chains and cycles") { run in
            let games = try await run.open()
            try await games.write("cycle") { context in
                let people = (0..<4).map { Person(in: context, name: "p\($0)") }
                for index in 0..<4 { people[index].mentor = people[(index + 1) % 4] }
            }
            try await games.read("look") { context in
                let first = try context.only(Person.self, "name = 'p0'")
                try expect(first.mentor?.mentor?.mentor?.mentor === first, "The cycle is closed")
                try expectEqual(first.pupils.map(\.name), ["p3"], "The pupils")
            }
            try await games.write("break") { context in
                context.delete(try context.only(Person.self, "name = 'p1'"))
            }
            try await games.expectNames(
                [("mentor = NIL", ["p0"]), ("pupils.@count = 0", ["p2"])], of: "Person")
        }
        Requirement("A derived count follows its relationship") { run in
            let games = try await run.games()
            try await games.write("add") { context in
                let empty = try context.only(Game.self, "title = 'Empty'")
                try context.only(Player.self, "name = 'Ann'").game = empty
                try context.save()
                try expectEqual(empty.playerCount, 1, "The count after the save")
            }
            try await games.expectNames(
                [("playerCount = 1", ["Empty", "Go"]), ("playerCount = 2", ["Chess"])], of: "Game")
        }
        Requirement("Required relationships and their bounds are validated before the store is used") { run in
            let rules = try await run.open(RuleModel.classes)
            let error = try await expectError(.validation) {
                try await rules.write("homeless") { context in
                    let account = try context.insert("Account")
                    try account.set("login", to: "ann")
                }
            }
            try expect(error.failures.contains { $0.property == "home" }, "A failure names the relationship")
            try await expectError(.validation) {
                try await rules.write("too many") { context in
                    let box = Box(in: context, name: "box")
                    box.parts = Set((0..<4).map { Box(in: context, name: "part \($0)") })
                }
            }
        }
    }
}
