import ContextCore
import Foundation

extension Topic {
    /// Operators and three-valued logic.
    static let predicates: Topic = Topic("predicates") {
        Requirement("Equality is never unknown") { run in
            try await run.games().expectNames([
                ("bonus = 3", ["Ann"]), ("bonus != 3", ["Bob", "Cid", "Eve", "Élan"]),
                ("NOT bonus = 3", ["Bob", "Cid", "Eve", "Élan"]), ("bonus = NIL", ["Bob", "Eve"]),
                ("bonus != NIL", ["Ann", "Cid", "Élan"]), ("nick = name", []),
                ("bonus = speed", ["Bob", "Eve"]),
                ("game.rating = NIL", ["Cid", "Eve", "Élan"]), ("game = NIL", ["Eve"]),
                ("NOT (game != NIL)", ["Eve"]), ("score = bonus", []),
            ])
        }
        Requirement("Less-than and greater-than comparisons with null are unknown, and so is their negation")
        {
            run in
            try await run.games().expectNames([
                ("bonus > 0", ["Ann", "Élan"]), ("NOT bonus > 0", ["Cid"]),
                ("bonus >= 0", ["Ann", "Cid", "Élan"]),
                ("bonus < 3", ["Cid"]), ("bonus <= 3", ["Ann", "Cid"]), ("bonus > NIL", []),
                ("(bonus > 0) IS UNKNOWN", ["Bob", "Eve"]),
                ("NOT (bonus > 0) IS TRUE", ["Bob", "Cid", "Eve"]),
                ("(bonus > 0) IS FALSE", ["Cid"]), ("bonus < score", ["Ann", "Cid"]),
                ("speed < bonus", ["Ann", "Cid", "Élan"]),
            ])
        }
        Requirement("AND, OR and NOT follow Kleene's truth tables") { run in
            try await run.games().expectNames([
                ("bonus > 0 OR score = 7", ["Ann", "Bob", "Élan"]), ("NOT (bonus > 0 OR score = 7)", ["Cid"]),
                ("bonus > 0 AND score > 0", ["Ann"]),
                ("NOT (bonus > 0 AND score > 0)", ["Cid", "Eve", "Élan"]),
                ("NOT (bonus > 0) AND NOT (nick = NIL)", ["Cid"]),
                ("TRUEPREDICATE", ["Ann", "Bob", "Cid", "Eve", "Élan"]),
                ("FALSEPREDICATE OR score = 0", ["Eve"]),
            ])
        }
        Requirement("IN accepts lists, also empty ones and lists with null, and is never unknown") { run in
            try await run.games().expectNames([
                ("score IN {7, 12}", ["Ann", "Bob", "Cid"]), ("NOT score IN {7, 12}", ["Eve", "Élan"]),
                ("bonus IN {3, NIL}", ["Ann", "Bob", "Eve"]),
                ("NOT bonus IN {3}", ["Bob", "Cid", "Eve", "Élan"]),
                ("score IN {}", []), ("NOT score IN {}", ["Ann", "Bob", "Cid", "Eve", "Élan"]),
                ("nick IN {'ace', 'Äpfel'}", ["Cid", "Eve"]), ("score IN {bonus, 12}", ["Ann", "Cid"]),
            ])
        }
        Requirement("IN accepts a hundred thousand values") { run in
            let games = try await run.games()
            let numbers = Array(-50_000..<0) + Array(13..<50_000) + [7]
            try await games.read("numbers") { context in
                let found = try context.find(Player.self, "score IN %@", numbers, order: "name")
                try expectEqual(found.map(\.name), ["Bob", "Élan"], "The players")
            }
        }
        Requirement("A range before a key path includes the bounds that it includes in Swift") { run in
            let games = try await run.games()
            try await games.read("look") { context in
                func names(_ predicate: TypedPredicate<Player>) throws -> [String] {
                    try context.fetch(Player.self, where: predicate, order: .ascending(\.name)).map(\.name)
                }
                try expectEqual(try names(0...12 ~= \.score), ["Ann", "Bob", "Cid", "Eve"], "0...12")
                try expectEqual(try names(0..<12 ~= \.score), ["Bob", "Eve"], "0..<12")
                try expectEqual(try names(7..<7 ~= \.score), [], "7..<7")
                try expectEqual(try names(7... ~= \.score), ["Ann", "Bob", "Cid"], "7...")
                try expectEqual(try names(...0 ~= \.score), ["Eve", "Élan"], "...0")
                try expectEqual(try names(..<0 ~= \.score), ["Élan"], "..<0")
                try expectEqual(try names(!("B"..<"D" ~= \.name)), ["Ann", "Eve", "Élan"], "B..<D")
            }
        }
        Requirement("BETWEEN includes both bounds") { run in
            try await run.games().expectNames([
                ("score BETWEEN {0, 7}", ["Bob", "Eve"]), ("bonus BETWEEN {0, 3}", ["Ann", "Cid"]),
                ("NOT bonus BETWEEN {0, 3}", ["Élan"]), ("score BETWEEN {7, 0}", []),
                ("speed BETWEEN {-3, 1}", ["Cid", "Élan"]),
            ])
        }
        Requirement("Numbers of different types compare by value") { run in
            try await run.games().expectNames([
                ("score > 6.5", ["Ann", "Bob", "Cid"]), ("score = 12.0", ["Ann", "Cid"]),
                ("speed = 0.25", ["Élan"]),
                ("speed > -3", ["Ann", "Cid", "Élan"]),
                ("score < 9223372036854775807", ["Ann", "Bob", "Cid", "Eve", "Élan"]),
                ("score > 1e30", []), ("game.price > 19.985", ["Ann", "Bob"]),
                ("game.price = 5", ["Cid", "Élan"]),
            ])
        }
        Requirement("Text compares by bytes") { run in
            try await run.games().expectNames([
                ("name = 'Élan'", ["Élan"]), ("name = 'E\\u0301lan'", []), ("name < 'B'", ["Ann"]),
                ("name > 'Z'", ["Élan"]), ("nick = 'Ace'", ["Ann"]), ("name BEGINSWITH 'E'", ["Eve"]),
                ("name ENDSWITH 'n'", ["Ann", "Élan"]), ("name CONTAINS 'la'", ["Élan"]),
                ("name CONTAINS ''", ["Ann", "Bob", "Cid", "Eve", "Élan"]), ("nick CONTAINS '%'", ["Élan"]),
                ("nick BEGINSWITH 'x_'", ["Élan"]), ("NOT nick BEGINSWITH 'x'", ["Ann", "Cid", "Eve"]),
            ])
        }
        Requirement("[c] and [d] ignore case and diacritics") { run in
            try await run.games().expectNames([
                ("name =[c] 'ÉLAN'", ["Élan"]), ("name =[cd] 'elan'", ["Élan"]),
                ("name =[d] 'Elan'", ["Élan"]),
                ("nick =[c] 'ACE'", ["Ann", "Cid"]), ("name BEGINSWITH[cd] 'e'", ["Eve", "Élan"]),
                ("nick CONTAINS[cd] 'APF'", ["Eve"]), ("name ENDSWITH[c] 'AN'", ["Élan"]),
                ("nick IN[c] {'ACE', 'y'}", ["Ann", "Cid"]), ("nick !=[c] 'ace'", ["Bob", "Eve", "Élan"]),
                ("name <[c] 'b'", ["Ann"]),
            ])
        }
        Requirement("LIKE has the wildcards ? and *, and matches other characters literally") { run in
            try await run.games().expectNames([
                ("name LIKE '?nn'", ["Ann"]), ("name LIKE '*n'", ["Ann", "Élan"]),
                ("name LIKE '?l*'", ["Élan"]),
                ("name LIKE[cd] 'e*'", ["Eve", "Élan"]), ("nick LIKE 'x_%y'", ["Élan"]),
                ("nick LIKE '%'", []),
                ("name LIKE 'an'", []), ("nick LIKE '*'", ["Ann", "Cid", "Eve", "Élan"]),
                ("NOT nick LIKE 'A*'", ["Cid", "Eve", "Élan"]),
            ])
        }
        Requirement("MATCHES applies a regular expression to the whole text") { run in
            try await run.games().expectNames([
                ("name MATCHES '[A-C].*'", ["Ann", "Bob", "Cid"]), ("name MATCHES 'n'", []),
                ("name MATCHES[cd] 'E(LA|x)+N'", ["Élan"]), ("name MATCHES '.[av].?'", ["Eve"]),
                ("nick MATCHES '[a-z]+'", ["Cid"]), ("NOT nick MATCHES '[a-z]+'", ["Ann", "Eve", "Élan"]),
            ])
        }
        Requirement("Arithmetic is exact, and null where it overflows or divides by zero") { run in
            try await run.games().expectNames([
                ("score + bonus = 15", ["Ann"]), ("score - 1 > 10", ["Ann", "Cid"]),
                ("score * 2 = 14", ["Bob"]),
                ("score / 2 = 3", ["Bob"]), ("score / 0 = NIL", ["Ann", "Bob", "Cid", "Eve", "Élan"]),
                ("bonus + 1 = NIL", ["Bob", "Eve"]),
                ("9223372036854775807 + score = NIL", ["Ann", "Bob", "Cid"]),
                ("score * 0.5 = 3.5", ["Bob"]), ("speed * 2 = 3", ["Ann"]), ("name + '!' = 'Ann!'", ["Ann"]),
                ("game.price * 3 = decimal('59.97')", ["Ann", "Bob"]),
            ])
        }
        Requirement("Functions of numbers") { run in
            try await run.games().expectNames([
                ("abs(score) = 4", ["Élan"]), ("negate(score) = 4", ["Élan"]),
                ("mod(score, 5) = 2", ["Ann", "Bob", "Cid"]),
                ("mod(score, 0) = NIL AND score = 7", ["Bob"]), ("floor(speed) = 1", ["Ann"]),
                ("ceiling(speed) = 2", ["Ann"]),
                ("round(speed) = -3", ["Cid"]), ("round(speed) = 2", ["Ann"]),
                ("abs(bonus) = NIL", ["Bob", "Eve"]),
            ])
        }
        Requirement("Functions of texts") { run in
            try await run.games().expectNames([
                ("length(name) = 3", ["Ann", "Bob", "Cid", "Eve"]), ("length(name) = 4", ["Élan"]),
                ("uppercase(name) = 'ÉLAN'", ["Élan"]), ("lowercase(nick) = 'ace'", ["Ann", "Cid"]),
                ("trim(concat('  ', name, ' ')) = 'Bob'", ["Bob"]),
                ("concat(name, nick) = 'AnnAce'", ["Ann"]),
                ("coalesce(nick, name) = 'Bob'", ["Bob"]), ("bonus ?? 9 = 9", ["Bob", "Eve"]),
                ("length(nick) = NIL", ["Bob"]),
            ])
        }
        Requirement("Functions of dates, in UTC, before 1970 too") { run in
            try await run.games().expectNames(
                [
                    ("year(startedAt) = 2026 AND month(startedAt) = 8 AND day(startedAt) = 1", ["Go"]),
                    ("hour(startedAt) = 12 AND minute(startedAt) = 30 AND second(startedAt) = 45", ["Go"]),
                    ("weekday(startedAt) = 7", ["Go"]), ("weekday(startedAt) = 4", ["Chess"]),
                    ("year(startedAt) = 1969 AND second(startedAt) = 59", ["Chess"]),
                    ("year(startedAt) = NIL", ["Empty"]),
                    ("startedAt < date('1970-01-01T00:00:00Z')", ["Chess"]),
                    ("startedAt + 60 > date('2026-08-01T12:31:00Z')", ["Go"]),
                    ("startedAt < now()", ["Chess", "Go"]),
                ], of: "Game")
        }
        Requirement("TERNARY chooses the second value where the condition is unknown") { run in
            try await run.games().expectNames([
                ("TERNARY(bonus > 1, 'a', 'b') = 'b'", ["Bob", "Cid", "Eve"]),
                ("TERNARY(score > 7, nick, name) = 'Eve'", ["Eve"]),
            ])
        }
        Requirement("A chain of to-one relationships is null where one of them is") { run in
            try await run.games().expectNames([
                ("game.title = 'Go'", ["Ann", "Bob"]), ("game.owner.name = 'Paul'", ["Ann", "Bob"]),
                ("game.owner.mentor.name = 'Mia'", ["Ann", "Bob"]),
                ("game.owner.name != 'Paul'", ["Cid", "Eve", "Élan"]),
                ("game.rating > 1", ["Ann", "Bob"]), ("NOT game.rating > 1", []),
                ("game.owner IS Employee", ["Cid", "Élan"]),
            ])
        }
        Requirement("An object in a predicate stands for its identifier") { run in
            let games = try await run.games()
            try await games.read("objects") { context in
                let go = try context.only(Game.self, "title = 'Go'")
                let names = try context.find(Player.self, "game = %@", go.objectID, order: "name").map(\.name)
                try expectEqual(names, ["Ann", "Bob"], "The players of Go")
                let others = try context.find(Player.self, "game != %@", go.objectID, order: "name").map(
                    \.name)
                try expectEqual(others, ["Cid", "Eve", "Élan"], "The others")
                let ann = try context.only(
                    Player.self, "SELF = %@", try context.only(Player.self, "name = 'Ann'").objectID)
                try expectEqual(ann.name, "Ann", "The player by identifier")
                let fans = try context.find(Person.self, "%@ IN favourites", go.objectID, order: "name").map(
                    \.name)
                try expectEqual(fans, ["Mia", "Paul"], "The fans")
            }
        }
        Requirement("A relationship is one of several objects, saved or pending") { run in
            let games = try await run.games()
            try await games.makeBackgroundContext().perform { context in
                let go = try context.only(Game.self, "title = 'Go'")
                let chess = try context.only(Game.self, "title = 'Chess'")
                let new = Game(in: context, title: "Shogi")
                _ = Player(in: context, name: "Zoe", game: new)
                func names(_ predicate: TypedPredicate<Player>) throws -> [String] {
                    let typed = try context.fetch(Player.self, where: predicate, order: .ascending(\.name))
                    let text = try FetchPredicate("\(predicate)")
                    try expectEqual(
                        try context.count(FetchRequest<Player>(where: text)), typed.count, "As text")
                    return typed.map(\.name)
                }
                let several = try names([go, chess] ~= \.game)
                try expectEqual(
                    try context.find(Player.self, "game IN %@", [go, chess], order: "name").map(\.name),
                    several,
                    "The players of two games, by text")
                try expectEqual(several, try names(\.game == go || \.game == chess), "The same, one by one")
                try expectEqual(try names([go] ~= \.game), ["Ann", "Bob"], "The players of Go")
                try expectEqual(
                    try names(.isIn(\.game, [go, new])), ["Ann", "Bob", "Zoe"], "With a new game")
                try expectEqual(try names(.isIn(\.game, [Game]())), [], "The players of no game")
                try expectEqual(
                    try names(!([go, chess] ~= \.game)), try names(\.game != go && \.game != chess),
                    "The others")
            }
        }
        Requirement("Arguments of a predicate are values, and never parsed") { run in
            let games = try await run.games()
            try await games.write("nasty") { context in
                for text in TrickyTexts.all where text.count < 100 {
                    _ = Player(in: context, name: "nasty", nick: text)
                }
            }
            try await games.read("nasty") { context in
                for text in TrickyTexts.all where text.count < 100 {
                    let found = try context.find(Player.self, "name = 'nasty' AND nick = %@", text)
                    try expectEqual(found.count, 1, "The players with a nasty nick")
                    try expectSameBytes(found[0].nick, text, "The nick")
                    let whole = try context.find(
                        Player.self, "name = 'nasty' AND nick BEGINSWITH %@ AND nick ENDSWITH %@", text, text)
                    try expect(whole.contains { $0 === found[0] }, "The nick begins and ends with itself")
                }
            }
        }
    }
}
