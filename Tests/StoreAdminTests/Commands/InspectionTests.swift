import ContextCore
import Foundation
import Testing

@testable import SQLiteBackend
@testable import StoreAdmin

struct InspectionTests {
    private let bench: AdminBench

    init() throws { bench = try AdminBench() }

    @Test(arguments: TestPlace.available)
    func `Status fits on one screen`(place: TestPlace) throws {
        let url = try bench.makeShop(place)
        let outcome = bench.run("status")
        #expect(outcome.exit == .success)
        let lines = outcome.output.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines[0] == "store      (no name)")
        let address = url.replacing("sqlite:", with: "sqlite:\(bench.folder)/")
        // A password that equals the user name is hidden everywhere.
        let secrets = SecretLedger()
        try secrets.register(secretsOf: StoreURL(address))
        #expect(try lines[1] == secrets.redacted("address    \(StoreURL(address))"))
        #expect(lines[4].hasPrefix("model      version 1, "))
        #expect(outcome.output.contains("Player         3  ████████████████████\n"))
        #expect(outcome.output.hasSuffix("10 objects in 5 entities\n"))
        let json = try bench.json("status")
        #expect(json["objects"]?.text == #"{"Game":2,"Player":3,"Referee":1,"Round":2,"Sample":2}"#)
    }

    @Test func `Status reports whether the model is the application's`() throws {
        _ = try bench.makeShop()
        bench.model = try ObjectModel(fileText: ShopExport.model)
        #expect(bench.run("status", "--check").exit == .success)
        #expect(bench.run("status").output.contains("  the application's\n"))
        bench.model = try ObjectModel { Entity("Other") { Attribute("a", .string) } }
        let outcome = bench.run("status", "--check")
        #expect(outcome.exit == .differences)
        #expect(outcome.output.contains("  not the application's\n"))
        #expect(bench.run("status").exit == .success)
        #expect(try bench.json("model", "list")["rows"]?.text.contains(#""isApplications":false"#) == true)
        #expect(bench.run("doctor").exit == .differences)
        #expect(bench.run("doctor").output.contains("✗  application"))
    }

    @Test(arguments: TestPlace.available)
    func `Inspect shows the model and the database`(place: TestPlace) throws {
        _ = try bench.makeShop(place)
        #expect(
            bench.run("inspect", "entities").output == """
                entity   superentity  abstract  attributes  relationships  unique  indexes
                ───────  ───────────  ────────  ──────────  ─────────────  ──────  ───────
                Game                                     3              3  title         0
                Person                yes                1              2                0
                Player   Person                          1              2                0
                Referee  Person                          1              0                0
                Round                                    1              1                0
                Sample                                   7              0                0

                """)
        let entity = bench.run("inspect", "entity", "Player").output
        #expect(
            entity.contains("score       int64                   0                 \n")
                || entity.contains("score"))
        #expect(entity.contains("favourites  ordered Game"))
        #expect(bench.run("inspect", "relationships").output.contains("Round   game          Game"))
        #expect(bench.run("inspect", "counts", "-o", "csv").output.hasPrefix("entity,objects\r\nGame,2\r\n"))
        let sizes = bench.run("inspect", "sizes").output
        #expect(sizes.contains("Person") && sizes.contains("links") && sizes.contains(" in total\n"))
        #expect(bench.run("inspect", "indexes").output.contains("title"))
        let settings = bench.run("inspect", "settings").output
        #expect(settings.contains(place == .sqlite ? "journal_mode" : "server_encoding"))
    }

    @Test(arguments: TestPlace.available)
    func `An undamaged store has no findings, and doctor reports nothing`(place: TestPlace) throws {
        _ = try bench.makeShop(place)
        let check = bench.run("check")
        #expect(check.output == "no problems found\n")
        #expect(check.exit == .success)
        let doctor = bench.run("doctor")
        #expect(doctor.exit == .success)
        #expect(!doctor.output.contains("✗"))
        #expect(try bench.json("doctor")["ok"] == .bool(true))
    }

    @Test func `Check finds damage by SQL`() throws {
        _ = try bench.makeShop()
        let path = try #require(bench.variables["STORECTL_URL"]?.dropFirst("sqlite:".count))
        // By default, a connection of SQLite doesn't check foreign keys.
        let connection = try SQLiteConnection(
            path: bench.folder + "/" + path, access: .readAndWrite, timeout: .zero)
        for statement in [
            "UPDATE person SET score = NULL WHERE _id = 1", "UPDATE person SET mentor_id = 99 WHERE _id = 2",
            "UPDATE person SET game_id = 77 WHERE _id = 3", "DROP INDEX game_title_unique",
            "UPDATE game SET title = 'Go'", "UPDATE round SET game_order = 1",
        ] {
            try connection.execute(statement)
        }
        connection.close()
        let outcome = bench.run("check", "--only", "required,unique,orphans,order")
        #expect(outcome.exit == .differences)
        #expect(outcome.output.contains("required  Player:1  score"))
        #expect(
            outcome.output.contains(
                "orphans   Player:2  mentor    refers to Person:99, which does not exist"))
        #expect(
            outcome.output.contains("orphans   Player:3  game      refers to Game:77, which does not exist"))
        #expect(outcome.output.contains("order     Game:1    rounds    has two objects at the same position"))
        #expect(outcome.output.contains("unique    Game:5    title     has the same values as Game:1"))
        #expect(outcome.output.hasSuffix("\n5 findings\n"))
        let damage = bench.run("check", "--only", "damage")
        #expect(damage.exit == .differences)
        #expect(damage.output.contains("Row 2 of table person refers to a row that is missing in person."))
    }

    @Test(arguments: TestPlace.available)
    func `SQL reads, and writes if allowed`(place: TestPlace) throws {
        _ = try bench.makeShop(place)
        #expect(
            bench.run("sql", "SELECT title AS t, 1 AS n FROM game ORDER BY 1").output.contains(
                "Go             1\n"))
        #expect(
            bench.run("sql", "SELECT title FROM game ORDER BY 1", "-n", "1").output.hasSuffix(
                "The first 1; --limit shows more.\n"))
        #expect(
            bench.run("sql", "--write", "UPDATE game SET title = 'Shogi' WHERE title = 'Go'").output
                == "1 row changed\n")
        #expect(bench.run("count", "Game where title = \"Shogi\"").output == "1\n")
        #expect(try bench.json("sql", "SELECT 1 AS a")["columns"]?.text == #"["a"]"#)
    }

    @Test(arguments: TestPlace.available)
    func `SQL prints all rows in formats for programs, and says if a limit cuts them`(place: TestPlace) throws
    {
        _ = try bench.makeShop(place)
        let query = """
            WITH RECURSIVE a(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM a WHERE n < 1200) SELECT n FROM a
            """
        let table = bench.run("sql", query).output
        #expect(table.hasSuffix("The first 1000; --limit shows more.\n"))
        #expect(table.count { $0 == "\n" } == 1003)
        for (format, extra) in [("jsonl", 0), ("csv", 1), ("md", 2)] {
            let all = bench.run("sql", query, "-o", format)
            #expect(all.output.count { $0.isNewline } == 1200 + extra)
            #expect(all.problems == "")
            let cut = bench.run("sql", query, "-o", format, "-n", "1000")
            #expect(cut.output.count { $0.isNewline } == 1000 + extra)
            #expect(cut.problems == "The first 1000; --limit shows more.\n")
        }
        let json = try bench.json("sql", query)
        #expect(json["cut"] == .bool(false))
        #expect(try bench.json("sql", query, "-n", "1000")["cut"] == .bool(true))
    }

    @Test func `SQL shows the reason of errors, and columns with equal names`() throws {
        _ = try bench.makeShop()
        let refused = bench.run("sql", "SELECT nosuch FROM game")
        #expect(refused.problems.contains("no such column: nosuch"), "\(refused.problems)")
        let misspelled = bench.run("sql", "SELEC")
        #expect(misspelled.exit == .usage)
        #expect(misspelled.problems.contains("near \"SELEC\": syntax error"), "\(misspelled.problems)")
        let json = try bench.json("sql", "SELECT 1 AS a, 2 AS a, 3 AS a_2")
        #expect(json["rows"]?.text == #"[{"a":1,"a_2":3,"a_3":2}]"#)
        #expect(json["columns"]?.text == #"["a","a","a_2"]"#)
    }

    @Test func `In production a change requires the store's name`() throws {
        let url = try bench.makeShop()
        bench.variables["STORECTL_URL"] = nil
        try bench.write(#"{"stores": {"prod": {"url": "\#(url)", "production": true}}}"#, to: "storectl.json")
        let words = ["sql", "--write", "UPDATE game SET title = 'x' WHERE _id = 1"]
        #expect(bench.run(words).exit == .refused)
        #expect(bench.run(words).problems.hasSuffix("Add --confirm prod.\n"))
        #expect(bench.run(words + ["--confirm", "dev"]).exit == .refused)
        #expect(bench.run(words + ["--confirm", "prod"]).exit == .success)
        #expect(bench.run("status").output.hasPrefix("store      prod  production\n"))
    }

    @Test(arguments: TestPlace.available)
    func `Another program's database can be inspected, but is no store`(_ place: TestPlace) throws {
        let url = place.freshURL()
        bench.variables["STORECTL_URL"] = url
        switch place {
        case .sqlite: try bench.write("", to: String(url.dropFirst("sqlite:".count)))
        case .postgres:
            let schema = url.split(separator: "schema=").last ?? ""
            try #require(bench.run("sql", "--write", "CREATE SCHEMA \(schema)").exit == .success)
        }
        #expect(bench.run("sql", "--write", "CREATE TABLE a (b TEXT)").exit == .success)
        #expect(bench.run("inspect", "sizes").output.contains("a      not part of a store"))
        for words in [["status"], ["check"]] {
            let outcome = bench.run(words)
            #expect(outcome.exit == .badData, "\(words)")
            #expect(
                outcome.problems.contains(
                    place == .sqlite ? "is a database of another program." : "contains no store."), "\(words)"
            )
            #expect(outcome.problems.contains("'storectl model import'"), "\(words)")
        }
    }

    @Test(arguments: ["status", "check", "doctor"])
    func `A missing store is reported, and not created`(word: String) throws {
        bench.variables["STORECTL_URL"] = "sqlite:none.sqlite"
        let outcome = bench.run(word)
        #expect(outcome.exit == (word == "doctor" ? .differences : .inputMissing))
        #expect((outcome.output + outcome.problems).contains("There is no store at"))
        #expect(!FileManager.default.fileExists(atPath: bench.folder + "/none.sqlite"))
    }

    @Test func `Model show prints a file of an equal model`() throws {
        _ = try bench.makeShop()
        let text = bench.run("model", "show").output
        #expect(try ObjectModel(fileText: text).fileText == text)
        #expect(bench.run("model", "show", "1").output == text)
        #expect(bench.run("model", "list").output.contains("      1  "))
    }

    @Test func `Model diff prints the differences of models`() throws {
        _ = try bench.makeShop()
        bench.model = try ObjectModel(fileText: ShopExport.model)
        let same = bench.run("model", "diff", "store", "app")
        #expect(same.output == "the models are equal\n")
        #expect(same.exit == .success)
        try bench.write(
            ShopExport.model.replacing("\"maximumLength\"", with: "\"optional\":true,\"maximumLength\""),
            to: "V2.json")
        let outcome = bench.run("model", "diff", "store@1", "V2.json")
        #expect(outcome.exit == .differences)
        #expect(outcome.output.hasSuffix("Attribute Game.title becomes optional.\n"))
        try bench.write(ShopExport.model.replacing("\"score\"", with: "\"points\""), to: "V3.json")
        let ambiguous = bench.run("model", "diff", "store", "V3.json")
        #expect(ambiguous.exit == .badData)
        #expect(ambiguous.problems.contains("score of Player is missing and points is new"))
        let lossy = bench.run("model", "diff", "store", "V3.json", "--removed", "Player.score")
        #expect(
            lossy.output.contains(
                "Attribute Player.score is removed, with all of its data.  loses data\n"))
        #expect(bench.run("model", "diff", "store", "none.json").exit == .inputMissing)
        #expect(bench.run("model", "diff", "store@9", "app").exit == .usage)
    }

    @Test func `Diagram draws to standard output or to a new file`() throws {
        _ = try bench.makeShop()
        #expect(bench.run("diagram").output.hasPrefix("<svg "))
        #expect(bench.run("diagram", "--entity", "Game").output.contains("<title>1 entity</title>"))
        #expect(bench.run("diagram", "--format", "mermaid").output.hasPrefix("erDiagram\n"))
        #expect(
            bench.run("diagram", "--format", "dot", "--entity", "Game,Round").output.contains("rounds / game")
        )
        let outcome = bench.run("diagram", "--out", "a.svg")
        #expect(outcome.output == "")
        #expect(outcome.problems == "6 entities drawn to a.svg\n")
        #expect(try bench.read("a.svg").hasSuffix("</svg>\n"))
        #expect(bench.run("diagram", "--out", "a.svg").exit == .cannotCreate)
        #expect(bench.run("diagram", "--out", "no/a.svg").exit == .cannotCreate)
    }

    @Test func `Diagram describes boxes and lines as JSON`() throws {
        _ = try bench.makeShop()
        let document = JSONValue(try JSONDocument(bench.run("diagram", "--json").output).root)
        let boxes = try #require(document["boxes"].elements)
        #expect(
            boxes.compactMap { $0["entity"].stringValue } == [
                "Game", "Person", "Player", "Referee", "Round", "Sample",
            ])
        #expect(boxes.map { $0["superentity"].stringValue } == [nil, nil, "Person", "Person", nil, nil])
        #expect(boxes[0]["unique"].intValue == 1)
        #expect(boxes[0]["rules"].intValue == 1)
        let title = try #require(boxes[0]["rows"].elements?.first { $0["property"].stringValue == "title" })
        #expect(title["flags"].stringValues == ["unique"])
        let lines = try #require(document["lines"].elements)
        let rounds = try #require(lines.first { $0["source"]["property"].stringValue == "rounds" })
        #expect(rounds["source"]["deleteRule"].stringValue == "cascade")
        #expect(rounds["source"]["ordered"] == .bool(true))
        #expect(rounds["source"]["cardinality"].stringValue == "1")
        #expect(rounds["destination"]["entity"].stringValue == "Round")
        #expect(rounds["destination"]["property"].stringValue == "game")
        #expect(rounds["destination"]["cardinality"].stringValue == "0..*")
        #expect(rounds["destination"]["label"]["text"].stringValue == "rounds 0..*")
        #expect(lines.count { $0["kind"].stringValue == "inheritance" } == 2)
        // A line begins in the row of its property.
        let row = try #require(boxes[0]["rows"].elements?.first { $0["property"].stringValue == "rounds" })
        let middle = try #require(boxes[0]["y"].intValue) + (try #require(row["y"].intValue))
        let start = try #require(rounds["points"].elements?.first?["y"].intValue)
        #expect(abs(start - middle) < 9)
    }

    @Test func `Diagram writes its JSON to a file, and rejects another format with it`() throws {
        _ = try bench.makeShop()
        let document = bench.run("diagram", "--json").output
        #expect(bench.run("diagram", "--json", "--out", "a.json").exit == .success)
        #expect(try bench.read("a.json") == document)
        let outcome = bench.run("diagram", "--json", "--format", "dot")
        #expect(outcome.exit == .usage)
        #expect(outcome.problems.contains("Omit one of them."))
        let one = JSONValue(
            try JSONDocument(bench.run("diagram", "--json", "--entity", "Game,Game").output).root)
        #expect(one["boxes"].elements?.count == 1)
    }
}
