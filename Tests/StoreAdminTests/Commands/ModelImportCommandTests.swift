import ContextCore
import Foundation
import Testing

@testable import StoreAdmin

/// `model import` of databases of other programs.
struct ModelImportCommandTests {
    private let bench: AdminBench

    init() throws { bench = try AdminBench() }

    /// Creates a few tables as another program would.
    private func makeTables(_ place: TestPlace) throws {
        let url = place.freshURL()
        bench.variables["STORECTL_URL"] = url
        var statements = [
            """
            CREATE TABLE author (id integer PRIMARY KEY, name varchar(80) NOT NULL, born date, \
            rating numeric(6, 2) DEFAULT 1, UNIQUE (name, born))
            """,
            """
            CREATE TABLE book (isbn text PRIMARY KEY, title text NOT NULL, pages smallint, sold boolean NOT NULL, \
            author_id integer NOT NULL REFERENCES author ON DELETE CASCADE)
            """,
            "CREATE INDEX book_title ON book (title, pages)",
            "CREATE INDEX book_lower ON book (lower(title))",
            "CREATE INDEX book_sold ON book (title) WHERE sold",
            "CREATE VIEW best AS SELECT title FROM book",
            "CREATE TABLE tag (id integer PRIMARY KEY, label text UNIQUE)",
            """
            CREATE TABLE book_tag (book text REFERENCES book, tag_id integer REFERENCES tag, PRIMARY KEY (book, tag_id))
            """,
        ]
        switch place {
        case .sqlite: try bench.write("", to: String(url.dropFirst("sqlite:".count)))
        case .postgres:
            let schema = url.split(separator: "schema=").last ?? ""
            statements.insert("CREATE SCHEMA \(schema)", at: 0)
        }
        for statement in statements {
            let outcome = bench.run("sql", "--write", statement)
            try #require(outcome.exit == .success, "\(outcome.problems)")
        }
    }

