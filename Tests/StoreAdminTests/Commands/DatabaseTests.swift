import ContextCore
import Foundation
import Testing

@testable import PostgresBackend
@testable import StoreAdmin

/// `init`, `db` and `maintain`.
struct DatabaseTests {
    private let bench: AdminBench

    init() throws { bench = try AdminBench() }

    // MARK: init

    @Test func `Init creates what a project needs, and never twice`() throws {
        let outcome = bench.run("init")
        #expect(outcome.output == "created storectl.json\ncreated Models\ncreated Migrations\n")
        #expect(outcome.exit == .success)
        #expect(bench.run("config", "show", "-o", "csv").output.contains("dev,url,sqlite:dev.sqlite"))
        #expect(bench.run("config", "check").exit == .success)
        let before = try bench.read("storectl.json")
        #expect(bench.run("init", "--name", "other").exit == .cannotCreate)
        #expect(try bench.read("storectl.json") == before)
    }

    @Test(arguments: [
        (["--url", "sqlit:a"], ExitCode.configuration), (["--name", "a b"], .usage),
        (["--url", "postgres://a:secret@db/shop"], .configuration),
    ])
    func `Init rejects what could not be read again`(words: [String], exit: ExitCode) {
        #expect(bench.run(["init"] + words).exit == exit)
        #expect(!FileManager.default.fileExists(atPath: bench.folder + "/storectl.json"))
    }

    // MARK: db

    @Test(arguments: TestPlace.available)
    func `Ping reports whether a database responds`(place: TestPlace) throws {
        _ = try bench.makeShop(place)
        let product = place == .sqlite ? "SQLite" : "PostgreSQL"
        let ping = bench.run("db", "ping")
        #expect(ping.exit == .success)
        #expect(ping.output.contains(" responds: \(product) "))
        #expect(bench.run("db", "wait", "--timeout", "1s").output.contains(" responds: \(product) "))
        #expect(bench.run("db", "ping", "-s", "sqlite:none.sqlite").exit == .inputMissing)
        #expect(bench.run("db", "ping", "-s", "postgres://app@127.0.0.1:1/shop").exit == .unavailable)
        #expect(bench.run("db", "wait", "--timeout", "1x").exit == .usage)
        #expect(bench.run("db", "wait", "-s", "sqlit:none").exit == .configuration)
    }

    @Test(arguments: ["sqlite:none.sqlite", "postgres://app@127.0.0.1:1/shop"])
    func `A timeout is reported, and may be temporary`(url: String) throws {
        let outcome = bench.run("db", "wait", "-s", url, "--timeout", "300ms", "--json")
        #expect(outcome.exit == .temporary)
        #expect(outcome.problems.contains(#""code":"SC2103""#))
        #expect(outcome.problems.contains(#""retryable":true"#))
    }

    @Test(arguments: TestPlace.available)
    func `A store is created with a model, and removed with its name`(place: TestPlace) throws {
        bench.variables["A"] = place.freshURL()
        try bench.write(#"{"stores": {"a": {"url": {"env": "A"}}}}"#, to: "storectl.json")
        try bench.write(ShopExport.model, to: "shop.model.json")
        let made = bench.run("db", "create", "--model", "shop.model.json")
        #expect(made.exit == .success, "\(made.problems)")
        #expect(made.output.hasSuffix("store created\n"))
        #expect(
            bench.run("db", "create", "--model", "shop.model.json").output.hasSuffix(
                "store exists already\n"))
        #expect(bench.run("check").exit == .success)
        try bench.write(
            #"{"entities": {"Other": {"attributes": {"a": {"type": "bool"}}}}, "format": 1}"#,
            to: "other.json")
        #expect(bench.run("db", "create", "--model", "other.json").exit == .badData)
        #expect(bench.run("db", "create", "--model", "none.json").exit == .inputMissing)
        let bare = bench.run("db", "create")
        #expect(bare.exit == (place == .sqlite ? .usage : .success))

        let unconfirmed = bench.run("db", "drop")
        #expect(unconfirmed.exit == .refused)
        #expect(unconfirmed.problems.contains("dropping a deletes all its objects."))
        #expect(bench.run("db", "drop", "--confirm", "b").exit == .refused)
        let gone = bench.run("db", "drop", "--confirm", "a")
        #expect(gone.exit == .success, "\(gone.problems)")
        #expect(gone.output.hasPrefix("a was dropped"))
        let again = bench.run("db", "drop", "--confirm", "a")
        #expect(again.exit == (place == .sqlite ? .inputMissing : .badData))
        // Nothing of it prevents creating another one.
        #expect(bench.run("db", "create", "--model", "other.json").exit == .success)
        #expect(bench.run("db", "drop", "--confirm", "a").exit == .success)
    }

