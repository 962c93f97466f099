import ContextCore
import Foundation
import SQLiteBackend
import Testing

@testable import StoreAdmin

struct DataTests {
    private let bench: AdminBench

    init() throws { bench = try AdminBench() }

    /// Configures two stores, whose addresses are in environment variables.
    private func name(_ a: String, _ b: String) throws {
        bench.variables["STORECTL_URL"] = nil
        bench.variables["A"] = a
        bench.variables["B"] = b
        try bench.write(
            #"{"default": "a", "stores": {"a": {"url": {"env": "A"}}, "b": {"url": {"env": "B"}}}}"#,
            to: "storectl.json")
    }

    @Test(arguments: TestPlace.available)
    func `An export equals the import, byte for byte`(place: TestPlace) throws {
        _ = try bench.makeShop(place)
        let exported = bench.run("data", "export")
        #expect(exported.exit == .success)
        let lines = exported.output.split(separator: "\n", maxSplits: 1)
        #expect(lines[1] == Substring(ShopExport.objects))
        let header = bench.run("data", "export", "--out", "again.jsonl")
        #expect(header.output == "")
        #expect(header.problems == "10 objects written to again.jsonl\n")
        #expect(try bench.read("again.jsonl") == exported.output)
        #expect(bench.run("data", "export", "--out", "again.jsonl").exit == .cannotCreate)
    }

    @Test func `Export selects a part`() throws {
        _ = try bench.makeShop()
        let lines = bench.run("data", "export", "--entity", "Person").output.split(separator: "\n")
        #expect(lines.count == 5)
    }

    @Test func `Imported objects are visible to programs`() async throws {
        _ = try bench.makeShop()
        let path = try #require(bench.variables["STORECTL_URL"]?.dropFirst("sqlite:".count))
        let store = try await Store.open(
            "sqlite:\(bench.folder)/\(path)", backends: [.sqlite], model: .stored)
        let title = try await store.read("title") { context in
            let request = FetchRequest<ManagedObject>(
                entityName: "Player", where: try FetchPredicate("name = \"Ann\""))
            return try context.first(request)?.objects("favourites").map { try $0["title"] }
        }
        #expect(title == [.string("Chess, \"fast\""), .string("Go")])
        // Keys of imported objects aren't allocated again.
        let key = try await store.write("new") { context in
            let object = try context.insert("Sample")
            try object.set("label", to: "new")
            try context.save()
            return object.objectID.key
        }
        #expect(key > 2)
        await store.close()
    }

