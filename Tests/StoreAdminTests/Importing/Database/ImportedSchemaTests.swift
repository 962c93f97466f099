import ContextCore
import Foundation
import Testing

@testable import StoreAdmin

/// What `model import` and `data import --from` take over from the definitions of tables.
struct ImportedSchemaTests {
    private static let arguments = ["data", "import", "--from", "source", "-s", "target"]
    private let bench: AdminBench

    init() throws { bench = try AdminBench() }

    private func attributes(_ entity: String) throws -> [String: AttributeDescription] {
        let outcome = bench.run("model", "import", "-s", "source")
        try #require(outcome.exit == .success, "\(outcome.problems)")
        let layout = try #require(try ObjectModel(fileText: outcome.output).layout(named: entity))
        return Dictionary(uniqueKeysWithValues: layout.description.attributes.map { ($0.name, $0) })
    }

    @Test(arguments: TestPlace.available)
    func `Conditions, lengths and defaults become those of attributes`(_ source: TestPlace) throws {
        let fixture = try LibraryFixture(in: bench, from: source, to: .sqlite)
        try fixture.execute(
            """
            CREATE TABLE shelf (id integer PRIMARY KEY, label varchar(20) DEFAULT 'new' NOT NULL CHECK (label <> ''), \
            rows_ integer DEFAULT 5 CHECK (rows_ > 0), cols integer, state text CHECK (state IN ('open', 'shut')), \
            fee numeric(8, 2) CHECK (fee BETWEEN 0 AND 100), made timestamp DEFAULT CURRENT_TIMESTAMP, \
            CONSTRAINT few CHECK (cols <= 9 AND cols < rows_ + 10))
            """,
            "CREATE INDEX shelf_state ON shelf (label DESC) WHERE state = 'open'",
            "INSERT INTO shelf (id, label, rows_, cols, state, fee) VALUES (1, 'a', 1, 2, 'open', 3.5)")
        let attributes = try attributes("Shelf")
        #expect(attributes["label"]?.rules == [.length(minimum: 1, maximum: 20)])
        #expect(attributes["label"]?.defaultValue == .value(.string("new")))
        #expect(attributes["rows"]?.rules == [.range(minimum: .int(1), maximum: nil)])
        #expect(attributes["rows"]?.defaultValue == .value(.int(5)))
        #expect(attributes["state"]?.rules == [.pattern("open|shut")])
        #expect(attributes["fee"]?.rules == [.range(minimum: .decimal(0), maximum: .decimal(100))])
        #expect(attributes["cols"]?.rules == [.range(minimum: nil, maximum: .int(9))])
        #expect(attributes["made"]?.defaultValue == .now)
        let outcome = bench.run(Self.arguments + ["--report", "report.json"])
        #expect(outcome.exit == .success, "\(outcome.problems)")
        #expect(
            outcome.output.contains("shelf: rules of attributes express only a part of the condition.\n    C")
        )
        let report = JSONValue(try JSONDocument(try bench.read("report.json")).root)
        let remarks = report["remarks"].elements ?? []
        let few = remarks.first { $0["subject"] == .string("shelf") }
        #expect(few?["statement"].stringValue?.contains("cols") == true)
        let model = try ObjectModel(fileText: bench.run("model", "show", "-s", "target").output)
        #expect(
            model.layout(named: "Shelf")?.description.indexes == [
                IndexDescription([.descending("label")], where: #"state == "open""#)
            ])
    }

    @Test func `Conditions that rows of a file violate are left out and reported`() throws {
        let fixture = try LibraryFixture(in: bench, from: .sqlite, to: .sqlite)
        try fixture.execute(
            """
            CREATE TABLE shelf (id integer PRIMARY KEY, label varchar(3), state text CHECK (state IN ('open')), \
            kind text COLLATE NOCASE CHECK (kind IN ('box')))
            """,
            "PRAGMA ignore_check_constraints = 1", "INSERT INTO shelf VALUES (1, 'too long', 'OPEN', 'box')")
        let outcome = bench.run(Self.arguments)
        #expect(outcome.exit == .success, "\(outcome.problems)")
        for text in [
            "shelf.label: the condition is not imported, because rows violate it.\n    \"label\" varchar(3)\n",
            "shelf.state: the condition is not imported, because rows violate it.\n    CHECK (state IN ('open'))\n",
            "shelf: no rule of an attribute expresses the condition.\n    CHECK (kind IN ('box'))\n",
        ] {
            #expect(outcome.output.contains(text), "\(outcome.output)")
        }
        #expect(
            try bench.objects("target")["Shelf:1"] == [
                "label": .string("too long"), "state": .string("OPEN"), "kind": .string("box"),
            ])
    }

    @Test(arguments: TestPlace.available)
    func `What has no place in a model is reported with its statement`(_ source: TestPlace) throws {
        let fixture = try LibraryFixture(in: bench, from: source, to: .sqlite)
        try fixture.execute(
            """
            CREATE TABLE shelf (id integer PRIMARY KEY, label text CHECK (label LIKE 'a%'), \
            loud text GENERATED ALWAYS AS (upper(label)) STORED, code text DEFAULT (lower('A')))
            """,
            "CREATE UNIQUE INDEX shelf_one ON shelf (label) WHERE code IS NULL",
            "CREATE VIEW labels AS SELECT label FROM shelf")
        switch source {
        case .sqlite:
            try fixture.execute(
                "CREATE TRIGGER shelf_log AFTER INSERT ON shelf BEGIN INSERT INTO log VALUES (NEW.label); END"
            )
        case .postgres:
            try fixture.execute(
                "CREATE FUNCTION keep() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END'",
                "CREATE TRIGGER shelf_log AFTER INSERT ON shelf FOR EACH ROW EXECUTE FUNCTION keep()")
        }
        try fixture.execute("INSERT INTO shelf (id, label) VALUES (1, 'ab')")
        let outcome = bench.run(Self.arguments + ["--report", "report.txt"])
        #expect(outcome.exit == .success, "\(outcome.problems)")
        let report = try bench.read("report.txt")
        for (sentence, statement) in [
            ("shelf: no rule of an attribute expresses the condition.", "a%"),
            (
                "shelf.loud: its values are imported, but not the expression that computes them.",
                "GENERATED ALWAYS AS (upper(label))"
            ),
            ("shelf.code: its default is not taken over; its values are.", "DEFAULT lower('A'"),
            (
                "shelf.shelf_one: a unique constraint of a model has no condition.",
                "CREATE UNIQUE INDEX shelf_one"
            ),
            ("shelf.shelf_log: triggers are not imported.", "CREATE TRIGGER shelf_log"),
            ("labels: views are not imported.", "CREATE VIEW labels AS"),
        ] {
            let rest = report.components(separatedBy: "  \(sentence)\n").dropFirst().first
            #expect(rest?.prefix(120).contains(statement) == true, "\(sentence)\n\(report)")
        }
        #expect(try bench.objects("target")["Shelf:1"]?["loud"] == .string("AB"))
    }

    @Test(.enabled(if: TestPlace.available.contains(.postgres)))
    func `Enumerations, domains, arrays and comments of a server`() throws {
        let fixture = try LibraryFixture(in: bench, from: .postgres, to: .sqlite)
        try fixture.execute(
            "CREATE TYPE mood AS ENUM ('glad', 'sad')", "CREATE DOMAIN feeling AS mood",
            "CREATE DOMAIN amount AS integer NOT NULL DEFAULT 3 CHECK (VALUE > 0)",
            "CREATE DOMAIN few AS amount CHECK (VALUE < 100)",
            """
            CREATE TABLE shelf (id integer PRIMARY KEY, mood feeling DEFAULT 'sad', amount few, tags text[] DEFAULT '{}', \
            uid uuid DEFAULT gen_random_uuid(), number integer GENERATED ALWAYS AS IDENTITY, code text CHECK (code ~ '^[A-Z]{2}$'))
            """,
            "ALTER TABLE shelf ADD CHECK (code <> 'XX') NOT VALID",
            "COMMENT ON COLUMN shelf.mood IS 'how it''s'",
            "INSERT INTO shelf (id, tags, code) VALUES (1, '{a,NULL}', 'AB')")
        let attributes = try attributes("Shelf")
        #expect(attributes["mood"]?.rules == [.pattern("glad|sad")])
        #expect(attributes["mood"]?.defaultValue == .value(.string("sad")))
        #expect(attributes["amount"]?.rules == [.range(minimum: .int(1), maximum: .int(99))])
        #expect(
            attributes["amount"]?.isOptional == false && attributes["amount"]?.defaultValue == .value(.int(3))
        )
        #expect(
            attributes["tags"]?.type == .codable && attributes["tags"]?.defaultValue == .value(.string("[]")))
        #expect(attributes["uid"]?.defaultValue == .newUUID)
        #expect(attributes["code"]?.rules == [.pattern("[A-Z]{2}")])
        let outcome = bench.run(Self.arguments)
        #expect(outcome.exit == .success, "\(outcome.problems)")
        for text in [
            "shelf.mood: a model has no comments.\n    COMMENT ON COLUMN shelf.mood IS 'how it''s'\n",
            "shelf.number: its default is not taken over; its values are.\n    GENERATED ALWAYS AS IDENTITY\n",
        ] {
            #expect(outcome.output.contains(text), "\(outcome.output)")
        }
        #expect(try bench.objects("target")["Shelf:1"]?["tags"] == .string(#"["a",null]"#))
    }

    @Test(.enabled(if: TestPlace.available.contains(.postgres)))
    func `Conditions on arrays and on their elements are reported`() throws {
        let fixture = try LibraryFixture(in: bench, from: .postgres, to: .sqlite)
        try fixture.execute(
            "CREATE TYPE mood AS ENUM ('glad', 'sad')",
            "CREATE DOMAIN amount AS integer NOT NULL CHECK (VALUE > 0)",
            "CREATE DOMAIN few AS amount CHECK (VALUE < 100)", "CREATE DOMAIN code AS varchar(5)",
            "CREATE DOMAIN list AS few[] CHECK (cardinality(VALUE) < 4)", "CREATE DOMAIN any_text AS text",
            """
            CREATE TABLE shelf (id integer PRIMARY KEY, list list, moods mood[], codes code[], words any_text[], \
            names varchar(7)[] CHECK (cardinality(names) > 0))
            """,
            "INSERT INTO shelf VALUES (1, '{3}', '{glad}', '{a}', '{b}', '{c}')")
        let outcome = bench.run(Self.arguments)
        #expect(outcome.exit == .success, "\(outcome.problems)")
        let elements = "no rule of an attribute restricts the elements of an array."
        for (subject, text, statement) in [
            ("shelf.list", elements, "few_check"), ("shelf.list", elements, "AS integer NOT NULL"),
            ("shelf.list", elements, "amount_check"), ("shelf.moods", elements, "AS ENUM ('glad', 'sad')"),
            ("shelf.codes", elements, "AS character varying(5)"),
            ("shelf", elements, #""names" character varying(7)[]"#),
            ("shelf.list", "no rule of an attribute expresses the condition.", "cardinality(VALUE) < 4"),
            ("shelf", "no rule of an attribute expresses the condition.", "cardinality(names) > 0"),
        ] {
            let rests = outcome.output.components(separatedBy: "  \(subject): \(text)\n    ").dropFirst()
            let statements = rests.map { $0.prefix { $0 != "\n" } }
            #expect(
                statements.contains { $0.contains(statement) }, "\(subject) \(statement)\n\(outcome.output)")
        }
        #expect(!outcome.output.contains("shelf.words: no rule"))
    }

    @Test(arguments: TestPlace.available)
    func `The current time is a default, and the current day is reported`(_ source: TestPlace) throws {
        let fixture = try LibraryFixture(in: bench, from: source, to: .sqlite)
        try fixture.execute(
            """
            CREATE TABLE visit (id integer PRIMARY KEY, made timestamp DEFAULT CURRENT_TIMESTAMP, \
            today date DEFAULT CURRENT_DATE, day date DEFAULT CURRENT_TIMESTAMP, at time DEFAULT CURRENT_TIME)
            """)
        let attributes = try attributes("Visit")
        for name in ["made", "today", "day"] { #expect(attributes[name]?.defaultValue == .now, "\(name)") }
        let outcome = bench.run(Self.arguments)
        #expect(outcome.exit == .success, "\(outcome.problems)")
        let day = "its default is the current day, and becomes the current time.\n"
        #expect(outcome.output.contains("visit.today: \(day)    DEFAULT CURRENT_DATE\n"))
        // A file keeps the time of day in a column of the type `date`.
        #expect(
            outcome.output.contains("visit.day: \(day)    DEFAULT CURRENT_TIMESTAMP\n")
                == (source == .postgres))
        #expect(
            outcome.output.contains(
                "visit.at: its default is not taken over; its values are.\n    DEFAULT CURRENT_TIME\n"))
        #expect(!outcome.output.contains("visit.made"))
    }

    // MARK: Collations

    private static let loose = "in the database, texts that differ may be equal"
    private static let denial = "the database denies texts that differ if they are equal for it"

    @Test func `Collations of a file in which texts that differ are equal are reported`() throws {
        let fixture = try LibraryFixture(in: bench, from: .sqlite, to: .sqlite)
        try fixture.execute(
            """
            CREATE TABLE shelf (code TEXT COLLATE NOCASE PRIMARY KEY, name TEXT COLLATE NOCASE UNIQUE, note TEXT, mark TEXT, \
            plain TEXT UNIQUE COLLATE BINARY, number integer UNIQUE COLLATE NOCASE, UNIQUE (note COLLATE NOCASE, mark))
            """,
            "CREATE UNIQUE INDEX shelf_mark ON shelf (mark COLLATE RTRIM)",
            "CREATE UNIQUE INDEX shelf_exact ON shelf (name COLLATE BINARY)",
            "CREATE INDEX shelf_note ON shelf (note COLLATE NOCASE)",
            "CREATE INDEX shelf_name ON shelf (name, note)",
            "INSERT INTO shelf VALUES ('a', 'b', 'c', 'd', 'e', 1)")
        let outcome = bench.run(Self.arguments)
        #expect(outcome.exit == .success, "\(outcome.problems)")
        let store = "; in the store, only the same text is.\n"
        let constraint = "; the store denies only the same text.\n"
        let remarks = [
            "  shelf.code: \(Self.loose) (COLLATE NOCASE)\(store)    \"code\" TEXT COLLATE NOCASE\n",
            "  shelf.code: \(Self.denial) (COLLATE NOCASE)\(constraint)    PRIMARY KEY (\"code\" COLLATE NOCASE)\n",
            "  shelf.name: \(Self.loose) (COLLATE NOCASE)\(store)    \"name\" TEXT COLLATE NOCASE\n",
            "  shelf.name: \(Self.denial) (COLLATE NOCASE)\(constraint)    UNIQUE (\"name\" COLLATE NOCASE)\n",
            "  shelf.note, mark: \(Self.denial) (COLLATE NOCASE)\(constraint)    UNIQUE (\"note\" COLLATE NOCASE, \"mark\")\n",
            "  shelf.mark: \(Self.denial) (COLLATE RTRIM)\(constraint)    CREATE UNIQUE INDEX shelf_mark ",
            "  shelf.note: texts that differ may be equal in the database's index (COLLATE NOCASE), and not in the store's.\n",
        ]
        for remark in remarks { #expect(outcome.output.contains(remark), "\(remark)\n\(outcome.output)") }
        #expect(outcome.output.components(separatedBy: "(COLLATE ").count - 1 == remarks.count)
    }

    @Test(.enabled(if: TestPlace.available.contains(.postgres)))
    func `Collations and types of a server in which texts that differ are equal are reported`() throws {
        let fixture = try LibraryFixture(in: bench, from: .postgres, to: .sqlite)
        do {
            try fixture.execute(
                "CREATE COLLATION loose (provider = icu, locale = 'und-u-ks-level2', deterministic = false)",
                "CREATE EXTENSION IF NOT EXISTS citext SCHEMA public")
        } catch {
            // Not every installation of the server contains ICU and the extension.
            return
        }
        try fixture.execute(
            """
            CREATE TABLE shelf (id integer PRIMARY KEY, name text COLLATE loose UNIQUE CHECK (name IN ('a', 'b')), \
            mark text, email public.citext UNIQUE, plain text UNIQUE)
            """,
            "CREATE UNIQUE INDEX shelf_loose ON shelf (mark COLLATE loose)",
            "CREATE INDEX shelf_plain ON shelf (name COLLATE \"C\")",
            "INSERT INTO shelf VALUES (1, 'A', 'b', 'c', 'd')")
        #expect(try attributes("Shelf")["name"]?.rules == [])
        let outcome = bench.run(Self.arguments)
        #expect(outcome.exit == .success, "\(outcome.problems)")
        for (sentence, statement) in [
            ("shelf.name: \(Self.loose)", #""name" text COLLATE "#),
            ("shelf.name: \(Self.denial)", "CREATE UNIQUE INDEX shelf_name_key "),
            ("shelf.mark: \(Self.denial)", "CREATE UNIQUE INDEX shelf_loose "),
            ("shelf.email: \(Self.loose)", #""email" "#),
            ("shelf.email: \(Self.denial)", "CREATE UNIQUE INDEX shelf_email_key "),
        ] {
            let rests = outcome.output.components(separatedBy: "  \(sentence)").dropFirst()
            let statements = rests.compactMap { $0.components(separatedBy: "\n    ").dropFirst().first }
            #expect(
                statements.count == 1 && statements[0].hasPrefix(statement), "\(sentence)\n\(outcome.output)")
        }
        #expect(!outcome.output.contains("shelf.plain"))
    }

    @Test(arguments: TestPlace.available)
    func `A decimal type without a scale gets the one that its values need`(_ source: TestPlace) throws {
        let fixture = try LibraryFixture(in: bench, from: source, to: .sqlite)
        try fixture.execute(
            "CREATE TABLE rate (id integer PRIMARY KEY, fine numeric, usual numeric)",
            "INSERT INTO rate VALUES (1, 0.000000000001, 0.25), (2, 31.5, NULL)")
        let attributes = try attributes("Rate")
        #expect(attributes["fine"]?.type == .decimal(precision: 38, scale: 12))
        #expect(attributes["usual"]?.type == .decimal(precision: 38, scale: 10))
        let outcome = bench.run(Self.arguments)
        #expect(outcome.exit == .success, "\(outcome.problems)")
        #expect(outcome.output.contains("rate.usual: the type “numeric” has no number of fractional digits"))
        #expect(
            try bench.objects("target")["Rate:1"]?["fine"] == .decimal(Decimal(string: "0.000000000001") ?? 0)
        )
    }

    @Test(.enabled(if: TestPlace.available.contains(.postgres)))
    func `A foreign table is reported`() throws {
        let fixture = try LibraryFixture(in: bench, from: .postgres, to: .sqlite)
        let server = "other_" + UUID().uuidString.prefix(8).lowercased()
        do {
            try fixture.execute("CREATE EXTENSION IF NOT EXISTS postgres_fdw SCHEMA public")
        } catch {
            // Not every installation of the server contains the extension.
            return
        }
        try fixture.execute(
            "CREATE SERVER \(server) FOREIGN DATA WRAPPER postgres_fdw",
            "CREATE FOREIGN TABLE remote (id integer) SERVER \(server)")
        defer { try? fixture.execute("DROP SERVER \(server) CASCADE") }
        let outcome = bench.run(Self.arguments)
        #expect(outcome.exit == .success, "\(outcome.problems)")
        #expect(
            outcome.output.contains(
                "remote: foreign tables are not imported; import the database of their server.\n"
                    + "    CREATE FOREIGN TABLE remote SERVER \(server)\n"), "\(outcome.output)")
    }
}
