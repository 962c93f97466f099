import ContextCore
import Foundation
import Testing

struct PredicateTextTests {
    @Test func `Printed predicates are parsed to the same tree`() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = RandomPredicates(generator: SeededGenerator(seed: seed))
        for _ in 0..<20_000 {
            let tree = random.predicate(depth: random.count(1, 5))
            let text = tree.description
            let read = Result { try FetchPredicate(text) }
            guard case .success(tree) = read else {
                Issue.record("seed \(seed): \(text)\nread back as \(read)")
                return
            }
        }
    }

    @Test(arguments: [
        ("score > 10", "score > 10"),
        ("score>10 && name==\"Ann\"", "score > 10 AND name = \"Ann\""),
        ("score > 10 and (name = 'a' or name = 'b')", "score > 10 AND (name = \"a\" OR name = \"b\")"),
        ("a = 1 OR b = 2 AND c = 3", "a = 1 OR b = 2 AND c = 3"),
        ("NOT a = 1 AND b = 2", "NOT a = 1 AND b = 2"),
        ("!(a = 1 AND b = 2)", "NOT (a = 1 AND b = 2)"),
        ("a <> 1", "a != 1"),
        ("a =< 1", "a <= 1"),
        ("a => 1", "a >= 1"),
        ("active = yes AND deleted = FALSE", "active = YES AND deleted = NO"),
        ("a = nil", "a = NIL"),
        ("a IS NOT NULL", "a != NIL"),
        ("ANY players.name BEGINSWITH[cd] 'an'", "ANY players.name BEGINSWITH[cd] \"an\""),
        ("SOME players.score > 1", "ANY players.score > 1"),
        ("NONE players.score > 1", "NONE players.score > 1"),
        (
            "ALL(players, $p, $p.score > 1 AND $p.name = name)",
            "ALL(players, $p, $p.score > 1 AND $p.name = name)"
        ),
        ("a IN {1, 2}", "a IN {1, 2}"),
        ("a IN (1, 2)", "a IN {1, 2}"),
        ("a NOT IN {}", "NOT a IN {}"),
        ("a BETWEEN {1, 5} AND b = 2", "a BETWEEN {1, 5} AND b = 2"),
        ("a BETWEEN 1 AND 5 AND b = 2", "a BETWEEN {1, 5} AND b = 2"),
        ("1 + 2 * 3 - -4 = a", "1 + 2 * 3 - -4 = a"),
        ("(1 + 2) * 3 = a", "(1 + 2) * 3 = a"),
        ("a - (b - c) = -(d)", "a - (b - c) = -(d)"),
        ("players.@count > 3", "players.@count > 3"),
        ("@sum.players.score > 3", "players.@sum.score > 3"),
        ("players.@avg.game.rating > 3", "players.game.@avg.rating > 3"),
        ("@count > 3", "@count > 3"),
        (
            "SUBQUERY(players, $x, $x.score > 10 AND $x.name = name).@count > 0",
            "SUBQUERY(players, $x, $x.score > 10 AND $x.name = name).@count > 0"
        ),
        ("name ?? nick ?? '' = ''", "coalesce(name, nick, \"\") = \"\""),
        ("TERNARY(a > 1, 2, 3) = 2", "TERNARY(a > 1, 2, 3) = 2"),
        ("lowercase:(name) = 'x'", "lowercase(name) = \"x\""),
        ("entity IS Employee", "SELF IS Employee"),
        ("owner IS NOT Employee", "NOT owner IS Employee"),
        ("#entity IS Employee", "#entity IS Employee"),
        ("(a > 1) IS UNKNOWN", "(a > 1) IS UNKNOWN"),
        ("(a > 1) IS NOT TRUE", "NOT (a > 1) IS TRUE"),
        ("SELF IN {NIL}", "SELF IN {NIL}"),
        ("#in = #\"odd name\"", "#in = #\"odd name\""),
        ("game.in = 1", "game.#in = 1"),
        ("a = -9223372036854775808", "a = -9223372036854775808"),
        ("a = 0xFF", "a = 255"),
        ("a = 1.5e3", "a = 1500.0"),
        ("a = '\\u00e9\\u{1F600}\\'\\n'", "a = \"é😀'\\n\""),
        ("a = date('2026-08-01')", "a = date(\"2026-08-01T00:00:00Z\")"),
        ("a = date('2026-08-01T12:00:00.25+02:00')", "a = date(\"2026-08-01T10:00:00.250000Z\")"),
        ("a = CAST('2026-08-01T12:00:00Z', 'NSDate')", "a = date(\"2026-08-01T12:00:00Z\")"),
        ("a = CAST(0, 'NSDate')", "a = date(\"2001-01-01T00:00:00Z\")"),
        ("a = decimal('1.10')", "a = decimal(\"1.1\")"),
        ("a = data('SGVsbG8=')", "a = data(\"SGVsbG8=\")"),
    ])
    func `Predicates are printed in one form`(text: String, printed: String) throws {
        #expect(try FetchPredicate(text).description == printed)
    }

    @Test func `Arguments take their places as values, never as text`() throws {
        let hostile = "x\" OR TRUEPREDICATE OR a = \""
        let predicate = try FetchPredicate("name = %@ AND %K > %ld", hostile, "game.rating", 3)
        #expect(
            predicate
                == .and([
                    .comparing(.path("name"), .equal, .literal(.string(hostile))),
                    .comparing(.path("game.rating"), .greater, .literal(.int(3))),
                ]))
    }

    @Test func `Arguments may be lists, ranges, nil and expressions`() throws {
        #expect(try FetchPredicate("a IN %@", [1, 2]).description == "a IN {1, 2}")
        #expect(try FetchPredicate("a BETWEEN %@", 1...5).description == "a BETWEEN {1, 5}")
        #expect(try FetchPredicate("a = %@", nil as String?).description == "a = NIL")
        #expect(try FetchPredicate("a = %@", FetchExpression("b + 1")).description == "a = b + 1")
        #expect(
            try FetchPredicate("ANY %K.name = %@", "players", "x").description == "ANY players.name = \"x\"")
    }

    @Test func `Variables need values, except those that a subquery binds`() throws {
        let template = try FetchPredicate("score > $least AND ANY(players, $x, $x.score > $least) AND $x = 1")
        #expect(template.variables == ["least", "x"])
        #expect(
            try template.substituting(["least": 5, "x": 7]).description
                == "score > 5 AND ANY(players, $x, $x.score > 5) AND 7 = 1")
        #expect(throws: PredicateSubstitutionError.self) {
            try FetchPredicate("$p.score > 1").substituting(["p": 1])
        }
    }

    @Test func `A predicate is encoded in JSON as its text`() throws {
        let predicate = try FetchPredicate("score > 10 AND name = 'Ann'")
        let data = try JSONEncoder().encode([predicate])
        #expect(String(decoding: data, as: UTF8.self) == #"["score > 10 AND name = \"Ann\""]"#)
        #expect(try JSONDecoder().decode([FetchPredicate].self, from: data) == [predicate])
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode([FetchPredicate].self, from: Data(#"["score >"]"#.utf8))
        }
    }

    @Test func `Text for logs shows no value`() throws {
        let predicate = try FetchPredicate("name = 'secret' AND age IN {41, NIL} AND a BETWEEN {1.5, 2.5}")
        #expect(predicate.redactedDescription == "name = … AND age IN {…, NIL} AND a BETWEEN {…, …}")
    }
}
