import ContextCore
import Foundation
import Testing

@testable import StoreAdmin

/// `data import` of CSV and JSON Lines files.
struct RowImportTests {
    private let bench: AdminBench

    init() throws { bench = try AdminBench() }

    private func importRows(_ text: String, _ words: String..., to name: String = "rows.csv") throws
        -> AdminBench.Outcome
    {
        try bench.write(text, to: name)
        return bench.run(["data", "import", name] + words)
    }

    @Test(arguments: TestPlace.available)
    func `Rows become objects, with references by a unique attribute`(place: TestPlace) throws {
        _ = try bench.makeShop(place)
        let outcome = try importRows(
            "\u{FEFF}Name;Score;game.title\r\nCid;7;Go\r\n\"D;\"\"E\"\"\";;\"Chess, \"\"fast\"\"\"\r\nEve;1;\r\n",
            "--entity", "Player", "--delimiter", ";")
        #expect(outcome.exit == .success, "\(outcome.problems)")
        #expect(outcome.output == "3 rows: 3 inserted\n")
        #expect(
            outcome.problems == """
                Name → Player.name (string)
                Score → Player.score (int64)
                game.title → Player.game.title (string)

                """)
        let lines = bench.run("data", "export", "--entity", "Player").output.split(separator: "\n")
        #expect(lines.count == 7 && lines[4].contains(#""to":{"game":1},"values":{"name":"Cid","score":7}"#))
        #expect(lines[5].contains(#""to":{"game":5},"values":{"name":"D;\"E\"","score":0}"#))
        #expect(lines[6].contains(#""to":{},"values":{"name":"Eve","score":1}"#))
        #expect(bench.run("check").exit == .success)
    }

    @Test(arguments: TestPlace.available)
    func `With a key, rows update objects, and a dry run changes nothing`(place: TestPlace) throws {
        _ = try bench.makeShop(place)
        let text =
            "title,price,startedAt\nGo,15,01.08.2026\nMill,1.25,\nMill,2.5,02.08.2026\n\"Chess, \"\"fast\"\"\",,\n"
        let words = [
            "data", "import", "rows.csv", "--entity", "Game", "--key", "title", "--date-format", "dd.MM.yyyy",
        ]
        try bench.write(text, to: "rows.csv")
        let before = bench.run("data", "checksum").output
        let dry = bench.run(words + ["--dry-run"])
        #expect(
            dry.exit == .success && dry.output == "4 rows: 1 to insert, 2 to update, 1 unchanged\n", "\(dry)")
        #expect(bench.run("data", "checksum").output == before)
        let done = bench.run(words)
        #expect(done.output == "4 rows: 1 inserted, 2 updated, 1 unchanged\n", "\(done)")
        let again = bench.run(words)
        #expect(again.output == "4 rows: 2 updated, 2 unchanged\n", "\(again)")
        let games = bench.run("data", "export", "--entity", "Game").output.split(separator: "\n").dropFirst()
        #expect(games.count == 3)
        #expect(
            games.first?.contains(#""values":{"price":15,"startedAt":"2026-08-01T00:00:00Z","title":"Go"}"#)
                == true)
        #expect(
            games.last?.contains(#""values":{"price":2.5,"startedAt":"2026-08-02T00:00:00Z","title":"Mill"}"#)
                == true)
    }

    @Test func `A bad row stops the import, and nothing is changed`() throws {
        _ = try bench.makeShop()
        let before = bench.run("data", "checksum").output
        for (text, message) in [
            ("name,score\nCid,1\nDan,x\n", "rows.csv:3: score must be a whole number of at most 64 bits."),
            ("name,score\nCid,1\nDan\n", "rows.csv:3: it has 1 field, and the header has 2."),
            (
                "name,game.title\nCid,Go\nDan,Mill\n",
                "rows.csv:3: game.title refers to no Game: none has this title."
            ),
            ("score\n1\n", "rows.csv:2: name must have a value."),
            ("name\n\"a\n", "rows.csv:2: the record has a quotation mark that isn't closed."),
            ("name,foo\na,b\n", "Player has no property “foo”."),
            ("name,Name\na,b\n", "two columns of the file belong to name"),
            ("name,game\na,b\n", "Name the column game.title."),
            ("name,favourites\na,b\n", "it is a to-many relationship"),
            ("", "the file is empty"),
        ] {
            let outcome = try importRows(text, "--entity", "Player")
            #expect(
                outcome.exit == .badData && outcome.problems.contains(message), "\(text): \(outcome.problems)"
            )
        }
        let duplicate = try importRows("title\nMill\nGo\n", "--entity", "Game")
        #expect(
            duplicate.exit == .badData
                && duplicate.problems.contains("rows.csv:3: another Game (1) has the same title."))
        #expect(bench.run("data", "checksum").output == before)
    }

    @Test(arguments: TestPlace.available)
    func `Bad rows are written to a file, which can be imported when they are corrected`(place: TestPlace)
        throws
    {
        _ = try bench.makeShop(place)
        let text = "Title,Price\nMill,1\nGo,2\n\"\",3\nDice,x\nDice,4\n"
        let outcome = try importRows(text, "--entity", "Game", "--rejects", "bad.csv")
        #expect(
            outcome.exit == .differences && outcome.output == "5 rows: 2 inserted, 3 rejected\n", "\(outcome)"
        )
        let rejects = try bench.read("bad.csv")
        #expect(
            rejects == """
                _line,_reason,Title,Price\r
                5,price must be a number of at most 38 digits,Dice,x\r
                4,title must have at least 1 character,"",3\r
                3,another Game (1) has the same title,Go,2\r

                """, "\(rejects)")
        let again = try importRows(
            rejects.replacing("Dice,x", with: "Dice,9").replacing("\"\"", with: "Halma"), "--entity", "Game",
            "--key", "title", to: "again.csv")
        #expect(again.exit == .success && again.output == "3 rows: 1 inserted, 2 updated\n", "\(again)")
    }

    @Test func `Columns are mapped and left out, and nulls have their own text`() throws {
        _ = try bench.makeShop()
        let outcome = try importRows(
            "Spieler\tPunkte\tSpiel\tRest\nCid\t-\tGo\tx\n", "--entity", "Player", "--map", "Spieler=name",
            "--map",
            "Punkte=score", "--map", "Spiel=game.title", "--map", "Rest=", "--null", "-", to: "rows.tsv")
        #expect(
            outcome.exit == .success && outcome.problems.contains("Rest is left out\n"), "\(outcome.problems)"
        )
        #expect(
            bench.run("count", "Player where name = 'Cid' AND score = 0 AND game.title = 'Go'").output
                == "1\n")
    }

    @Test func `Other encodings are read`() throws {
        _ = try bench.makeShop()
        try Data("name\nÉdouard\n".utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] })
            .write(to: URL(fileURLWithPath: bench.folder + "/rows.csv"))
        let wrong = bench.run("data", "import", "rows.csv", "--entity", "Player")
        #expect(wrong.exit == .badData, "\(wrong)")
        let right = bench.run("data", "import", "rows.csv", "--entity", "Player", "--encoding", "utf-16le")
        #expect(right.exit == .success, "\(right.problems)")
        #expect(bench.run("count", "Player where name = 'Édouard'").output == "1\n")
    }

    @Test func `Lines of JSON are imported, with nested references`() throws {
        _ = try bench.makeShop()
        let outcome = try importRows(
            """
            {"name": "Cid", "score": 3, "game": {"title": "Go"}}

            {"name": "Dan", "game": null}
            {"name": "Eve", "game.title": "Go"}
            ["no object"]
            {"name": 7}
            """, "--entity", "Player", "--rejects", "bad.jsonl", to: "rows.jsonl")
        #expect(
            outcome.exit == .differences && outcome.output == "5 rows: 3 inserted, 2 rejected\n", "\(outcome)"
        )
        #expect(
            try bench.read("bad.jsonl") == """
                {"_line":5,"_reason":"it isn't a JSON object","_text":"[\\"no object\\"]"}
                {"_line":6,"_reason":"name must be text","name":7}

                """)
        #expect(
            bench.run("count", "Player where game.title = 'Go' AND name IN {'Cid', 'Eve'}").output == "2\n")
    }

    @Test func `A line that sets a property twice, or is an uncorrected reject, is rejected`() throws {
        _ = try bench.makeShop()
        for (line, reason) in [
            (
                #"{"_line":5,"_reason":"x","_text":"[]"}"#,
                "rows.jsonl:1: it is a rejected line that isn't corrected"
            ),
            (#"{"name":"Cid","Name":"Dan"}"#, "rows.jsonl:1: it sets name twice."),
            (#"{"name":"Cid","game":null,"game.title":"Go"}"#, "rows.jsonl:1: it sets game twice."),
        ] {
            let outcome = try importRows(line, "--entity", "Player", to: "rows.jsonl")
            #expect(outcome.exit == .badData && outcome.problems.contains(reason), "\(outcome.problems)")
        }
    }

    @Test func `Values of every type are read`() throws {
        _ = try bench.makeShop()
        let outcome = try importRows(
            "label,bytes,flag,json,link,ratio,single\nx,AAEC,yes,\"{\"\"a\"\":[1, 2]}\",https://example.com/b,+.5,0.1\ny,,,,,1e3,-infinity\n",
            "--entity", "Sample")
        #expect(outcome.exit == .success, "\(outcome.problems)")
        let lines = bench.run("data", "export", "--entity", "Sample").output.split(separator: "\n")
        #expect(
            lines[3].contains(
                #""values":{"bytes":"AAEC","flag":true,"json":{"a":[1,2]},"label":"x","link":"https://example.com/b","ratio":0.5,"single":0.1}"#
            ))
        #expect(
            lines[4].contains(#""values":{"label":"y","ratio":1000,"single":"-infinity"}"#), "\(lines[4])")
    }

    @Test func `An import of many rows is written in batches`() throws {
        _ = try bench.makeShop()
        let rows = (1...2_500).map { "N\($0),\($0 % 2 == 0 ? "Go" : "")\n" }.joined()
        let outcome = try importRows("name,game.title\n" + rows, "--entity", "Player")
        #expect(outcome.output == "2,500 rows: 2,500 inserted\n", "\(outcome)")
        #expect(
            bench.run("count", "Player where game.title = 'Go' AND name BEGINSWITH 'N'").output == "1250\n")
    }

    @Test(arguments: TestPlace.available)
    func `After a part is imported, an error keeps the rejected rows and names the imported ones`(
        place: TestPlace
    ) throws {
        _ = try bench.makeShop(place)
        let rows = (1...10_001).map { "N\($0),\($0)\n" }.joined()
        let outcome = try importRows(
            "name,score\nBad,x\n" + rows + "\"open", "--entity", "Player", "--rejects", "bad.csv")
        #expect(outcome.exit == .badData, "\(outcome)")
        #expect(
            outcome.problems.contains(" 10,000 rows up to line 10002 are imported."), "\(outcome.problems)")
        #expect(bench.run("count", "Player where name BEGINSWITH 'N'").output == "10000\n")
        #expect(try bench.read("bad.csv").hasSuffix(",Bad,x\r\n"))
        let early = try importRows(
            "name,score\nBad,x\n\"open", "--entity", "Player", "--rejects", "worse.csv")
        #expect(early.exit == .badData && !early.problems.contains("imported."), "\(early.problems)")
        #expect(!FileManager.default.fileExists(atPath: bench.folder + "/worse.csv"))
    }

    @Test func `Arguments that don't fit together are errors`() throws {
        _ = try bench.makeShop()
        for words in [
            [], ["--entity", "Nothing"], ["--entity", "Person"], ["--entity", "Player", "--key", "name"],
            ["--entity", "Game", "--key", "title", "--delimiter", "ab"], ["--entity", "Game", "--map", "a"],
            ["--entity", "Game", "--on-error", "stop", "--rejects", "x.csv"],
            ["--entity", "Game", "--date-format", "x"],
        ] {
            try bench.write("title\nMill\n", to: "rows.csv")
            let outcome = bench.run(["data", "import", "rows.csv"] + words)
            #expect(outcome.exit == .usage, "\(words): \(outcome)")
        }
        try bench.write("price\n1\n", to: "rows.csv")
        let keyless = bench.run("data", "import", "rows.csv", "--entity", "Game", "--key", "title")
        #expect(keyless.exit == .badData && keyless.problems.contains("no column belongs to Game.title"))
    }

    @Test(arguments: TestPlace.available, RowFile.Format.allCases)
    func `Exported rows are imported again`(place: TestPlace, format: RowFile.Format) throws {
        _ = try bench.makeShop(place)
        let name = "rows.\(format.rawValue)"
        let exported = bench.run(
            "data", "export", "--entity", "Player", "--format", format.rawValue, "--out", name)
        #expect(
            exported.exit == .success && exported.problems == "3 objects written to \(name)\n", "\(exported)")
        let imported = bench.run("data", "import", name, "--entity", "Player")
        #expect(imported.output == "3 rows: 3 inserted\n", "\(imported)")
        #expect(bench.run("count", "Player where name = 'Édith ' AND score = 100").output == "2\n")
        #expect(bench.run("count", "Player where game.title = 'Go'").output == "4\n")
        let games = bench.run("data", "export", "--entity", "Game", "--format", format.rawValue)
        try bench.write(games.output, to: name)
        let again = bench.run("data", "import", name, "--entity", "Game", "--key", "title")
        #expect(again.output == "2 rows: 2 unchanged\n", "\(again)")
    }

    @Test func `Some objects and fields are exported`() throws {
        _ = try bench.makeShop()
        let words = ["data", "export", "--entity", "Player", "--where", "score > 0"]
        #expect(
            bench.run(words + ["--format", "csv", "-f", "score,name,game.title"]).output
                == "score,name,game.title\r\n12,Ann,Go\r\n100,Édith ,\r\n")
        #expect(
            bench.run(words + ["--format", "jsonl", "-f", "name,game.title"]).output
                == "{\"name\":\"Ann\",\"game.title\":\"Go\"}\n{\"name\":\"Édith \",\"game.title\":null}\n")
        let ambiguous = bench.run(
            "data", "export", "--entity", "Player", "--format", "csv", "-f", "game.title")
        #expect(ambiguous.exit == .badData && ambiguous.problems.contains("in its only column"))
        #expect(bench.run(words).exit == .usage)
        #expect(bench.run("data", "export", "--format", "csv").exit == .usage)
        #expect(bench.run("data", "export", "--order", "name").exit == .usage)
        #expect(
            bench.run("data", "export", "--format", "csv", "--entity", "Player", "-f", "mentor").exit
                == .badData)
    }

    @Test(arguments: TestPlace.available)
    func `Rows are exported in the chosen order`(place: TestPlace) throws {
        _ = try bench.makeShop(place)
        let words = ["data", "export", "--entity", "Player", "--format", "csv", "-f", "name"]
        #expect(bench.run(words + ["--order", "score DESC"]).output == "name\r\nÉdith \r\nAnn\r\nBob\r\n")
        #expect(
            bench.run(words + ["--order", "mentor.name, score", "--where", "score < 100"]).output
                == "name\r\nBob\r\nAnn\r\n")
        #expect(bench.run(words + ["--order", "nothing"]).exit == .usage)
    }
}
