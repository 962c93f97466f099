import ContextCore
import Testing

@testable import StoreAdmin

/// The file of `--mapping`.
struct ImportMappingTests {
    private static let arguments = [
        "data", "import", "--from", "source", "-s", "target", "--mapping", "map.json",
    ]
    private let bench: AdminBench

    init() throws { bench = try AdminBench() }

    @Test(arguments: TestPlace.available)
    func `The first call writes the names, and the next one imports with them`(_ source: TestPlace) throws {
        _ = try LibraryFixture(in: bench, from: source, to: .sqlite)
        let first = bench.run(Self.arguments)
        #expect(first.exit == .success, "\(first.problems)")
        #expect(first.output.hasPrefix("Wrote map.json. Nothing was imported."))
        #expect(bench.run("model", "show", "-s", "target").exit == .inputMissing)
        let text = try bench.read("map.json")
        for part in [
            """
                {
                  "table": "country",
                  "entity": "Country",
                  "columns": {
                    "code": "code",
                    "name": "name"
                  }
                },
            """,
            """
                {
                  "table": "book_tag",
                  "columns": {
                    "book_id": "books",
                    "tag_id": "tags"
                  }
                },
            """,
        ] {
            #expect(text.contains(part), "\(text)")
        }
        // The same file from another command.
        #expect(bench.run("model", "import", "-s", "source", "--mapping", "map2.json").exit == .success)
        #expect(try bench.read("map2.json") == text)
        // The names of the file are the derived ones.
        let plain = bench.run("model", "import", "-s", "source").output
        #expect(bench.run("model", "import", "-s", "source", "--mapping", "map.json").output == plain)
        #expect(bench.run(Self.arguments).exit == .success)
        #expect(try bench.objects("target") == LibraryFixture.objects)
    }