    @Test(arguments: [
        (#"{"entity":"Game","id":9,"values":{"titel":"x"}}"#, ":12:35: Game has no property “titel”."),
        (#"{"entity":"Game","id":9,"values":{"title":3}}"#, ":12:43: Game.title must be a string."),
        (#"{"entity":"Game","id":9,"values":{"title":""}}"#, ":12:1: Game.title must"),
        (#"{"entity":"Game","id":9}"#, ":12:1: Game.title must have a value."),
        (#"{"entity":"Gme","id":9}"#, "the model has no entity “Gme”."),
        (#"{"entity":"Person","id":9}"#, "Person is abstract."),
        (#"{"entity":"Game","id":1,"values":{"title":"x"}}"#, ":12: Game:1 is already on line 2."),
        (#"{"entity":"Game","id":9,"values":{"title":"Go"}}"#, "has the same title as"),
        (
            #"{"entity":"Round","id":9,"values":{"number":1},"to":{"game":77}}"#,
            "Round:9 refers by game to an object that does not exist."
        ),
        (
            #"{"entity":"Game","id":9,"values":{"title":"x"},"to":{"players":[1]}}"#,
            "the links of Game.players belong to its inverse: write them as Player.game."
        ),
        (
            #"{"entity":"Game","id":9,"values":{"title":"x"},"to":{"fans":[1]}}"#,
            "the links of Game.fans belong to its inverse: write them as Player.favourites."
        ),
        (
            #"{"entity":"Game","id":9,"values":{"title":"x"},"to":{"rounds":[1]}}"#,
            ":12: Game:9.rounds lists Round:1, which doesn't refer to it."
        ),
        (
            #"{"entity":"Round","id":9,"values":{"number":1},"to":{"game":1}}"#,
            ":2: Game:1.rounds lacks Round:9, which refers to it."
        ),
        (
            #"{"entity":"Player","id":9,"values":{"name":"x"},"to":{"favourites":[1,1]}}"#,
            "Player.favourites contains 1 twice."
        ),
        (#"{"entity":"Game""#, ":12:17: Expected a comma or “}”, found the end of the text."),
    ])
    func `An invalid line is rejected before anything is written`(line: String, message: String) throws {
        try bench.write(ShopExport.text + line, to: "bad.jsonl")
        bench.variables["STORECTL_URL"] = "sqlite:new.sqlite"
        let outcome = bench.run("data", "import", "bad.jsonl")
        #expect(outcome.problems.contains(message), "\(outcome.problems)")
        #expect(outcome.exit == .badData || outcome.exit == .usage)
        #expect(!FileManager.default.fileExists(atPath: bench.folder + "/new.sqlite"))
    }

    @Test func `Import requires an empty store and an export file`() throws {
        _ = try bench.makeShop()
        let again = bench.run("data", "import", "shop.jsonl")
        #expect(again.exit == .refused)
        #expect(bench.run("data", "import", "none.jsonl").exit == .inputMissing)
        try bench.write("{}\n", to: "odd.jsonl")
        #expect(bench.run("data", "import", "odd.jsonl").problems.contains("is not an export of storectl."))
        bench.variables["STORECTL_URL"] = "sqlite:dry.sqlite"
        #expect(
            bench.run("data", "import", "shop.jsonl", "--dry-run").output == "10 objects can be imported\n")
        #expect(!FileManager.default.fileExists(atPath: bench.folder + "/dry.sqlite"))
    }

    @Test(arguments: TestPlace.available.flatMap { from in TestPlace.available.map { (from, $0) } })
    func `A copy is equal, between all backends`(from: TestPlace, to: TestPlace) throws {
        try name(try bench.makeShop(from), to.freshURL())
        let outcome = bench.run("data", "copy", "a", "b")
        #expect(outcome.exit == .success, "\(outcome.problems)")
        #expect(outcome.output.hasSuffix("The copy is equal to the source.\n"))
        #expect(bench.run("data", "verify", "a", "b").output == "equal: 10 objects compared\n")
        #expect(
            bench.run("data", "checksum", "-s", "a").output == bench.run("data", "checksum", "-s", "b").output
        )
        #expect(bench.run("data", "copy", "a", "b").exit == .refused)
        #expect(bench.run("data", "copy", "a", "a").exit == .usage)
    }

    @Test(arguments: TestPlace.available)
    func `Edge cases of values are equal after an export and an import`(place: TestPlace) throws {
        _ = try bench.makeShop(place)
        let values = [
            #""single":0.1"#, #""single":1.1754944e-38"#, #""single":3.4028235e+38"#,
            #""single":"infinity""#,
            #""single":1e-45"#, #""single":-1.5"#,
            #""ratio":0.1"#, #""ratio":5e-324"#, #""ratio":1.7976931348623157e+308"#, #""ratio":"-infinity""#,
            #""bytes":"""#, #""flag":false"#, #""json":[1.50,{"a":null}]"#, #""json":"""#,
            #""link":"https://example.com/?a=%20b""#,
        ]
        let header = ShopExport.text.split(separator: "\n")[0]
        let samples = values.enumerated().map { place, value in
            #"{"entity":"Sample","id":\#(place + 1),"values":{"label":"\u0001é\u2028",\#(value)}}"#
        }
        let games = [
            ("99999999.99", "0001-01-01T00:00:00Z"), ("-0.01", "1969-12-31T23:59:59.999999Z"),
            ("0", "9999-12-31T23:59:59.999999Z"),
        ].enumerated().map { place, value in
            #"{"entity":"Game","id":\#(place + 1),"values":{"title":"\#(place)","price":\#(value.0),"startedAt":"\#(value.1)"}}"#
        }
        try bench.write(([String(header)] + games + samples).joined(separator: "\n"), to: "edges.jsonl")
        try name(place.freshURL(), place.freshURL())
        let first = bench.run("data", "import", "edges.jsonl", "-s", "a")
        try #require(first.exit == .success, "\(first.problems)")
        #expect(bench.run("data", "export", "-s", "a", "--out", "out.jsonl").exit == .success)
        let second = bench.run("data", "import", "out.jsonl", "-s", "b")
        #expect(second.exit == .success, "\(second.problems)")
        #expect(bench.run("data", "verify", "a", "b").exit == .success)
        #expect(bench.run("data", "export", "-s", "b").output == (try bench.read("out.jsonl")))
    }

    @Test func `A number that 32 bits can't represent is rejected`() throws {
        let header = ShopExport.text.split(separator: "\n")[0]
        try bench.write(
            header + "\n" + #"{"entity":"Sample","id":1,"values":{"label":"a","single":0.12345678901}}"#,
            to: "odd.jsonl")
        let outcome = bench.run("data", "import", "odd.jsonl", "-s", "sqlite:odd.sqlite")
        #expect(outcome.exit == .badData)
        #expect(outcome.problems.contains("32 bits"))
    }

    @Test func `Differences of many links are summarized in a line`() {
        let links = Array(Int64(1)...40_000)
        let text = StoreComparison.summary(of: links, besides: links.filter { $0 % 8000 != 0 })
        #expect(text == "40000 links, only here: 8000, 16000, 24000, 32000, 40000")
        #expect(StoreComparison.summary(of: links.filter { $0 % 8000 != 0 }, besides: links) == "39995 links")
        #expect(
            StoreComparison.summary(of: links.reversed(), besides: links) == "40000 links, in another order")
        #expect(StoreComparison.summary(of: [1, 2], besides: []) == "[1, 2]")
        #expect(StoreComparison.summary(of: links, besides: []).count < 200)
    }

    @Test func `A stopped export leaves nothing`() throws {
        _ = try bench.makeShop()
        bench.stopRequest = .polling { SIGINT }
        let outcome = bench.run("data", "export", "--out", "part.jsonl")
        #expect(outcome.exit == .interrupted)
        let names = try FileManager.default.contentsOfDirectory(atPath: bench.folder)
        #expect(!names.contains { $0.hasPrefix("part.jsonl") }, "\(names)")
    }

    @Test func `Status reports a stopped copy`() throws {
        try name(try bench.makeShop(), "sqlite:half.sqlite")
        bench.stopRequest = .polling { SIGTERM }
        #expect(bench.run("data", "copy", "a", "b").exit == .terminated)
        bench.stopRequest = .none
        let status = bench.run("status", "-s", "b", "--check")
        #expect(status.exit == .differences)
        #expect(status.output.contains("A copy into the store was not finished, so objects are missing."))
        #expect(try bench.json("status", "-s", "b")["unfinished"] == .string("copy"))
        #expect(bench.run("status", "-s", "a", "--check").exit == .success)
    }

    @Test(arguments: TestPlace.available)
    func `A difference has the object, the property and both values`(place: TestPlace) throws {
        try name(try bench.makeShop(), place.freshURL())
        #expect(bench.run("data", "copy", "a", "b").exit == .success)
        let before = bench.run("data", "checksum", "-s", "b").output
        #expect(
            bench.run("sql", "--write", "UPDATE person SET name = 'Édith' WHERE _id = 3", "-s", "b").exit
                == .success)
        #expect(bench.run("sql", "--write", "DELETE FROM sample WHERE _id = 2", "-s", "b").exit == .success)
        let outcome = bench.run("data", "verify", "a", "b")
        #expect(outcome.exit == .differences)
        #expect(
            outcome.output == """
                object    property  first     second
                ────────  ────────  ────────  ───────
                Player:3  name      "Édith "  "Édith"
                Sample:2            present   missing

                """)
        #expect(bench.run("data", "verify", "a", "b", "--entity", "Game").exit == .success)
        let first = bench.run("data", "verify", "a", "b", "-n", "1").output
        #expect(first.split(separator: "\n").count == 4)
        #expect(first.hasSuffix("The first 1 differences; --all prints all.\n"), "\(first)")
        #expect(bench.run("data", "verify", "a", "b", "--all").output == outcome.output)
        #expect(bench.run("data", "verify", "a", "b", "--all", "-n", "1").exit == .usage)
        #expect(bench.run("data", "checksum", "-s", "b").output != before)
    }

    @Test(arguments: TestPlace.available)
    func `A copy stopped anywhere can be resumed`(place: TestPlace) throws {
        try name(try bench.makeShop(), place.freshURL())
        struct Stop: Error {}
        var stops = 0
        while stops < 50 {
            let source = try bench.tool.store("a", config: nil)
            let destination = try bench.tool.store("b", config: nil)
            do {
                try source.read("copy") { session, model in
                    try destination.write(model: model) { coordinator in
                        if stops == 0 { try recordCopySource(session, coordinator) }
                        var copy = StoreCopy(source: session, destination: coordinator, model: model)
                        copy.betweenBatches = { throw Stop() }
                        try copy.copy()
                    }
                }
                break
            } catch is Stop {
                stops += 1
            }
        }
        #expect((4..<50).contains(stops))
        #expect(
            bench.run("data", "copy", "a", "b").problems.contains(
                "The destination is an unfinished copy of this source. Add --resume."))
        #expect(bench.run("data", "copy", "a", "b", "--resume").exit == .success)
        #expect(bench.run("data", "verify", "a", "b").exit == .success)
        #expect(bench.run("data", "copy", "a", "b", "--resume").exit == .refused)
    }

    @Test(arguments: TestPlace.available)
    func `The program's metadata is copied`(place: TestPlace) throws {
        try name(try bench.makeShop(), place.freshURL())
        let source = try bench.tool.store("a", config: nil)
        try source.write(model: source.model()) { try $0.replaceUserInfo(["owner": "the test"]) }
        #expect(bench.run("data", "copy", "a", "b").exit == .success)
        let copy = try bench.tool.store("b", config: nil)
        #expect(try copy.userInfo(model: copy.model()) == ["owner": "the test"])
    }

    @Test(arguments: TestPlace.available)
    func `The consumers of a history are not copied`(place: TestPlace) throws {
        try name(try bench.makeShop(), place.freshURL())
        let source = try bench.tool.store("a", config: nil)
        try source.write(model: source.model()) { coordinator in
            let session = try coordinator.openWriteSession(SessionOptions(identifier: "test"))
            defer { session.end() }
            try session.setUserInfo(["owner": "the test", "history.consumer.index": "1"])
            _ = try session.commit()
        }
        #expect(bench.run("data", "copy", "a", "b").exit == .success)
        let copy = try bench.tool.store("b", config: nil)
        #expect(try copy.userInfo(model: copy.model()) == ["owner": "the test"])
    }

    @Test func `A truncated export is rejected`() throws {
        _ = try bench.makeShop()
        let lines = bench.run("data", "export").output.split(separator: "\n")
        #expect(lines[0].contains(#""objects":10"#))
        try bench.write(lines.dropLast().joined(separator: "\n"), to: "half.jsonl")
        let outcome = bench.run("data", "import", "half.jsonl", "-s", "sqlite:half.sqlite")
        #expect(outcome.exit == .badData)
        #expect(outcome.problems.contains("the file has 9 objects, but line 1 declares 10."))
    }

    @Test(arguments: [DataImportCommand.unfinishedKey, DataCopyCommand.unfinishedKey])
    func `A store with an incomplete move is reported`(note: String) throws {
        _ = try bench.makeShop()
        #expect(bench.run("doctor").exit == .success)
        let store = try bench.tool.store(nil, config: nil)
        try store.write(model: store.model()) { try $0.replaceUserInfo([note: "begun"]) }
        let doctor = bench.run("doctor")
        #expect(doctor.exit == .differences)
        #expect(doctor.output.contains("was not finished, so objects are missing."))
        let again = bench.run("data", "import", "shop.jsonl")
        #expect(again.exit == .refused)
        #expect(
            again.problems.contains("an import that was stopped") == (note == DataImportCommand.unfinishedKey)
        )
    }

    /// Records the source of the copy in the destination, as the command does.
    private func recordCopySource(_ session: any ReadSession, _ coordinator: any StoreCoordinator) throws {
        let writing = try coordinator.openWriteSession(SessionOptions(identifier: "note"))
        try writing.setUserInfo([DataCopyCommand.unfinishedKey: session.token.storeID.uuidString])
        _ = try writing.commit()
    }
}
