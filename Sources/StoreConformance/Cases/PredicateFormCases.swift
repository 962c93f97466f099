import ContextCore
import Foundation

extension Topic {
    /// The text and coded forms of predicates.
    static let predicateForms: Topic = Topic("predicate forms") {
        Requirement("A predicate that is printed and parsed, or encoded and decoded, selects the same") {
            run in
            let games = try await run.games()
            let results: [(text: String, names: [String])] = [
                ("score > 10 AND ANY game.players.name BEGINSWITH[c] \"b\"", ["Ann"]),
                ("SUBQUERY(game.players, $x, $x.score > 0).@count = 1", ["Cid", "Élan"]),
                ("NOT (bonus BETWEEN {0, 3} OR bonus = NIL)", ["Élan"]),
                ("name IN {\"Ann\", \"Eve\"} AND game.owner IS Person", ["Ann"]),
                ("nick LIKE[cd] \"A*\" OR name MATCHES \".*n\"", ["Ann", "Cid", "Eve", "Élan"]),
                ("TERNARY(score + 1 > 10, nick, name) = \"Ace\"", ["Ann"]),
                ("game.startedAt < date(\"2000-01-01T00:00:00Z\")", ["Cid", "Élan"]),
                ("(bonus > 3) IS UNKNOWN", ["Bob", "Eve"]),
            ]
            for (text, names) in results {
                let predicate = try FetchPredicate(text)
                try expectEqual(
                    try FetchPredicate(predicate.description), predicate,
                    "The printed and parsed form of “\(text)”")
                let decoded = try JSONDecoder().decode(
                    FetchPredicate.self, from: JSONEncoder().encode(predicate))
                try expectEqual(decoded, predicate, "The decoded form of “\(text)”")
                try await games.expectNames([(decoded.description, names)])
            }
        }
        Requirement("Values and names replace %@ and %K, whatever characters they contain") { run in
            let games = try await run.games()
            try await games.read("arguments") { context in
                let found = try context.find(
                    Player.self, "%K = %@ OR %K IN %@", "name", "Bob", "nick", ["ace", "' OR 1"])
                try expectEqual(Set(found.map(\.name)), ["Bob", "Cid"], "The players")
                let chain = try context.find(Player.self, "%K = %@", "game.owner.name", "Mia", order: "name")
                try expectEqual(chain.map(\.name), ["Cid", "Élan"], "The players of a chain")
                try expectError(.unknownProperty) {
                    try context.find(Player.self, "%K = %@", "name = 'x' OR score", 1)
                }
            }
        }
        Requirement("A syntax error has the line and column of its position") { run in
            for (text, line, column) in [
                ("score >", 1, 8), ("score > 1 AND AND", 1, 15), ("é = 'x'\n  AND (score = 1", 2, 17),
            ] {
                do {
                    _ = try FetchPredicate(text)
                } catch let error as PredicateSyntaxError {
                    try expectEqual(
                        [error.line, error.column], [line, column], "The position of the error in “\(text)”")
                    continue
                }
                throw ConformanceFailure("“\(text)” was parsed without an error.", file: #fileID, line: #line)
            }
        }
    }
}