    @Test(arguments: TestPlace.available)
    func `Tables and columns are renamed and left out`(_ source: TestPlace) throws {
        _ = try LibraryFixture(in: bench, from: source, to: .sqlite)
        try bench.write(
            """
            {"tables": [
              {"table": "author", "entity": "Writer",
               "columns": {"name": "fullName", "photo": null, "mentor_id": "teacher", "favourite_id": null, "id": "number"}},
              {"table": "book_tag", "columns": {"tag_id": "labels", "book_id": "titles"}},
              {"table": "log", "leaveOut": true}, {"table": "review_line", "leaveOut": true},
              {"table": "review", "columns": {"book_id": null}}
            ]}
            """, to: "map.json")
        let outcome = bench.run(Self.arguments)
        #expect(outcome.exit == .success, "\(outcome.problems)")
        for text in [
            "log: the mapping leaves the table out.", "author.photo: the mapping leaves the column out.",
            "author.favourite_id: the mapping leaves the column out.",
            "review.author_id, book_id: the values are not unique in the store",
        ] {
            #expect(outcome.output.contains(text), "\(outcome.output)")
        }
        let objects = try bench.objects("target")
        #expect(objects["Writer:7"] == ["fullName": .string("Bo"), "teacher": .int(3), "number": .int(7)])
        #expect(objects["Book:10"]?["labels"] == .composite([.int(1), .int(2)]))
        #expect(objects["Review:2"] == ["author": .int(7), "stars": .int(4)])
        #expect(objects["Log:1"] == nil && objects["Writer:3"]?["photo"] == nil)
        let model = try ObjectModel(fileText: bench.run("model", "show", "-s", "target").output)
        #expect(model.layout(named: "Tag")?.property(named: "titles") != nil)
        #expect(
            model.layout(named: "Writer")?.description.uniqueConstraints.map(\.properties).contains(["number"]
            ) == true)
        let check = bench.run("check", "-s", "target")
        #expect(check.exit == .success, "\(check.output)")
    }

    @Test func `A reference to a table that is left out stays an attribute`() throws {
        _ = try LibraryFixture(in: bench, from: .sqlite, to: .sqlite)
        try bench.write(#"{"tables": [{"table": "country", "leaveOut": true}]}"#, to: "map.json")
        let outcome = bench.run(Self.arguments)
        #expect(outcome.exit == .success, "\(outcome.problems)")
        #expect(try bench.objects("target")["Author:3"]?["country"] == .string("no"))
    }

    @Test func `A table of two foreign keys becomes an entity by its name`() throws {
        _ = try LibraryFixture(in: bench, from: .sqlite, to: .sqlite)
        try bench.write(#"{"tables": [{"table": "book_tag", "entity": "Tagging"}]}"#, to: "map.json")
        let outcome = bench.run(Self.arguments)
        #expect(outcome.exit == .success, "\(outcome.problems)")
        #expect(try bench.objects("target").filter { $0.key.hasPrefix("Tagging:") }.count == 3)
    }

    @Test(arguments: [
        (
            #"{"tables": [{"table": "autor"}]}"#,
            "map.json:1:13: The database has no table “autor”: did you mean “author”?"
        ),
        (
            #"{"tables": [{"table": "author", "columns": {"nam": "x"}}]}"#,
            "The table “author” has no column “nam”: did you mean “name”?"
        ),
        (
            #"{"tables": [{"table": "tag", "entitty": "A"}]}"#,
            "A table has no “entitty”: did you mean “entity”?"
        ),
        (#"{"tables": [{"table": "tag"}, {"table": "tag"}]}"#, "The table “tag” has two entries"),
        (#"{"tables": [{"table": "tag", "columns": {"label": 3}}]}"#, "or to null to leave it out"),
        (#"{"tables": [{"table": "tag", "entity": "a b"}]}"#, "“a b” is no name"),
        (#"{"tables": [{"table": "tag", "columns": {"label": "_l"}}]}"#, "“_l” is no name"),
        (#"{"tables": [{"entity": "A"}]}"#, "A table needs “table”"),
        (#"{"table": []}"#, "did you mean “tables”?"),
        (#"{"tables": "#, "map.json:1:"),
        (
            #"{"tables": [{"table": "tag", "entity": "A"}, {"table": "book", "entity": "A"}]}"#,
            "the name of the entity “A” is in use"
        ),
        (
            #"{"tables": [{"table": "author", "columns": {"name": "a", "fee": "a"}}]}"#,
            "author.fee: the name of the property “a” is in use"
        ),
        (
            #"{"tables": [{"table": "tag", "columns": {"label": "isFault"}}]}"#,
            "“isFault” is in use, or reserved"
        ),
    ])
    func `A mapping that doesn't fit is an error`(text: String, problem: String) throws {
        _ = try LibraryFixture(in: bench, from: .sqlite, to: .sqlite)
        try bench.write(text, to: "map.json")
        let outcome = bench.run(Self.arguments)
        #expect(outcome.exit == .badData && outcome.problems.contains(problem), "\(outcome.problems)")
        #expect(bench.run("model", "import", "-s", "source", "--mapping", "map.json").exit == .badData)
    }

    @Test func `A dry run writes no mapping, and only databases of tables have one`() throws {
        _ = try LibraryFixture(in: bench, from: .sqlite, to: .sqlite)
        let outcome = bench.run(Self.arguments + ["--dry-run"])
        #expect(outcome.exit == .inputMissing && outcome.problems.contains("there is no mapping map.json"))
        #expect(throws: (any Error).self) { try bench.read("map.json") }
        #expect(bench.run("data", "import", "all.jsonl", "--mapping", "map.json").exit == .usage)
        #expect(bench.run("model", "import", "--coredata", "App.mom", "--mapping", "map.json").exit == .usage)
        let tables = [
            "author", "book", "book_tag", "country", "log", "profile", "review", "review_line", "tag",
        ].map { #"{"table": "\#($0)", "leaveOut": true}"# }
        try bench.write(#"{"tables": [\#(tables.joined(separator: ","))]}"#, to: "map.json")
        let none = bench.run(Self.arguments)
        #expect(none.exit == .badData && none.problems.contains("leaves all tables out"))
    }
}