    @Test func `A database is created on a server`() throws {
        guard let database = try TestDatabase() else { return }
        bench.variables["STORECTL_URL"] = TestPlace.server
        bench.variables["OTHER"] = database.url
        try bench.write(#"{"stores": {"other": {"url": {"env": "OTHER"}}}}"#, to: "storectl.json")
        #expect(bench.run("db", "ping", "-s", "other").exit == .configuration)
        #expect(bench.run("db", "create", "-s", "other").output == "database created\n")
        #expect(bench.run("db", "create", "-s", "other").output == "database exists already\n")
        #expect(bench.run("db", "ping", "-s", "other").exit == .success)
    }

    @Test(arguments: TestPlace.available)
    func `A store next to other tables is not removed`(place: TestPlace) throws {
        _ = try bench.makeShop(place)
        #expect(bench.run("sql", "--write", "CREATE TABLE mine (a integer)").exit == .success)
        let name = try #require(try? bench.tool.store(nil, config: nil).confirmation)
        let outcome = bench.run("db", "drop", "--confirm", name)
        #expect(outcome.exit == .refused)
        #expect(outcome.problems.contains("there are other tables beside the store's: mine."))
        #expect(bench.run("check").exit == .success)
    }

    @Test func `An open file is not removed`() throws {
        let url = try bench.makeShop()
        let store = try bench.tool.store(nil, config: nil)
        let coordinator = try store.backend.coordinator(for: store.url, store.model())
        try coordinator.replaceUserInfo(["by": "the test"])
        bench.variables["STORECTL_URL"] = url + "?busy_timeout=10ms"
        let busy = bench.run("db", "drop", "--confirm", store.confirmation)
        #expect(busy.exit == .temporary, "\(busy.problems)")
        coordinator.close()
        #expect(bench.run("db", "drop", "--confirm", store.confirmation).exit == .success)
        #expect(try FileManager.default.contentsOfDirectory(atPath: bench.folder) == ["shop.jsonl"])
    }

    // MARK: maintain

    @Test(arguments: TestPlace.available)
    func `Maintenance doesn't change a store's contents`(place: TestPlace) throws {
        // A server rebuilds an index after all transactions of the database have ended.
        let database = place == .postgres ? try TestDatabase() : nil
        try database?.make()
        _ = try bench.makeShop(at: database?.url ?? place.freshURL())
        let before = bench.run("data", "checksum").output
        for work in ["vacuum", "analyze", "reindex"] {
            let outcome = bench.run("maintain", work)
            #expect(outcome.exit == .success, "\(outcome.problems)")
            #expect(outcome.output.hasPrefix("\(work) of "))
        }
        let checkpoint = bench.run("maintain", "checkpoint")
        #expect(checkpoint.exit == (place == .sqlite ? .success : .usage))
        #expect(bench.run("maintain", "integrity").output == "no damage found\n")
        #expect(bench.run("data", "checksum").output == before)
        #expect(bench.run("check").exit == .success)
    }

    @Test func `An unfinished index is removed`() throws {
        guard let database = try TestDatabase() else { return }
        try database.make()
        let url = try bench.makeShop(at: database.url)
        let reader = try database.connection()
        try reader.execute("BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT 1")
        bench.variables["STORECTL_URL"] = url + (url.contains("?") ? "&" : "?") + "timeout=300ms"
        #expect(bench.run("maintain", "reindex").exit == .temporary)
        #expect(bench.run("maintain", "integrity").output == "no damage found\n")

        // Nor does an index that a killed process has left.
        let killed = try database.connection()
        try killed.execute("SET lock_timeout = 300")
        let error = #expect(throws: StoreError.self) {
            try killed.execute("REINDEX TABLE CONCURRENTLY public.sample")
        }
        #expect(error?.isLockTimeout == true)
        #expect(bench.run("maintain", "integrity").output.contains("was never finished"))
        try reader.execute("COMMIT")
        let outcome = bench.run("maintain", "reindex")
        #expect(outcome.exit == .success, "\(outcome.problems)")
        #expect(bench.run("maintain", "integrity").output == "no damage found\n")
    }

    @Test func `Vacuum frees unused space`() throws {
        let header = ShopExport.text.split(separator: "\n")[0]
        let objects = (1...400).map {
            #"{"entity":"Sample","id":\#($0),"values":{"label":"\#(String(repeating: "x", count: 1000))"}}"#
        }
        try bench.write(([String(header)] + objects).joined(separator: "\n"), to: "many.jsonl")
        bench.variables["STORECTL_URL"] = "sqlite:many.sqlite"
        #expect(bench.run("data", "import", "many.jsonl").exit == .success)
        #expect(bench.run("sql", "--write", "DELETE FROM sample WHERE _id > 10").exit == .success)
        let json = try bench.json("maintain", "vacuum")
        guard case .number(let before)? = json["bytesBefore"], case .number(let after)? = json["bytesAfter"]
        else {
            Issue.record("no sizes")
            return
        }
        #expect(try #require(Int(after)) < #require(Int(before)) / 2)
    }

    @Test func `Production requires the store's name`() throws {
        let url = try bench.makeShop()
        bench.variables["STORECTL_URL"] = nil
        try bench.write(#"{"stores": {"shop": {"url": "\#(url)", "production": true}}}"#, to: "storectl.json")
        for words in [
            ["maintain", "vacuum"], ["maintain", "reindex"], ["history", "prune", "--keep", "0"],
            ["backup", "prune", "--keep", "1"],
        ] {
            #expect(bench.run(words).exit == .refused, "\(words)")
            #expect(bench.run(words + ["--confirm", "shop"]).exit == .success, "\(words)")
        }
        // The URL of the store selects the same configuration.
        #expect(bench.run("maintain", "analyze", "-s", url).exit == .refused)
        #expect(bench.run("maintain", "analyze", "-s", "sqlite:./" + url.dropFirst(7)).exit == .refused)
        #expect(bench.run("maintain", "integrity").exit == .success)
    }

    @Test func `Damage is found`() throws {
        _ = try bench.makeShop()
        #expect(bench.run("db", "ping", "-s", "sqlite:shop.jsonl").exit == .badData)
        let path = try #require(bench.variables["STORECTL_URL"]?.dropFirst("sqlite:".count))
        let file = bench.folder + "/" + path
        var bytes = try Data(contentsOf: URL(fileURLWithPath: file))
        // The middle of the file, so that its header and its schema stay readable.
        for place in (bytes.count / 2)..<(bytes.count / 2 + 6000) { bytes[place] = 0x5A }
        try bytes.write(to: URL(fileURLWithPath: file))
        let outcome = bench.run("maintain", "integrity")
        #expect(outcome.exit == .differences || outcome.exit == .badData, "\(outcome.problems)")
    }
}
