import ContextCore
import Foundation
import Testing

@testable import SQLiteBackend
@testable import StoreAdmin

/// JSON documents have the members that the article about them lists.
struct DocumentedShapeTests {
    private let bench: AdminBench

    init() throws { bench = try AdminBench() }

    /// Returns the members of each shape, as the article lists them, and those of its rows.
    private func documented() throws -> [String: (members: Set<String>, rows: Set<String>)] {
        let article = DocumentShapes.root.appendingPathComponent(
            "Sources/StoreAdmin/StoreAdmin.docc/reading-output-as-json.md")
        var shapes: [String: (members: Set<String>, rows: Set<String>)] = [:]
        var shape = ""
        for line in try String(contentsOf: article, encoding: .utf8).split(separator: "\n") {
            let words = line.split(separator: "`", omittingEmptySubsequences: false).map(String.init)
            if line.hasPrefix("### `") {
                shape = words[1]
                shapes[shape] = ([], [])
            } else if line.hasPrefix("- `") {
                shapes[shape]?.members.insert(words[1])
                if words[1] == "rows" {
                    let names = words.enumerated().filter { $0.offset > 1 && !$0.offset.isMultiple(of: 2) }
                    shapes[shape]?.rows = Set(names.map(\.element))
                }
            }
        }
        return shapes
    }

    /// Calls that print every kind of document, each after its prerequisites.
    private static let calls: [[String]] = [
        ["version"], ["new", "Chess"], ["status"], ["doctor"], ["check"], ["report", "--out", "report.html"],
        ["sql", "SELECT 1 AS a"],
        ["model", "list"],
        ["model", "show"], ["model", "generate", "--swift", "--model", "store"],
        ["model", "import", "-s", "sqlite:foreign.sqlite"],
        [
            "model", "import", "-s", "sqlite:foreign.sqlite", "--merge", "edited.json", "--base",
            "import.json",
        ],
        ["model", "diff", "store", "other.json"], ["diagram"], ["inspect", "entities"],
        ["inspect", "entity", "Game"],
        ["inspect", "relationships"], ["inspect", "counts"], ["inspect", "sizes"],
        ["inspect", "indexes"],
        ["inspect", "settings"], ["query", "Game"], ["get", "Game:1"], ["count", "Game"],
        ["change", "changes.json", "--dry-run"], ["change", "changes.json"], ["change", "changes.json"],
        ["change", "bad.json"], ["change", "deletion.json"],
        ["related", "Game:1", "players"],
        ["activity"],
        ["explain", "Game"],
        ["history", "list"], ["history", "show", "1"], ["data", "import", "shop.jsonl", "--dry-run"],
        ["data", "import", "rows.csv", "--entity", "Game", "--map", "note=", "--dry-run"],
        ["data", "import", "--from", "App.sqlite", "-s", "sqlite:imported.sqlite"],
        [
            "data", "import", "--from", "foreign.sqlite", "--mapping", "map.json", "-s",
            "sqlite:database.sqlite",
        ],
        ["data", "import", "--from", "foreign.sqlite", "-s", "sqlite:database.sqlite"],
        ["model", "import", "--coredata", "App.xcdatamodeld", "--versions", "--project", "app"],
        ["data", "copy", "a", "b"], ["data", "sample", "a", "sqlite:e.sqlite"],
        ["data", "verify", "a", "b"], ["data", "verify", "b", "sqlite:broken.sqlite"], ["data", "checksum"],
        ["config", "show", "--origin"], ["config", "path"], ["config", "check"],
        ["config", "check", "--config", "odd.json"],
        ["model", "freeze", "V1", "--model", "shop.model.json"],
        ["model", "freeze", "V2", "--model", "shop2.model.json"], ["migrate", "new", "V1", "V2"],
        ["model", "check", "--model", "shop.model.json"], ["migrate", "lint"],
        ["migrate", "adopt"], ["migrate", "plan"], ["migrate", "plan", "--project", "filled"],
        ["migrate", "rehearse", "--accept-loss", "Sample.flag"],
        ["migrate", "script"],
        ["migrate", "status"], ["drift"],
        ["migrate", "apply", "--phase", "expand", "--accept-loss", "Sample.flag"],
        ["fleet", "list", "-s", "f"], ["fleet", "status", "-s", "f"], ["fleet", "check", "-s", "f"],
        ["fleet", "migrate", "-s", "f", "--dry-run"],
        ["fleet", "migrate", "-s", "f", "--accept-loss", "Sample.flag"], ["fleet", "backup", "-s", "f"],
        ["status"], ["migrate", "status"], ["migrate", "plan"],
        ["migrate", "rollback", "--accept-loss", "Sample.more"], ["migrate", "history"],
        ["migrate", "history", "-s", "changed"], ["drift", "-s", "changed"],
        ["migrate", "dev", "--yes", "--model", "shop3.model.json", "--project", "way", "-s", "changed"],
        ["advise", "Player where score > 3"], ["db", "ping"], ["db", "wait"],
        ["db", "create", "--model", "other.json", "-s", "sqlite:c.sqlite"],
        ["db", "drop", "-s", "sqlite:c.sqlite", "--confirm", "c.sqlite"],
        ["maintain", "analyze"], ["maintain", "integrity"],
        ["backup", "create", "--out", "backup.sqlite"], ["backup", "list", "--folder", "."],
        ["backup", "verify", "backup.sqlite"],
        ["backup", "restore", "backup.sqlite", "-s", "sqlite:d.sqlite", "--confirm", "d.sqlite"],
        ["backup", "verify", "broken.sqlite"], ["maintain", "integrity", "-s", "sqlite:broken.sqlite"],
        ["check", "-s", "sqlite:broken.sqlite"], ["check", "--repair", "-s", "sqlite:broken.sqlite"],
        ["maintain", "recover", "recovered.sqlite", "-s", "sqlite:broken.sqlite"],
        ["backup", "create", "--out", "backup2.sqlite"],
        ["backup", "prune", "--folder", ".", "--keep", "1"], ["history", "prune", "--keep", "1"],
    ]

