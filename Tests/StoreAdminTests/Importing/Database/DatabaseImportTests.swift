import ContextCore
import Foundation
import Synchronization
import Testing

@testable import StoreAdmin

/// `data import --from` with databases of other programs.
struct DatabaseImportTests {
    private static let arguments = ["data", "import", "--from", "source", "-s", "target"]
    private let bench: AdminBench

    init() throws { bench = try AdminBench() }

    private func makeSource(_ source: TestPlace = .sqlite, to target: TestPlace = .sqlite) throws
        -> LibraryFixture
    {
        try LibraryFixture(in: bench, from: source, to: target)
    }

    @Test(arguments: TestPlace.available, TestPlace.available)
    func `Rows are imported with their keys, references and links`(_ source: TestPlace, _ target: TestPlace)
        throws
    {
        _ = try makeSource(source, to: target)
        let outcome = bench.run(Self.arguments + ["--report", "report.json"])
        #expect(outcome.exit == .success, "\(outcome.problems)")
        #expect(outcome.output.contains("The copy is equal to the source."))
        for line in [
            "review_line.author_id, book_id: the reference to review becomes a relationship, and its columns stay properties."
        ] {
            #expect(outcome.output.contains("  \(line)\n"), "\(outcome.output)")
        }
        #expect(!outcome.output.contains("author.id"))
        #expect(try bench.objects("target") == LibraryFixture.objects)
        let check = bench.run("check", "-s", "target")
        #expect(check.exit == .success, "\(check.output)")
        let report = JSONValue(try JSONDocument(try bench.read("report.json")).root)
        #expect(report["schema"] == .string("storectl.data.import.database/1"))
        #expect(report["rejected"] == .int(0) && report["equal"] == .bool(true))
        // A second import doesn't add to the store.
        #expect(bench.run(Self.arguments).exit == .refused)
    }

    @Test(arguments: TestPlace.available)
    func `A dry run writes nothing`(_ source: TestPlace) throws {
        _ = try makeSource(source)
        let outcome = bench.run(Self.arguments + ["--dry-run"])
        #expect(outcome.exit == .success && outcome.output.hasSuffix("Nothing was written.\n"))
        #expect(bench.run("model", "show", "-s", "target").exit == .inputMissing)
    }

