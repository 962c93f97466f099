import ContextCore

extension Topic {
    /// Predicates over to-many relationships.
    static let collections: Topic = Topic("collections") {
        Requirement("ANY, ALL and NONE, also for empty collections") { run in
            try await run.games().expectNames(
                [
                    ("ANY players.score > 7", ["Chess", "Go"]), ("ANY players.bonus > 0", ["Chess", "Go"]),
                    ("ALL players.score > 0", ["Empty", "Go"]), ("NONE players.score < 0", ["Empty", "Go"]),
                    ("NOT ANY players.bonus > 4", ["Empty", "Go"]),
                    ("ALL players.bonus >= 0", ["Chess", "Empty"]),
                    ("NOT ALL players.bonus >= 0", ["Go"]), ("ANY players.nick = NIL", ["Go"]),
                    ("ANY players.name BEGINSWITH 'A'", ["Go"]),
                    ("NONE players.name IN {'Ann', 'Cid'}", ["Empty"]),
                ], of: "Game")
        }
        Requirement("A quantified condition is evaluated for one object at a time") { run in
            try await run.games().expectNames(
                [
                    ("ANY(players, $x, $x.score = 12 AND $x.bonus = 0)", ["Chess"]),
                    ("ANY players.score = 12 AND ANY players.bonus = 3", ["Go"]),
                    ("ALL(players, $x, $x.game = SELF)", ["Chess", "Empty", "Go"]),
                    ("NONE(players, $x, $x.game.title = 'Go')", ["Chess", "Empty"]),
                ], of: "Game")
        }
        Requirement("SUBQUERY counts the objects that satisfy a condition") { run in
            try await run.games().expectNames(
                [
                    ("SUBQUERY(players, $x, $x.score > 0).@count = 2", ["Go"]),
                    ("SUBQUERY(players, $x, $x.score > 0 AND $x.game = SELF).@count = 1", ["Chess"]),
                    ("SUBQUERY(players, $x, $x.bonus > 100).@count = 0", ["Chess", "Empty", "Go"]),
                    ("SUBQUERY(fans, $x, ANY $x.games.title = 'Chess').@count = 1", ["Chess", "Go"]),
                ], of: "Game")
        }
        Requirement("@count, @sum, @avg, @min and @max over a relationship") { run in
            try await run.games().expectNames(
                [
                    ("players.@count = 2", ["Chess", "Go"]), ("players.@count = 0", ["Empty"]),
                    ("players.@sum.score = 19", ["Go"]), ("players.@sum.score = 0", ["Empty"]),
                    ("players.@avg.score = 4", ["Chess"]), ("players.@avg.score = NIL", ["Empty"]),
                    ("players.@min.score < 0", ["Chess"]), ("players.@max.score = 12", ["Chess", "Go"]),
                    ("players.@max.score = NIL", ["Empty"]), ("players.@count.bonus = 1", ["Go"]),
                    ("players.@avg.bonus = 3", ["Go"]), ("players.@max.name = 'Élan'", ["Chess"]),
                    ("players.@sum.speed = -2.25", ["Chess"]),
                ], of: "Game")
        }
        Requirement("Aggregates over two relationships, and over many-to-many") { run in
            try await run.games().expectNames(
                [
                    ("games.players.@count = 2", ["Mia", "Paul"]),
                    ("games.players.@sum.score = 19", ["Paul"]),
                    ("favourites.@count = 2", ["Mia"]), ("favourites.@sum.rating = 4.5", ["Mia", "Paul"]),
                    ("ANY favourites.title = 'Chess'", ["Mia"]),
                    ("ALL favourites.title = 'Go'", ["Max", "Paul"]),
                    ("ANY games.players.name = 'Cid'", ["Mia"]),
                ], of: "Person")
        }
        Requirement("Membership in a to-many relationship") { run in
            try await run.games().expectNames([
                ("SELF IN game.players", ["Ann", "Bob", "Cid", "Élan"]),
                ("'Ann' IN game.players.name", ["Ann", "Bob"]),
                ("game.players.@count = 2", ["Ann", "Bob", "Cid", "Élan"]),
                ("ANY game.fans.name = 'Paul'", ["Ann", "Bob"]),
            ])
        }
        Requirement("Typed predicates over to-many relationships select the same") { run in
            let games = try await run.games()
            try await games.read("typed") { context in
                let players = try context.fetch(
                    Player.self, where: \.score > 6 && \.game?.title == "Go", order: .ascending(\.name))
                try expectEqual(players.map(\.name), ["Ann", "Bob"], "The players of Go")
                let some = try context.fetch(
                    Game.self, where: (\Game.players).any(\.bonus == 0), order: .ascending(\.title))
                try expectEqual(some.map(\.title), ["Chess"], "The games with a player without bonus")
                let many = try context.fetch(
                    Game.self, where: (\Game.players).count > 1,
                    order: .descending(by: (\Game.players).sum(of: \.score)))
                try expectEqual(many.map(\.title), ["Go", "Chess"], "The games by sum of scores")
            }
        }
        Requirement("ANY over a to-many relationship of a to-one target, also with subentities") { run in
            try await run.games().expectNames(
                [
                    ("ANY pupils.name = 'Paul'", ["Mia"]), ("pupils.@count = 1", ["Max", "Mia"]),
                    ("mentor.pupils.@count = 1", ["Mia", "Paul"]),
                    ("ANY(pupils, $x, $x IS Employee)", ["Max"]),
                ], of: "Person")
        }
    }
}
