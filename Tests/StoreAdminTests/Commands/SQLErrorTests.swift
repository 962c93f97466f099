import ContextCore
import Testing

@testable import StoreAdmin

/// Errors of statements and predicates, with the database's own words and a caret below the place that they are about.
struct SQLErrorTests {
    private let bench: AdminBench

    init() throws { bench = try AdminBench() }

    @Test(
        arguments: [
            (
                "SELECT titel FROM game", "no such column: titel",
                """
                      SELECT titel FROM game
                             ^
                """
            ),
            (
                "SELECT '日本', titel FROM game", "no such column: titel",
                """
                      SELECT '日本', titel FROM game
                                     ^
                """
            ),
            (
                "SELECT title,\n\ttitel\nFROM game", "no such column: titel",
                """
                  Line 2, column 2:
                       titel
                       ^
                """
            ),
            (
                "SELECT title\nFROM game WHERE\n\n", "incomplete input",
                """
                  Line 2, column 16:
                      FROM game WHERE
                                     ^
                """
            ),
        ] as [(String, String, String)])
    func `SQLite's errors have a caret`(statement: String, words: String, lines: String) throws {
        _ = try bench.makeShop()
        let outcome = bench.run("sql", statement)
        #expect(outcome.exit == .usage)
        #expect(
            outcome.problems
                == "storectl: error SC1005: SQLite rejected the statement: \(words).\n\(lines)\n  Correct the statement.\n"
        )
    }

    @Test func `An error of SQLite without a place has no caret`() throws {
        _ = try bench.makeShop()
        let missing = bench.run("sql", "SELECT 1 FROM nosuch")
        #expect(missing.problems.hasSuffix("no such table: nosuch.\n  Correct the statement.\n"))
        let violated = bench.run("sql", "--write", "UPDATE game SET title = NULL WHERE _id = 1")
        #expect(violated.exit == .failure)
        #expect(violated.problems.contains("NOT NULL constraint failed: game.title"), "\(violated.problems)")
        let repeated = bench.run("sql", "--write", "UPDATE game SET title = 'Go'")
        #expect(repeated.problems.contains("UNIQUE constraint failed"), "\(repeated.problems)")
    }

    @Test(
        arguments: [
            (
                "SELECT '日本', titel FROM game",
                """
                      SELECT '日本', titel FROM game
                                     ^
                  Perhaps you meant to reference the column "game.title".
                """
            ),
            (
                "SELECT title,\n\ttitel\nFROM game",
                """
                  Line 2, column 2:
                       titel
                       ^
                  Perhaps you meant to reference the column "game.title".
                """
            ),
        ] as [(String, String)])
    func `PostgreSQL's errors have a caret and the server's hint`(statement: String, lines: String) throws {
        guard TestPlace.server != nil else { return }
        _ = try bench.makeShop(.postgres)
        let outcome = bench.run("sql", statement)
        #expect(outcome.exit == .usage)
        #expect(
            outcome.problems
                == "storectl: error SC1005: PostgreSQL rejected the statement: column \"titel\" does not exist.\n\(lines)\n"
        )
    }

    @Test func `PostgreSQL's errors of values have its words, too`() throws {
        guard TestPlace.server != nil else { return }
        _ = try bench.makeShop(.postgres)
        let syntax = bench.run("sql", "SELECT 1 FORM game")
        #expect(
            syntax.problems.contains(
                "syntax error at or near \"game\".\n      SELECT 1 FORM game\n                    ^\n"),
            "\(syntax.problems)")
        let violated = bench.run("sql", "--write", "UPDATE game SET title = NULL WHERE _id = 1")
        #expect(violated.exit == .failure)
        #expect(violated.problems.contains("null value in column \"title\""), "\(violated.problems)")
        #expect(!violated.problems.contains("^"))
        let schema = bench.run("sql", "--write", "CREATE TABLE nosuch.a (b text)")
        #expect(schema.exit == .usage)
        #expect(schema.problems.contains("schema \"nosuch\" does not exist.\n"), "\(schema.problems)")
        let large = bench.run("sql", "SELECT 2147483647 + 1::int4")
        #expect(large.problems.contains("integer out of range."), "\(large.problems)")
    }

    @Test(
        arguments: [
            (
                ["query", "Player where name = \"日本\" AND score > AND name = 1"],
                """
                SC1003: the predicate has a syntax error: expected a value after ">", found "AND".
                      name = "日本" AND score > AND name = 1
                                                ^
                  Write a property of that name as #AND.

                """
            ),
            (
                ["query", "Player where name BEGINWITH 'A' order by score limit 5"],
                """
                SC1003: the predicate has a syntax error: expected a comparison after "name", found "BEGINWITH".
                      name BEGINWITH 'A'
                           ^
                  Did you mean BEGINSWITH?

                """
            ),
            (
                ["count", "Player", "--where", "name = 'x' AND\n  score > AND"],
                """
                SC1003: the predicate has a syntax error: expected a value after ">", found "AND".
                  Line 2 of the predicate:
                        score > AND
                                ^
                  Write a property of that name as #AND.

                """
            ),
            (
                ["query", "Player order by name, score desc nulls frst"],
                """
                SC1003: the sort order has a syntax error: expected FIRST or LAST after "nulls", found "frst".
                      name, score desc nulls frst
                                             ^

                """
            ),
            (
                ["query", "Player", "-f", "name,score *"],
                """
                SC1003: the field has a syntax error: expected a value after "*", found the end.
                      score *
                             ^

                """
            ),
            (
                ["query", "Player where name = 'Ann' AND scroe > 1"],
                """
                SC1004: “scroe”: Player has no property “scroe”.
                      name = 'Ann' AND scroe > 1
                                       ^
                  Did you mean “score”?

                """
            ),
            (
                ["query", "Player", "-f", "nme"],
                """
                SC1004: “nme”: Player has no property “nme”.
                  Did you mean “name”?

                """
            ),
        ] as [([String], String)])
    func `A request's error has a caret in the clause, and no column, on every backend`(
        words: [String], text: String
    ) throws {
        for place in TestPlace.available {
            _ = try bench.makeShop(place)
            let outcome = bench.run(words)
            #expect(outcome.exit == .usage)
            #expect(outcome.problems == "storectl: error " + text)
        }
    }

    /// Returns the position in the error document of a call.
    private func position(_ words: String...) throws -> String? {
        let problems = bench.run(words + ["--json"]).problems
        guard case .object(let members) = JSONValue(try JSONDocument(problems).root) else { return nil }
        return members["position"]?.text
    }

    @Test func `The document of an error has its position in the text, on every backend`() throws {
        for place in TestPlace.available {
            _ = try bench.makeShop(place)
            #expect(
                try position("query", "Player where score > AND name = 1")
                    == #"{"clause":"where","column":9,"line":1,"text":"score > AND name = 1"}"#)
            #expect(
                try position("count", "Player", "--where", "name = \"日\" and\n  scroe > 1")
                    == #"{"clause":"where","column":3,"line":2,"text":"  scroe > 1"}"#)
            #expect(
                try position("query", "Player where name = \"titel\" and game.titel = 1")
                    == #"{"clause":"where","column":20,"line":1,"text":"name = \"titel\" and game.titel = 1"}"#
            )
            #expect(
                try position("query", "Player", "--order", "name, scroe desc")
                    == #"{"clause":"order","column":7,"line":1,"text":"name, scroe desc"}"#)
            #expect(
                try position("query", "Player", "-f", "name,nme")
                    == #"{"clause":"fields","column":1,"line":1,"text":"nme"}"#)
            #expect(
                try position("sql", "SELECT titel FROM game")
                    == #"{"clause":null,"column":8,"line":1,"text":"SELECT titel FROM game"}"#)
            #expect(try position("query", "Plyer") == nil && position("get", "Player:99") == nil)
        }
    }

    @Test func `The shell's errors have a caret, too`() throws {
        _ = try bench.makeShop()
        bench.lines = ["\\sql SELECT titel FROM game"]
        #expect(bench.run("shell").problems.contains("      SELECT titel FROM game\n             ^\n"))
    }
}