    @Test(arguments: TestPlace.available)
    func `Keys that can't be those of objects are replaced`(_ source: TestPlace) throws {
        let fixture = try makeSource(source)
        try fixture.execute(
            "UPDATE tag SET id = -5 WHERE id = 2", "UPDATE book_tag SET tag_id = -5 WHERE tag_id = 2")
        let outcome = bench.run(Self.arguments)
        #expect(outcome.exit == .success, "\(outcome.problems)")
        #expect(
            outcome.output.contains("tag.id: not all values are whole numbers from 1 to 4611686018427387904"))
        let objects = try bench.objects("target")
        #expect(objects["Tag:1"] == ["id": .int(-5)])
        #expect(objects["Tag:2"] == ["id": .int(1), "label": .string("old")])
        let model = try ObjectModel(fileText: bench.run("model", "import", "-s", "source").output)
        let tag = try #require(model.layout(named: "Tag")).description
        #expect(tag.attributes.map(\.name) == ["id", "label"])
        #expect(tag.uniqueConstraints.map(\.properties).contains(["id"]))
        #expect(objects["Book:10"]?["tags"] == .composite([.int(1), .int(2)]))
        #expect(objects["Book:11"]?["tags"] == .composite([.int(2)]))
    }

    @Test(.enabled(if: TestPlace.available.contains(.postgres)))
    func `Rows of inheriting tables and of partitions are imported once`() throws {
        let fixture = try makeSource(.postgres)
        try fixture.execute(
            "CREATE TABLE city (id integer PRIMARY KEY, name text)",
            "CREATE TABLE capital (PRIMARY KEY (id)) INHERITS (city)",
            "INSERT INTO city VALUES (1, 'Graz')",
            "INSERT INTO capital VALUES (2, 'Wien')",
            "CREATE TABLE sale (id integer PRIMARY KEY, amount integer) PARTITION BY RANGE (id)",
            "CREATE TABLE sale_1 PARTITION OF sale FOR VALUES FROM (1) TO (10)",
            "INSERT INTO sale VALUES (4, 40)")
        let outcome = bench.run(Self.arguments)
        #expect(outcome.exit == .success, "\(outcome.problems)")
        let objects = try bench.objects("target")
        #expect(objects["City:1"] == ["name": .string("Graz")] && objects["City:2"] == nil)
        #expect(objects["Capital:2"] == ["name": .string("Wien")])
        #expect(objects["Sale:4"] == ["amount": .int(40)] && objects["Sale1:4"] == nil)
    }

    @Test(.enabled(if: TestPlace.available.contains(.postgres)))
    func `Values of types without an attribute type become text`() throws {
        let fixture = try makeSource(.postgres)
        try fixture.execute(
            "CREATE TYPE mood AS ENUM ('glad', 'sad')", "CREATE DOMAIN feeling AS mood",
            "CREATE DOMAIN price AS numeric(6, 2)", "CREATE DOMAIN fee AS price",
            "CREATE TABLE visit (id integer PRIMARY KEY, at time, lasts interval, host inet, names text[], mood feeling, fee fee)",
            "INSERT INTO visit VALUES (1, '08:30', '2 hours', '10.0.0.1', '{a,b}', 'glad', 3.5)")
        let outcome = bench.run(Self.arguments)
        #expect(outcome.exit == .success, "\(outcome.problems)")
        #expect(outcome.output.contains("visit.names: the values of the type “text[]” become JSON."))
        #expect(
            try bench.objects("target")["Visit:1"] == [
                "at": .string("08:30:00"), "lasts": .string("02:00:00"), "host": .string("10.0.0.1/32"),
                "names": .string(#"["a","b"]"#), "mood": .string("glad"),
                "fee": .decimal(Decimal(string: "3.5") ?? 0),
            ])
    }

    @Test func `Times of day and values of columns without a type become text, and bytes are rejected`()
        throws
    {
        let fixture = try makeSource()
        try fixture.execute(
            "CREATE TABLE note (id integer PRIMARY KEY, body)",
            "INSERT INTO note VALUES (1, 7), (2, 1.5), (3, 'text'), (4, NULL)",
            "CREATE TABLE opening (id integer PRIMARY KEY, starts TIME, ends TIME WITHOUT TIME ZONE)",
            "INSERT INTO opening VALUES (1, '08:30:00', '17:00')")
        let outcome = bench.run(Self.arguments)
        #expect(outcome.exit == .success, "\(outcome.problems)")
        #expect(outcome.output.contains("note.body: the column has no type; its values become text."))
        let objects = try bench.objects("target")
        #expect(objects["Opening:1"] == ["starts": .string("08:30:00"), "ends": .string("17:00")])
        #expect(
            (1...4).map { objects["Note:\($0)"]?["body"] } == [
                .string("7"), .string("1.5"), .string("text"), nil,
            ])
        try fixture.execute("INSERT INTO note VALUES (5, x'ff')")
        let refused = bench.run("data", "import", "--from", "source", "-s", "sqlite:other.sqlite")
        #expect(refused.exit == .badData && refused.problems.contains("note: body must be text (1 row: 5)"))
    }

    @Test func `Virtual tables and the tables behind them are left out`() throws {
        let fixture = try makeSource()
        try fixture.execute(
            "CREATE VIRTUAL TABLE words USING fts5 (body)", "INSERT INTO words VALUES ('some text')")
        let outcome = bench.run(Self.arguments)
        #expect(outcome.exit == .success, "\(outcome.problems)")
        #expect(outcome.output.contains("words: virtual tables are not imported."))
        #expect(try bench.objects("target") == LibraryFixture.objects)
    }

    @Test(.enabled(if: TestPlace.available.contains(.postgres)))
    func `A role that is read-only by default can number rows, and needs the privilege to read all tables`()
        throws
    {
        let fixture = try makeSource(.postgres)
        let url = try #require(bench.variables["SOURCE"])
        let role = "reader_" + UUID().uuidString.prefix(8).lowercased()
        let schema = try StoreURL(url).options["schema"] ?? ""
        try fixture.execute(
            "CREATE ROLE \(role) LOGIN PASSWORD 'reading'",
            "ALTER ROLE \(role) SET default_transaction_read_only = on",
            "GRANT USAGE ON SCHEMA \(schema) TO \(role)",
            "GRANT SELECT ON ALL TABLES IN SCHEMA \(schema) TO \(role)")
        defer { try? fixture.execute("DROP OWNED BY \(role)", "DROP ROLE \(role)") }
        bench.variables["SOURCE"] = try AdminBench.readerURL(url, role)
        let outcome = bench.run(Self.arguments)
        #expect(outcome.exit == .success, "\(outcome.problems)")
        #expect(try bench.objects("target") == LibraryFixture.objects)
        try fixture.execute("REVOKE SELECT ON country FROM \(role)")
        let denied = bench.run(
            "data", "import", "--from", "source", "-s", "sqlite:other.sqlite", "--verbose")
        #expect(denied.exit != .success)
        #expect(denied.problems.contains("country") && !denied.problems.contains("privilege TEMPORARY"))
    }

    // MARK: Stopping

    /// Stops the next import after it has begun to write.
    private func stopImport() {
        let checks = Mutex(0)
        // The survey checks after each of the eight tables of objects.
        bench.stopRequest = .polling {
            checks.withLock { count in
                count += 1
                return count > 12 ? SIGINT : nil
            }
        }
    }

    @Test(arguments: TestPlace.available)
    func `A stopped import is continued`(_ source: TestPlace) throws {
        let fixture = try makeSource(source)
        stopImport()
        #expect(bench.run(Self.arguments).exit == .interrupted)
        bench.stopRequest = .none
        #expect(
            bench.run("doctor", "-s", "target").output.contains("An import into the store was not finished"))
        #expect(bench.run("doctor", "-s", "target").output.contains("'storectl data import --resume'"))
        #expect(bench.run(Self.arguments).problems.contains("Add --resume."))
        #expect(bench.run(Self.arguments + ["--resume"]).exit == .success)
        #expect(try bench.objects("target") == LibraryFixture.objects)
        #expect(!bench.run("doctor", "-s", "target").output.contains("--resume"))
        // Rows that were added since are in no finished import.
        try fixture.execute("INSERT INTO tag VALUES (9, 'new')")
        #expect(bench.run(Self.arguments + ["--resume"]).exit == .refused)
    }

    @Test(arguments: TestPlace.available)
    func `An import is not resumed after its source has changed`(_ source: TestPlace) throws {
        let fixture = try makeSource(source)
        stopImport()
        #expect(bench.run(Self.arguments).exit == .interrupted)
        bench.stopRequest = .none
        try fixture.execute("INSERT INTO tag VALUES (9, 'new')")
        let outcome = bench.run(Self.arguments + ["--resume"])
        #expect(outcome.exit == .refused)
        #expect(outcome.problems.contains("its source is not as it was"), "\(outcome.problems)")
        #expect(outcome.problems.contains("Tag 2,") && outcome.problems.contains("Tag 3,"))
        #expect(outcome.problems.contains("storectl db drop"))
    }

    // MARK: Bad rows

    @Test(arguments: TestPlace.available)
    func `Rejected rows are counted by all of their reasons, and numbered`(_ source: TestPlace) throws {
        let fixture = try makeSource(source)
        let model = try ObjectModel(fileText: bench.run("model", "import", "-s", "source").output)
        var entities = model.layouts.map(\.description)
        // Rules that the rows don't satisfy.
        for entity in entities.indices {
            for index in entities[entity].attributes.indices {
                switch entities[entity].attributes[index].name {
                case "words": entities[entity].attributes[index].rules = [.length(minimum: nil, maximum: 1)]
                case "number":
                    entities[entity].attributes[index].rules = [.range(minimum: .int(9), maximum: nil)]
                default: break
                }
            }
        }
        try bench.write(try ObjectModel(entities: entities).fileText, to: "V1.model.json")
        try #require(bench.run("db", "create", "--model", "V1.model.json", "-s", "target").exit == .success)
        try fixture.execute("DELETE FROM log", "INSERT INTO log VALUES ('long')")
        let outcome = bench.run(Self.arguments)
        #expect(outcome.exit == .badData)
        let address = source == .sqlite ? "rowid 1" : "ctid (0,"
        for text in [
            "3 rows can't be imported:", "review_line: number must be at least 9 (2 rows: 1, 2)",
            "review_line: words must have at most 1 character (1 row: 1)",
            "log: words must have at most 1 character (1 row: \(address)",
        ] {
            #expect(outcome.problems.contains(text), "\(outcome.problems)")
        }
        #expect(!outcome.problems.contains("author_id 7"))
        #expect(bench.run(Self.arguments + ["--rejects", "bad.jsonl"]).exit == .differences)
        #expect(try bench.read("bad.jsonl").contains(#""_row":"author_id 7, book_id 10, number 2""#))
    }

    @Test func `A bad row stops the import before anything is written`() throws {
        let fixture = try makeSource()
        try fixture.execute(
            "UPDATE author SET born = 'soon' WHERE id = 7",
            "UPDATE author SET favourite_id = 99 WHERE id = 3",
            "UPDATE tag SET label = x'ff' WHERE id = 2", "INSERT INTO book_tag VALUES (10, 77)",
            "UPDATE profile SET author_id = 98")
        let outcome = bench.run(Self.arguments)
        #expect(outcome.exit == .badData)
        for line in [
            "5 rows can't be imported:", "author: favourite refers to no row of book (1 row: 3)",
            "author: born must be a date such as", "profile: author refers to no row of author (1 row: 98)",
            "tag: label must be text (1 row: 2)", "book_tag: it links a row that does not exist (1 row)",
        ] {
            #expect(outcome.problems.contains(line), "\(outcome.problems)")
        }
        #expect(bench.run("model", "show", "-s", "target").exit == .inputMissing)
    }

    @Test func `The values of rejected rows are only in the file of rejects`() throws {
        let fixture = try makeSource()
        try fixture.execute(
            "UPDATE country SET code = 'secret', name = x'ff' WHERE code = 'at'",
            "INSERT INTO book_tag VALUES (10, 471147)")
        let reason = "country: name must be text (1 row: 1)"
        let refused = bench.run(Self.arguments)
        #expect(refused.exit == .badData && refused.problems.contains(reason), "\(refused.problems)")
        let collected = bench.run(Self.arguments + ["--rejects", "bad.jsonl", "--report", "report.json"])
        #expect(collected.exit == .differences && collected.problems.contains(reason))
        let texts = [
            refused.problems, collected.output, collected.problems, try bench.read("report.json"),
        ]
        for value in ["secret", "471147"] {
            #expect(!texts.contains { $0.contains(value) }, "\(value): \(texts)")
        }
        let rejects = try bench.read("bad.jsonl")
        #expect(rejects.contains(#""_row":"code secret""#))
        #expect(rejects.contains(#""_row":"book_id 10, tag_id 471147""#), "\(rejects)")
    }

    @Test func `Only the first reasons and rows are printed`() {
        var tally = RejectTally()
        for number in 1...12 {
            let more = number == 12 ? (1...21).map { "y\($0) must be text" } : []
            tally.add(
                RejectedTableRow(
                    table: TableStructure("t", columns: []), key: Int64(number), address: nil, keyColumns: [],
                    values: [], reasons: ["x must be text"] + more))
        }
        #expect(tally.count == 12 && tally.sentences.count == 21)
        #expect(tally.sentences[0] == "t: x must be text (12 rows: 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, …)")
        #expect(tally.sentences[20] == "and 2 other reasons")
    }

    @Test(arguments: TestPlace.available)
    func `Rejected rows are left out with those that refer to them`(_ target: TestPlace) throws {
        let fixture = try makeSource(to: target)
        try fixture.execute("UPDATE book SET title = x'ff' WHERE id = 11")
        let outcome = bench.run(Self.arguments + ["--rejects", "bad.jsonl"])
        #expect(outcome.exit == .differences)
        // The nine objects below, and three links.
        #expect(outcome.output.contains("\n12 rows are rejected.\nThe copy is equal to the source.\n"))
        var lines: Set<String> = []
        for line in try bench.read("bad.jsonl").split(separator: "\n") {
            let row = JSONValue(try JSONDocument(String(line)).root)
            let key = row["_key"].intValue.map { " \($0)" } ?? ""
            lines.insert("\(row["_table"].stringValue ?? "")\(key): \(row["_reason"].stringValue ?? "")")
        }
        #expect(
            lines == [
                "book 11: title must be text", "author 3: favourite refers to a rejected row of book",
                "review 1: book refers to a rejected row of book",
                "author 7: mentor refers to a rejected row of author",
                "profile 3: author refers to a rejected row of author",
                "book 10: author refers to a rejected row of author",
                "review 2: author refers to a rejected row of author",
                "review_line 1: review refers to a rejected row of review",
                "review_line 2: review refers to a rejected row of review",
                "book_tag: it links a rejected row of book",
            ], "\(lines.sorted())")
        #expect(
            try bench.objects("target").keys.sorted() == [
                "Country:1", "Country:2", "Log:1", "Log:2", "Tag:1", "Tag:2",
            ])
    }

    @Test func `The file of rejected rows is written by an import, and replaced when it is resumed`() throws {
        let fixture = try makeSource()
        try fixture.execute("UPDATE tag SET label = x'ff' WHERE id = 2")
        let arguments = Self.arguments + ["--rejects", "bad.jsonl"]
        #expect(bench.run(arguments + ["--dry-run"]).exit == .differences)
        #expect(throws: (any Error).self) { try bench.read("bad.jsonl") }
        stopImport()
        #expect(bench.run(arguments).exit == .interrupted)
        bench.stopRequest = .none
        let lines = try bench.read("bad.jsonl")
        try bench.write("old", to: "bad.jsonl")
        #expect(bench.run(arguments).exit == .cannotCreate)
        let outcome = bench.run(arguments + ["--resume"])
        #expect(outcome.exit == .differences, "\(outcome.problems)")
        #expect(try bench.read("bad.jsonl") == lines)
    }

    @Test func `Accepted losses are empty in the store`() throws {
        let fixture = try makeSource()
        let unknown = bench.run(Self.arguments + ["--accept-loss", "Author.bron"])
        #expect(unknown.exit == .usage && unknown.problems.contains("Did you mean Author.born?"))
        try fixture.execute(
            "UPDATE author SET born = 'soon', favourite_id = 99 WHERE id = 3",
            "INSERT INTO book_tag VALUES (10, 77)")
        let outcome = bench.run(
            Self.arguments + ["--accept-loss", "Author.born,Author.favourite,book_tag"])
        #expect(outcome.exit == .success, "\(outcome.problems)")
        #expect(outcome.output.contains("Author.favourite: refers to no row of book (1 object: 3)"))
        let author = try bench.objects("target")["Author:3"]
        #expect(author?["name"] == .string("Ann") && author?["born"] == nil && author?["favourite"] == nil)
    }

    @Test func `Numbers in columns of dates need a meaning`() throws {
        let fixture = try makeSource()
        try fixture.execute("UPDATE author SET born = 318384000 WHERE id = 3")
        let refused = bench.run(Self.arguments)
        #expect(refused.exit == .badData && refused.problems.contains("--numeric-dates"))
        #expect(bench.run(Self.arguments + ["--numeric-dates", "seconds"]).exit == .success)
        #expect(try bench.objects("target") == LibraryFixture.objects)
    }

    // MARK: The model of the store

    @Test func `The model of a store that exists must have the names`() throws {
        _ = try makeSource()
        let model = bench.run("model", "import", "-s", "source").output
        let changed = model.replacing(#""stars""#, with: #""points""#)
        try #require(changed != model)
        try bench.write(changed, to: "V1.model.json")
        try #require(bench.run("db", "create", "--model", "V1.model.json", "-s", "target").exit == .success)
        let refused = bench.run(Self.arguments)
        #expect(refused.exit == .refused)
        #expect(
            refused.problems.contains("has no place for Review.stars")
                && refused.problems.contains("--accept-loss Review.stars"))
        #expect(bench.run(Self.arguments + ["--accept-loss", "Review.stars"]).exit == .success)
        #expect(try bench.objects("target")["Review:2"] == ["author": .int(7), "book": .int(10)])
    }

    @Test func `A store with another model is refused`() throws {
        _ = try makeSource()
        let model = try ObjectModel(entities: [EntityDescription("Planet")])
        try bench.write(model.fileText, to: "V1.model.json")
        try #require(bench.run("db", "create", "--model", "V1.model.json", "-s", "target").exit == .success)
        let refused = bench.run(Self.arguments)
        #expect(refused.exit == .refused && refused.problems.contains("has another model"))
        #expect(!refused.problems.contains("--accept-loss"))
    }

    // MARK: Errors

    @Test func `Sources and options that don't fit are errors`() throws {
        _ = try makeSource()
        for words in [
            ["--coredata", "App.mom"], ["--entity", "Book"], ["--key", "title"], ["rows.csv"],
            ["--schema", "public"], ["--rejects", "a.jsonl", "--on-error", "stop"],
        ] {
            let outcome = bench.run(Self.arguments + words)
            #expect([.usage, .badData].contains(outcome.exit), "\(words): \(outcome.problems)")
        }
        #expect(bench.run("data", "import", "--from", "source", "-s", "source").exit == .usage)
        #expect(bench.run(Self.arguments).exit == .success)
        let store = bench.run("data", "import", "--from", "target", "-s", "sqlite:b.sqlite")
        #expect(store.exit == .refused && store.problems.contains("storectl data copy"))
        for (file, statements, exit, words) in [
            ("empty", [], ExitCode.inputMissing, "has no tables"),
            (
                "wide", ["PRAGMA encoding = 'UTF-16'", "CREATE TABLE a (b text)"], .configuration,
                "other than UTF-8"
            ),
        ] {
            try bench.write("", to: "\(file).sqlite")
            try RawStore("sqlite:\(file).sqlite", in: bench.folder).execute(statements)
            let outcome = bench.run("data", "import", "--from", "\(file).sqlite", "-s", "sqlite:b.sqlite")
            #expect(outcome.exit == exit && outcome.problems.contains(words), "\(outcome.problems)")
        }
    }
}
