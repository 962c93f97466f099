import ContextCore
import Dispatch
import Foundation
import Testing

@testable import StoreAdmin

/// The hidden command that completion scripts call, with real configurations and stores.
struct CompleteCommandTests {
    private let bench: AdminBench

    init() throws {
        bench = try AdminBench()
        // A machine under load may need more than the second that a user waits.
        bench.variables["STORECTL_COMPLETION_TIMEOUT"] = "60s"
    }

    private func complete(_ words: String...) -> [String] {
        let outcome = bench.run(["complete", "--"] + words)
        #expect(outcome.exit == .success && outcome.problems == "", "\(words): \(outcome.problems)")
        return outcome.output.split(separator: "\n").filter { !$0.hasPrefix(":") }
            .map { String($0.split(separator: "\t")[0]) }
    }

    @Test func `The help doesn't list the command`() {
        #expect(!bench.run("help").output.contains("\n  complete "))
        #expect(bench.run("help", "complete").output.contains("Usage: storectl complete [WORDS…]"))
    }

    @Test(arguments: TestPlace.available)
    func `Entities, properties, numbers of models and tenants come from the store`(place: TestPlace) throws {
        let url = try bench.makeShop(place)
        bench.variables["SHOP"] = url
        bench.variables["STORECTL_URL"] = nil
        try bench.write(#"{"stores": {"shop": {"url": {"env": "SHOP"}}}}"#, to: "storectl.json")
        #expect(complete("query", "G") == ["Game"])
        #expect(complete("query", "-s", "shop", "Player", "-f", "sc") == ["score"])
        #expect(complete("model", "show", "") == ["1"])
        #expect(complete("status", "--tenant", "") == [])
        for tenant in ["acme", "apex"] {
            let made = bench.run("data", "import", "shop.jsonl", "--tenant", tenant)
            try #require(made.exit == .success, "\(made.problems)")
        }
        #expect(complete("status", "--tenant", "a") == ["acme", "apex"])
        #expect(complete("query", "--tenant", "apex", "Ref") == ["Referee"])
    }

    @Test func `Versions are in the order of their numbers, and the last one's model is used`() throws {
        bench.variables["STORECTL_URL"] = nil
        try FileManager.default.createDirectory(
            atPath: bench.folder + "/Models", withIntermediateDirectories: true)
        for (name, entity) in [("V9", "Old"), ("V10", "New")] {
            try bench.write(
                #"{"entities": {"\#(entity)": {"attributes": {"a": {"type": "bool"}}}}, "format": 1}"#,
                to: "Models/\(name).model.json")
        }
        #expect(complete("migrate", "apply", "--to", "") == ["V9", "V10"])
        #expect(complete("query", "") == ["New"])
    }

    @Test func `Versions are those of the project's folder`() throws {
        try bench.makeProject(.sqlite)
        #expect(complete("migrate", "apply", "--to", "") == ["V1", "V2"])
        try FileManager.default.createDirectory(
            atPath: bench.folder + "/empty", withIntermediateDirectories: true)
        #expect(complete("migrate", "plan", "--project", "empty", "--to", "") == [])
        // Without a store, the entities are those of the last version.
        bench.variables["SHOP"] = "sqlite:none.sqlite"
        #expect(complete("query", "Ga") == ["Game"])
    }

    @Test func `An application's model needs no store`() throws {
        bench.model = try ObjectModel(fileText: ShopExport.model, fileName: "shop")
        #expect(complete("query", "Ga") == ["Game"])
        #expect(complete("query", "-s", "sqlite:none.sqlite", "Ga") == ["Game"])
        #expect(complete("model", "diff", "a") == ["app"])
    }

    @Test func `Nothing is printed for what can't be found`() throws {
        #expect(complete("query", "Ga") == [])
        #expect(complete("query", "-s", "sqlite:none.sqlite", "Ga") == [])
        #expect(complete("query", "-s", "nope:x", "Ga") == [])
        #expect(!FileManager.default.fileExists(atPath: bench.folder + "/none.sqlite"))
        try bench.write("no JSON", to: "storectl.json")
        #expect(complete("status", "-s", "") == [])
        try bench.write("no database at all, but some text", to: "text.db")
        #expect(complete("query", "-s", "sqlite:text.db", "Ga") == [])
        #expect(complete("status", "--help", "--jso") == ["--json"])
    }

    @Test func `A command that prints a password isn't run, because it may prompt`() throws {
        try bench.write(
            """
            {"stores": {"prod": {"url": "postgres://app@127.0.0.1:1/shop", "production": true,
              "password": {"command": ["touch", "\(bench.folder)/prompted"]}}}}
            """, to: "storectl.json")
        #expect(complete("query", "-s", "prod", "Ga") == [])
        #expect(complete("status", "-s", "p") == ["prod"])
        #expect(!FileManager.default.fileExists(atPath: bench.folder + "/prompted"))
    }

    @Test func `Passwords are never printed`() throws {
        let outcome = bench.run(
            "complete", "--", "status", "-s", "postgres://app:geheim@127.0.0.1:1/shop", "--tenant", "geh")
        #expect(outcome.output == "" && outcome.problems == "")
    }

    @Test func `A server that doesn't answer is waited for for a second`() throws {
        // The listener accepts connections, and never answers.
        let listener = try SilentServer()
        bench.variables["STORECTL_COMPLETION_TIMEOUT"] = nil
        let start = ContinuousClock.now
        #expect(complete("query", "-s", "postgres://app@127.0.0.1:\(listener.port)/shop", "Ga") == [])
        // The usual limit for connecting is 30 s.
        #expect(ContinuousClock.now - start < .seconds(20))
        bench.variables["STORECTL_COMPLETION_TIMEOUT"] = "1ms"
        #expect(
            complete("status", "-s", "postgres://app@127.0.0.1:\(listener.port)/shop", "--tenant", "") == [])
    }

    @Test func `Work beyond the deadline has no result`() {
        let one = Deadline.value(within: .seconds(60)) { 1 }
        let none = Deadline.value(within: .seconds(60)) { nil as Int? }
        #expect(one == 1 && none == nil)
        let gate = DispatchSemaphore(value: 0)
        let late: Int? = Deadline.value(within: .milliseconds(20)) {
            gate.wait()
            return 1
        }
        gate.signal()
        #expect(late == nil)
    }
}