    /// Creates the files of the calls.
    private func prepare() throws {
        let url = try bench.makeShop()
        try bench.write(
            #"{"stores": {"a": "\#(url)", "b": "sqlite:b.sqlite", "changed": "sqlite:changed.sqlite", "f": "sqlite:f.sqlite"}}"#,
            to: "storectl.json")
        try bench.write(#"{"stores": {"x": {"url": {"env": "NOWHERE"}}}}"#, to: "odd.json")
        try bench.write(
            #"{"entities": {"Other": {"attributes": {"a": {"type": "bool"}}}}, "format": 1}"#,
            to: "other.json")
        try bench.write(ShopExport.model, to: "shop.model.json")
        try bench.write("title,note\nMill,\n", to: "rows.csv")
        try writeChanges()
        try bench.write(
            ShopExport.model.replacing(
                #""flag":{"optional":true,"type":"bool"}"#, with: #""more":{"optional":true,"type":"string"}"#
            ),
            to: "shop2.model.json")
        try bench.write(
            ShopExport.model.replacing(
                #""label":{"type""#, with: #""extra":{"optional":true,"type":"bool"},"label":{"type""#),
            to: "shop3.model.json")
        for words in [
            ["data", "import", "shop.jsonl", "-s", "sqlite:changed.sqlite"],
            ["db", "create", "--model", "shop.model.json", "-s", "f", "--tenant", "acme"],
            ["data", "import", "shop.jsonl", "-s", "f", "--tenant", "broken"],
            [
                "sql", "--write", "UPDATE game SET title = trim(title, title) WHERE _id = 1", "-s", "f",
                "--tenant",
                "broken",
            ],
            ["sql", "--write", "DELETE FROM sample WHERE _id = 2", "-s", "changed"],
            ["model", "freeze", "V1", "--model", "shop.model.json", "--project", "way"],
            ["model", "freeze", "V2", "--model", "shop3.model.json", "--project", "way"],
            ["migrate", "new", "V1", "V2", "--project", "way"],
            ["migrate", "apply", "--phase", "contract", "--project", "way", "-s", "changed"],
            ["model", "freeze", "V1", "--model", "shop.model.json", "--project", "filled"],
            ["model", "freeze", "V2", "--model", "shop2.model.json", "--project", "filled"],
            [
                "migrate", "new", "V1", "V2", "--convert", "Sample.more=uppercase(label)",
                "--project", "filled",
            ],
            ["sql", "--write", "ALTER TABLE sample ADD COLUMN mine integer", "-s", "changed"],
            ["backup", "create", "--out", "broken.sqlite"],
        ] {
            let outcome = bench.run(words)
            try #require(outcome.exit == .success, "\(words): \(outcome.problems)")
        }
        // By default, a connection of SQLite doesn't check foreign keys.
        let connection = try SQLiteConnection(
            path: bench.folder + "/broken.sqlite", access: .readAndWrite, timeout: .zero)
        try connection.execute("UPDATE person SET mentor_id = 99 WHERE _id = 2")
        connection.close()
        _ = try CoreDataFixture(in: bench.folder).writeModel()
        try bench.write(ExampleModels.single("A", "b", "bool"), to: "import.json")
        try bench.write(ExampleModels.single("A", "b", "int64"), to: "edited.json")
        try bench.write("", to: "foreign.sqlite")
        _ = bench.run("sql", "--write", "CREATE TABLE a (b text)", "-s", "sqlite:foreign.sqlite")
    }

    /// Creates documents of changes: one that conflicts when it is repeated, one with a failure, and one that clears references.
    private func writeChanges() throws {
        try bench.write(
            """
            {"changes": [{"update": "Player:3", "version": 2, "set": {"score": 1}}, \
            {"insert": "Sample", "as": "s", "set": {"label": "new"}}]}
            """, to: "changes.json")
        try bench.write(
            #"{"changes": [{"update": "Player:3", "set": {"score": "x"}}]}"#, to: "bad.json")
        try bench.write(
            #"{"changes": [{"delete": "Player:2"}, {"delete": "Game:5"}]}"#, to: "deletion.json")
    }

    // MARK: The studio

    /// Documents that the studio's page gets, and that no command prints.
    private static let studioDocuments: Set = ["storectl.studio/1", "storectl.complete/1"]
    /// The events that are neither rows nor documents of commands.
    private static let events: Set = ["event:opened", "event:rates", "event:error"]

    private func expectShape(_ name: String, _ members: [String: JSONValue]) throws {
        let shape = try #require(try documented()[name], "\(name) is not documented")
        let complete = members.merging(["schema": .string(name), "ok": .bool(true)]) { $1 }
        let odd = try DocumentShapes().differences(.object(complete))
        #expect(odd.isEmpty, "\(odd)")
        #expect(Set(members.keys).subtracting(["schema", "ok"]) == shape.members, "\(name)")
    }

    @Test(arguments: [false, true])
    func `Every document of the studio has exactly the documented members`(canWrite: Bool) throws {
        let studio = try StudioBench(canWrite: canWrite)
        var names: Set<String> = []
        for outcome in [
            try studio.get("/api/studio"),
            try studio.get("/api/complete", ["request": "Player", "text": "s"]),
        ] {
            guard case .object(let members) = outcome.json, let name = members["schema"]?.stringValue else {
                Issue.record("\(outcome.text)")
                continue
            }
            try expectShape(name, members)
            names.insert(name)
            if let candidates = members["candidates"] { #expect(candidates.elements?.isEmpty == false) }
        }
        #expect(names == Self.studioDocuments)
    }

    @Test(arguments: TestPlace.available)
    func `Every event has exactly the documented members`(place: TestPlace) throws {
        let url = place.freshURL()
        bench.variables["STORECTL_URL"] = url
        let tool = bench.tool
        let events = LiveEvents(try tool.store(nil, config: nil), tool)
        var found: [LiveEvent.Name: LiveEvent] = [:]
        let deadline = ContinuousClock.now + .seconds(60)
        while found[.error] == nil, ContinuousClock.now < deadline {
            for event in events.next() { found[event.name] = event }
        }
        _ = try bench.makeShop(at: url)
        while found[.rates] == nil, ContinuousClock.now < deadline {
            for event in events.next() { found[event.name] = event }
        }
        for name in Self.events {
            let kind = try #require(LiveEvent.Name(rawValue: String(name.dropFirst("event:".count))))
            guard case .object(let members)? = found[kind]?.data else {
                Issue.record("no event \(kind)")
                continue
            }
            try expectShape(name, members)
        }
        #expect(found[.rates]?.data["entities"].elements?.isEmpty == false)
        #expect(found[.activity]?.data["schema"] == .string("storectl.activity/1"))
    }

    @Test func `Every document has exactly the documented members`() throws {
        try prepare()
        // The members of these rows are the properties of an entity.
        let rowsOfObjects: Set = ["storectl.query/1", "storectl.related/1"]
        let shapes = try documented()
        let types = try DocumentShapes()
        #expect(types.names == Set(shapes.keys))
        var unprinted = Set(shapes.keys).subtracting(Self.studioDocuments).subtracting(Self.events)
        var hasSamples = false
        var unseen = Set(shapes.filter { !$0.value.rows.isEmpty }.keys)
        // The configuration exists already, so this one is created in another folder.
        for call in Self.calls + [["init"]] {
            if call == ["init"] {
                try FileManager.default.removeItem(atPath: bench.folder + "/storectl.json")
            }
            let outcome = bench.run(call + ["--json"])
            guard let document = try? JSONDocument(outcome.output),
                case .object(let members) = JSONValue(document.root),
                case .string(let schema)? = members["schema"]
            else {
                Issue.record("\(call): \(outcome.problems)")
                continue
            }
            #expect(members["ok"] == .bool(outcome.exit == .success))
            unprinted.remove(schema)
            hasSamples =
                hasSamples || outcome.output.filter { !$0.isWhitespace }.contains(#""reads":[{"property""#)
            let shape = try #require(shapes[schema], "\(schema) is not documented")
            let odd = types.differences(.object(members))
            #expect(odd.isEmpty, "\(call): \(odd)")
            #expect(Set(members.keys).subtracting(["schema", "ok"]) == shape.members, "\(schema)")
            if case .array(let rows)? = members["rows"], case .object(let row)? = rows.first,
                !shape.rows.isEmpty,
                !rowsOfObjects.contains(schema)
            {
                #expect(Set(row.keys) == shape.rows, "\(schema)")
                unseen.remove(schema)
            }
        }
        #expect(hasSamples, "no plan has samples")
        #expect(unprinted.isEmpty, "\(unprinted) are documented, and nothing prints them")
        #expect(unseen.isSubset(of: rowsOfObjects), "\(unseen) have rows, and none is printed")
    }
}
