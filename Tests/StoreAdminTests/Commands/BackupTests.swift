import ContextCore
import Foundation
import Testing

@testable import StoreAdmin

struct BackupTests {
    private let bench: AdminBench

    init() throws { bench = try AdminBench() }

    /// Makes a store with contents, under the name `shop`, and one backup of it; answers the backup's name.
    private func backup(_ place: TestPlace) throws -> String {
        bench.variables["SHOP"] = try bench.makeShop(place)
        bench.variables["STORECTL_URL"] = nil
        try bench.write(#"{"stores": {"shop": {"url": {"env": "SHOP"}}}}"#, to: "storectl.json")
        let outcome = bench.run("backup", "create")
        try #require(outcome.exit == .success, "\(outcome.problems)")
        #expect(outcome.output.contains("\n10 objects, "))
        let path = try #require(outcome.output.split(separator: "\n").first)
        return String(try #require(path.split(separator: "/").last))
    }

    @Test(arguments: TestPlace.available)
    func `A backup is a whole store of its own`(place: TestPlace) throws {
        let name = try backup(place)
        let folder = bench.folder + "/Backups"
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == [name, name + ".json"])
        #expect(name.hasPrefix("shop-") && name.hasSuffix("Z.sqlite"))
        let url = "sqlite:Backups/\(name)"
        #expect(bench.run("data", "checksum", "-s", url).output == bench.run("data", "checksum").output)
        #expect(bench.run("check", "-s", url).exit == .success)
        let list = bench.run("backup", "list", "-o", "csv").output
        #expect(list.contains("\(name),shop,"))
        #expect(bench.run("backup", "verify", name).output.hasPrefix("sound: 10 objects of shop, "))
        #expect(bench.run("backup", "verify", "Backups/\(name)").exit == .success)
        #expect(bench.run("backup", "create", "--out", "Backups/\(name)").exit == .cannotCreate)
    }

    @Test func `A store that is used is copied as it is at one moment, with its history`() throws {
        let url = try bench.makeShop()
        let store = try bench.tool.store(nil, config: nil)
        let coordinator = try store.backend.coordinator(for: store.url, store.model())
        defer { coordinator.close() }
        // What was saved last is in the log alone.
        try coordinator.note(["by": "the test"])
        #expect(bench.run("backup", "create", "-s", url, "--out", "copy.sqlite").exit == .success)
        #expect(!FileManager.default.fileExists(atPath: bench.folder + "/copy.sqlite-wal"))
        let copy = try bench.tool.store("sqlite:copy.sqlite", config: nil)
        #expect(try copy.userInfo(model: copy.model()) == ["by": "the test"])
        #expect(
            bench.run("history", "list", "-s", "sqlite:copy.sqlite").output
                == bench.run("history", "list", "-s", url).output)
    }

    @Test(arguments: TestPlace.available)
    func `A backup that was changed is found out, and not restored`(place: TestPlace) throws {
        let name = try backup(place)
        let url = "sqlite:Backups/\(name)"
        #expect(bench.run("sql", "--write", "DELETE FROM sample WHERE _id = 2", "-s", url).exit == .success)
        let outcome = bench.run("backup", "verify", name)
        #expect(outcome.exit == .differences)
        #expect(outcome.output.contains("Its objects have the digest "))
        #expect(bench.run("backup", "restore", name, "--confirm", "shop").exit == .badData)
        #expect(bench.run("backup", "verify", "none.sqlite").exit == .inputMissing)
        try bench.write("{}", to: "Backups/\(name).json")
        #expect(bench.run("backup", "verify", name).exit == .badData)
        #expect(bench.run("backup", "list").output == "no backups\n")
    }

    @Test(arguments: TestPlace.available)
    func `A restored store is what it was`(place: TestPlace) throws {
        let name = try backup(place)
        let before = bench.run("data", "checksum").output
        #expect(bench.run("sql", "--write", "DELETE FROM sample WHERE _id = 2").exit == .success)
        #expect(bench.run("data", "checksum").output != before)
        #expect(bench.run("backup", "restore", name).exit == .refused)
        let restored = bench.run("backup", "restore", name, "--confirm", "shop")
        #expect(restored.exit == .success, "\(restored.problems)")
        #expect(restored.output.hasPrefix("shop is as shop was at "))
        #expect(bench.run("data", "checksum").output == before)
        #expect(bench.run("check").exit == .success)
        // And where there is no store at all.
        #expect(bench.run("db", "drop", "--confirm", "shop").exit == .success)
        #expect(bench.run("backup", "restore", name, "--confirm", "shop").exit == .success)
        #expect(bench.run("data", "checksum").output == before)
    }

    @Test func `What somebody uses is not restored over`() throws {
        let name = try backup(.sqlite)
        bench.variables["SHOP", default: ""] += "?busy_timeout=10ms"
        let store = try bench.tool.store(nil, config: nil)
        let coordinator = try store.backend.coordinator(for: store.url, store.model())
        defer { coordinator.close() }
        try coordinator.note(["by": "the test"])
        #expect(bench.run("backup", "restore", name, "--confirm", "shop").exit == .temporary)
        let names = try FileManager.default.contentsOfDirectory(atPath: bench.folder)
        #expect(!names.contains { $0.hasSuffix(".restoring") })
    }

    @Test func `The oldest backups go, of one store only`() throws {
        let url = try bench.makeShop()
        try bench.write(
            #"{"default": "a", "stores": {"a": "\#(url)", "b": {"url": "\#(url)"}}}"#, to: "storectl.json")
        bench.variables["STORECTL_URL"] = nil
        for name in ["1", "2", "3"] {
            #expect(bench.run("backup", "create", "--out", "\(name).sqlite").exit == .success)
        }
        #expect(bench.run("backup", "create", "-s", "b", "--out", "b.sqlite").exit == .success)
        #expect(bench.run("backup", "prune", "--folder", ".").exit == .usage)
        #expect(bench.run("backup", "prune", "--folder", ".", "--keep", "0").exit == .usage)
        let outcome = bench.run("backup", "prune", "--folder", ".", "--keep", "1", "-o", "csv")
        #expect(outcome.output.contains("1.sqlite,a,") && outcome.output.contains("2.sqlite,a,"))
        let left = bench.run("backup", "list", "--folder", ".", "-o", "csv").output
        #expect(left.contains("3.sqlite") && left.contains("b.sqlite") && !left.contains("1.sqlite"))
        #expect(
            bench.run("backup", "prune", "--folder", ".", "--keep", "1").output.hasPrefix("nothing to remove")
        )
    }
}
