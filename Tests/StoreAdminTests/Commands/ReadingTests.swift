import ContextCore
import Testing

@testable import StoreAdmin

/// Commands that read objects, on every backend: text for people, and JSON.
struct ReadingTests {
    private let bench: AdminBench

    init() throws { bench = try AdminBench() }

    @Test(arguments: TestPlace.available)
    func `Query shows attributes and references`(place: TestPlace) throws {
        _ = try bench.makeShop(place)
        let outcome = bench.run("query", "Player where score > 0 order by score desc")
        #expect(
            outcome.output == """
                id  mentor    name    game    score
                ──  ────────  ──────  ──────  ─────
                 3  Person:4  Édith   null      100
                 1  Person:2  Ann     Game:1     12

                """)
        #expect(outcome.problems == "")
        #expect(outcome.exit == .success)
        let json = try bench.json("query", "Person order by name limit 1 offset 1")
        #expect(json["rows"]?.text == #"[{"entity":"Player","id":2,"mentor":1,"name":"Bob"}]"#)
        #expect(json["schema"] == .string("storectl.query/1"))
    }

    @Test(arguments: TestPlace.available)
    func `Query evaluates paths and expressions, in every format`(place: TestPlace) throws {
        _ = try bench.makeShop(place)
        let words = ["query", "Game order by title", "-f", "title,players.@count,price", "-o"]
        #expect(
            bench.run(words + ["csv"]).output
                == "title,players.@count,price\r\n\"Chess, \"\"fast\"\"\",0,\r\nGo,2,12.5\r\n")
        #expect(
            bench.run(words + ["jsonl"]).output.hasSuffix(
                #"{"players.@count":2,"price":12.5,"title":"Go"}"# + "\n"))
        #expect(
            bench.run(words + ["md"]).output.hasPrefix(
                "| title | players.@count | price |\n| --- | --: | --: |\n"))
    }

    @Test(arguments: TestPlace.available)
    func `Query shows the chosen attributes, encoded ones too`(place: TestPlace) throws {
        _ = try bench.makeShop(place)
        let words = ["query", "Sample order by label", "-f"]
        #expect(
            bench.run(words + ["label,json", "-o", "jsonl"]).output == """
                {"json":{"a":[1,2]},"label":"all"}
                {"json":null,"label":"none"}

                """)
        #expect(bench.run(words + ["json,label", "-o", "csv"]).output.hasPrefix("json,label\r\n"))
        #expect(bench.run(words + ["json"]).output.hasPrefix("json"))
        let mixed = bench.run(words + ["json,length(label)"])
        #expect(mixed.exit == .usage)
        #expect(mixed.problems.contains("can't contain both “json”"), "\(mixed.problems)")
    }

    @Test func `Query shows a hundred objects by default`() throws {
        let header = ShopExport.text.split(separator: "\n")[0]
        let objects = (1...120).map { #"{"entity":"Sample","id":\#($0),"values":{"label":"\#($0)"}}"# }
        try bench.write(([String(header)] + objects).joined(separator: "\n"), to: "many.jsonl")
        bench.variables["STORECTL_URL"] = "sqlite:many.sqlite"
        #expect(bench.run("data", "import", "many.jsonl").exit == .success)
        let shown = bench.run("query", "Sample").output
        #expect(shown.hasSuffix("The first 100; --limit shows more.\n"))
        #expect(shown.count { $0 == "\n" } == 103)
        let more = bench.run("query", "Sample", "-n", "110").output
        #expect(more.count { $0 == "\n" } == 113 && more.hasSuffix(" shows more.\n"))
        #expect(
            bench.run("query", "Sample", "-f", "label").output.hasSuffix(
                "The first 100; --limit shows more.\n"))
        #expect(bench.run("query", "Sample", "-o", "csv").output.count { $0 == "\r\n" } == 121)
        #expect(bench.run("query", "Sample where label = \"x\"").output == "no objects\n")
    }

    @Test(
        arguments: [
            (["query", "Plyer"], ExitCode.usage, "the model has no entity “Plyer”.", "Did you mean Player?"),
            (
                ["query", "Player where scroe > 1"], .usage, "“scroe”: Player has no property “scroe”.",
                "Did you mean “score”?"
            ),
            (
                ["query", "Player where score >"], .usage,
                "the predicate has a syntax error: expected a value after \">\", found the end.", nil
            ),
            (
                ["query", "Player where score > 1", "--where", "score < 2"], .usage,
                "the request has a clause “where”, and --where is given too.", "Leave one of them out."
            ),
            (
                ["query", "Player", "--limit", "ten"], .usage, "--limit takes a whole number, not “ten”.",
                "Write digits only, such as 100."
            ),
            (
                ["query", "Player", "-f", "nme"], .usage, "“nme”: Player has no property “nme”.",
                "Did you mean “name”?"
            ),
            (
                ["get", "Player:99"], .inputMissing, "There is no object Player:99.",
                "Run 'storectl query Player' to list the objects with their keys."
            ),
            (["get", "Player"], .usage, "“Player” is not an object identifier.", "Write it like Player:12."),
            (
                ["history", "show", "99"], .inputMissing, "The history has no save 99.",
                "Run 'storectl history list' to list the saves."
            ),
            (
                ["history", "show", "x"], .usage, "SAVE must be a number greater than 0, not “x”.",
                "Run 'storectl history list' to list the saves."
            ),
            (
                ["history", "list", "--since", "now"], .usage, "--since takes a time, not “now”.",
                "Write it like 2026-08-01T12:00:00Z."
            ),
            (
                ["model", "show", "7"], .usage, "the store has no model with version “7”.",
                "Its versions are 1."
            ),
            (["inspect", "entity", "Gme"], .usage, "the model has no entity “Gme”.", "Did you mean Game?"),
            (
                ["check", "--only", "orphan"], .usage, "there is no kind of finding “orphan”.",
                "Did you mean orphans?"
            ),
            (["diagram", "--entity", "Gme"], .usage, "the model has no entity “Gme”.", "Did you mean Game?"),
            (["diagram", "--app"], .usage, "this storectl contains no application's model.", nil),
            (
                ["sql", "DELETE FROM game"], .permission, "change the database",
                "Add --write to allow changes."
            ),
        ] as [([String], ExitCode, String, String?)])
    func `An invalid request has the reason, on every backend`(
        words: [String], exit: ExitCode, message: String, hint: String?
    ) throws {
        for place in TestPlace.available {
            _ = try bench.makeShop(place)
            let outcome = bench.run(words)
            #expect(outcome.output == "")
            #expect(outcome.exit == exit, "\(outcome.problems)")
            #expect(outcome.problems.contains(message), "\(outcome.problems)")
            if let hint { #expect(outcome.problems.contains("\n  \(hint)"), "\(outcome.problems)") }
        }
    }

    @Test(arguments: TestPlace.available)
    func `Get shows all properties of an object`(place: TestPlace) throws {
        _ = try bench.makeShop(place)
        #expect(
            bench.run("get", "Game:1").output == """
                Game:1  version 3
                fans       to many         2: Player:1, Player:3
                players    to many         2: Player:1, Player:2
                price      decimal(10, 2)  12.5
                rounds     to many         2: Round:2, Round:1
                startedAt  date            2026-08-01T12:00:00.250000Z
                title      string          Go

                """)
        let json = try bench.json("get", "Player/1")
        #expect(
            json["properties"]?.text
                == #"{"favourites":[5,1],"game":1,"mentor":2,"name":"Ann","pupils":[2],"score":12}"#)
        #expect(bench.run("get", "Game:1", "-n", "1").output.contains("2: Player:1, …\n"))
    }

    @Test(arguments: TestPlace.available)
    func `Count and explain work for a request`(place: TestPlace) throws {
        _ = try bench.makeShop(place)
        #expect(bench.run("count", "Person").output == "4\n")
        #expect(bench.run("count", "Player where game.title = \"Go\"").output == "2\n")
        #expect(bench.run("count", "Person limit 3 offset 2").output == "2\n")
        #expect(try bench.json("count", "Game")["count"] == .int(2))
        let explained = bench.run("explain", "Player where name = \"Ann\"")
        #expect(explained.output.hasPrefix("SELECT "))
        #expect(explained.output.split(separator: "\n").count > 1)
        #expect(explained.output.split(separator: "\n").first?.contains("Ann") == false)
        #expect(try bench.json("explain", "Game")["steps"] != nil)
    }

    @Test(arguments: TestPlace.available)
    func `History lists saves and shows their changes`(place: TestPlace) throws {
        _ = try bench.makeShop(place)
        let list = bench.run("history", "list", "-o", "jsonl").output.split(separator: "\n")
        #expect(list.count >= 4)
        #expect(
            bench.run("history", "list", "-n", "1", "-o", "jsonl").output == list.suffix(1).joined() + "\n")
        #expect(bench.run("history", "list", "--author", "nobody").output == "no saves\n")
        let rounds = bench.run("history", "list", "--entity", "Round", "-o", "jsonl").output
        #expect(rounds.contains(#""entities":["Round"]"#) && rounds.contains(#""inserted":2"#))
        let process = ProcessInfo.processInfo
        let number = process.processIdentifier
        #expect(rounds.contains(#""pid":\#(number),"process":"\#(process.processName)""#), "\(rounds)")
        #expect(bench.run("history", "list").output.contains("\(process.processName)  \(number)"))
        let shown = bench.run("history", "show", "1")
        #expect(shown.output.hasPrefix("change  object"))
        #expect(shown.output.contains("insert  "))
        let after = try bench.json("history", "list", "--after", "\(list.count - 1)")
        guard case .array(let rows)? = after["rows"] else { return }
        #expect(rows.count == 1)
    }
}