    @Test(arguments: TestPlace.available)
    func `A model is inferred, and a store can be created with it`(_ place: TestPlace) throws {
        try makeTables(place)
        let outcome = bench.run("model", "import")
        #expect(outcome.exit == .success)
        let lines = outcome.problems.split(separator: "\n")
        #expect(
            // A server also has the schemas of other tests.
            lines.filter { !$0.hasPrefix("  ") && !$0.hasPrefix("other schemas: ") } == [
                "author.id: the primary key is not imported; objects have identifiers.",
                "tag.id: the primary key is not imported; objects have identifiers.",
                "book.book_lower: indexes over expressions, and those that don't sort, are not imported.",
                "book_tag.book: the database denies deleting a row of book with links; deleting the object deletes its links.",
                "book_tag.tag_id: the database denies deleting a row of tag with links; deleting the object deletes its links.",
                "best: views are not imported.",
            ], "\(outcome.problems)")
        #expect(
            lines.contains { $0.hasPrefix("  CREATE INDEX book_lower ON ") && $0.hasSuffix("(lower(title))") }
        )
        #expect(lines.contains { $0.hasPrefix("  CREATE VIEW best AS") })
        let model = try ObjectModel(fileText: outcome.output)
        #expect(model.layouts.map(\.name) == ["Author", "Book", "Tag"])
        let (author, book) = (model.layouts[0].description, model.layouts[1].description)
        #expect(author.attributes.map(\.type) == [.date, .string, .decimal(precision: 6, scale: 2)])
        #expect(author.attributes.map(\.isOptional) == [true, false, true])
        #expect(author.attributes[1].rules == [.length(minimum: nil, maximum: 80)])
        #expect(author.attributes[2].defaultValue == .value(.decimal(1)))
        #expect(author.uniqueConstraints.map(\.properties) == [["name", "born"]])
        #expect(
            author.relationships.map(\.name) == ["books"] && author.relationships[0].deleteRule == .cascade)
        #expect(book.attributes.map(\.name) == ["isbn", "pages", "sold", "title"])
        #expect(book.attributes.map(\.type) == [.string, .int16, .bool, .string])
        #expect(book.uniqueConstraints.map(\.properties) == [["isbn"]])
        #expect(
            book.indexes == [
                IndexDescription(["title", "pages"]), IndexDescription(["title"], where: "sold == true"),
            ])
        #expect(book.relationships.map(\.name) == ["author", "tags"])
        #expect(!book.relationships[0].isOptional && book.relationships[1].isToMany)

        #expect(bench.run("model", "import", "--out", "V1.json").output == "V1.json\n")
        #expect(bench.run("model", "import", "--out", "V1.json").exit == .cannotCreate)
        #expect(bench.run("db", "create", "--model", "V1.json", "-s", "sqlite:new.sqlite").exit == .success)
        let refused = bench.run("model", "import", "-s", "sqlite:new.sqlite")
        #expect(refused.exit == .refused && refused.problems.contains("storectl model show"))
    }

    @Test(arguments: TestPlace.available)
    func `Changes of the tables are merged into an edited model`(_ place: TestPlace) throws {
        try makeTables(place)
        let first = bench.run("model", "import", "--out", "author.model.json")
        try #require(first.exit == .success, "\(first.problems)")
        let base = try bench.read("author.model.json")
        let edited = base.replacing(#""type": "int16""#, with: #""minimum": 1, "type": "int16""#)
        try #require(edited != base)
        try bench.write(edited, to: "edited.model.json")
        for statement in ["ALTER TABLE author ADD email text", "CREATE TABLE shelf (id integer PRIMARY KEY)"]
        {
            try #require(bench.run("sql", "--write", statement).exit == .success)
        }
        let call = ["model", "import", "--merge", "edited.model.json", "--base", "author.model.json"]
        let rows = try bench.json(call)["rows"]?.elements ?? []
        #expect(
            rows.map { [$0["place"].stringValue, $0["change"].stringValue] } == [
                ["Author.email", "added"], ["Shelf", "added"],
            ])
        let model = try ObjectModel(fileText: bench.read("edited.model.json"))
        #expect(model.layouts.map(\.name) == ["Author", "Book", "Shelf", "Tag"])
        #expect(model.layouts[1].description.attributes.first { $0.name == "pages" }?.rules.count == 1)
        #expect(
            try bench.read("author.model.json")
                == ObjectModel(fileText: bench.run("model", "import").output).fileText
        )
        let again = bench.run(call)
        #expect(again.exit == .success && again.output.contains("no changes that the model lacks"))

        #expect(bench.run("model", "import", "--merge", "edited.model.json").exit == .usage)
        #expect(bench.run(call + ["--out", "more.json"]).exit == .usage)
        #expect(
            bench.run("model", "import", "--merge", "none.json", "--base", "none.json").exit == .inputMissing)
    }

    @Test func `A conflict keeps the edited model, and an invalid merge changes no file`() throws {
        try makeTables(.sqlite)
        let imported = bench.run("model", "import").output
        let book = try ObjectModel(fileText: imported).layouts[1]
        #expect(book.name == "Book")
        try bench.write(imported.replacing(#""type": "int16""#, with: #""type": "int32""#), to: "base.json")
        try bench.write(imported.replacing(#""type": "int16""#, with: #""type": "int64""#), to: "edited.json")
        let call = ["model", "import", "--merge", "edited.json", "--base", "base.json"]
        let conflict = bench.run(call)
        #expect(conflict.exit == .differences, "\(conflict.problems)")
        #expect(conflict.output.contains("Book.pages type") && conflict.output.contains("conflict"))
        #expect(try bench.read("edited.json").contains(#""type": "int64""#))
        #expect(try bench.read("base.json") == imported)

        // The edited model has no tags any more, and a new relationship refers to them.
        let small = #"{"entities": {"Book": {"attributes": {"title": {"type": "string"}}}}, "format": 1}"#
        let base = small.replacing(
            #"{"Book""#, with: #"{"Tag": {"attributes": {"label": {"type": "string"}}}, "Book""#)
        try bench.write(small, to: "edited.json")
        try bench.write(base, to: "base.json")
        let invalid = bench.run(call)
        #expect(invalid.exit == .badData && invalid.problems.contains("the merged model is invalid"))
        #expect(try bench.read("edited.json") == small && bench.read("base.json") == base)
    }

    @Test(.enabled(if: TestPlace.available.contains(.postgres)))
    func `Another schema than that of the URL is read`() throws {
        try makeTables(.postgres)
        let url = try #require(bench.variables["STORECTL_URL"])
        let schema = try #require(try StoreURL(url).options["schema"])
        bench.variables["STORECTL_URL"] = url.replacing("schema=\(schema)", with: "schema=\(schema)_other")
        let none = bench.run("model", "import")
        #expect(none.exit == .inputMissing)
        #expect(none.problems.contains("schema “\(schema)_other”") && none.problems.contains("--schema"))
        let outcome = bench.run("model", "import", "--schema", schema)
        #expect(outcome.exit == .success, "\(outcome.problems)")
        #expect(try ObjectModel(fileText: outcome.output).layouts.map(\.name) == ["Author", "Book", "Tag"])
    }

    @Test(.enabled(if: TestPlace.available.contains(.postgres)))
    func `Schemas that are not read are reported`() throws {
        try makeTables(.postgres)
        // The first names are listed, and the server also has the schemas of other tests.
        let other = "aa_" + UUID().uuidString.prefix(8).lowercased()
        defer { _ = bench.run("sql", "--write", "DROP SCHEMA \(other) CASCADE") }
        for statement in ["CREATE SCHEMA \(other)", "CREATE TABLE \(other).more (id integer PRIMARY KEY)"] {
            let outcome = bench.run("sql", "--write", statement)
            try #require(outcome.exit == .success, "\(outcome.problems)")
        }
        let outcome = bench.run("model", "import")
        #expect(outcome.exit == .success)
        let line = outcome.problems.split(separator: "\n").first { $0.hasPrefix("other schemas: ") }
        #expect(line?.contains(other) == true && line?.hasSuffix("name one with --schema.") == true)
        #expect(try ObjectModel(fileText: outcome.output).layouts.map(\.name) == ["Author", "Book", "Tag"])
        let none = bench.run("model", "import", "--schema", "\(other)_none")
        #expect(none.exit == .inputMissing)
        let hint = none.problems.components(separatedBy: "There are tables in ").dropFirst().first
        #expect(hint?.contains(other) == true, "\(none.problems)")
    }

    @Test func `A database without tables is reported`() throws {
        try bench.write("", to: "empty.sqlite")
        let empty = bench.run("model", "import", "-s", "sqlite:empty.sqlite")
        #expect(empty.exit == .inputMissing && empty.problems.contains("has no tables"))
        #expect(bench.run("model", "import", "-s", "sqlite:none.sqlite").exit == .inputMissing)
        #expect(bench.run("model", "import", "more").exit == .usage)
        #expect(bench.run("model", "import", "-s", "sqlite:empty.sqlite", "--schema", "a").exit == .usage)
    }
}
