import ContextCore
import Foundation
import Testing

@testable import StoreAdmin

struct BackupTests {
    private let bench: AdminBench

    init() throws { bench = try AdminBench() }

    /// Creates a store with contents, under the name `shop`, and a backup of it; returns the backup's name.
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
    func `A backup is a complete, separate store`(place: TestPlace) throws {
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
        #expect(bench.run("backup", "verify", name).output.hasPrefix("intact: 10 objects of shop, "))
        #expect(bench.run("backup", "verify", "Backups/\(name)").exit == .success)
        #expect(bench.run("backup", "create", "--out", "Backups/\(name)").exit == .cannotCreate)
    }

    @Test func `A store in use is copied as one snapshot, with its history`() throws {
        let url = try bench.makeShop()
        let store = try bench.tool.store(nil, config: nil)
        let coordinator = try store.backend.coordinator(for: store.url, store.model())
        defer { coordinator.close() }
        // The last save is only in the log.
        try coordinator.replaceUserInfo(["by": "the test"])
        #expect(bench.run("backup", "create", "-s", url, "--out", "copy.sqlite").exit == .success)
        #expect(!FileManager.default.fileExists(atPath: bench.folder + "/copy.sqlite-wal"))
        let copy = try bench.tool.store("sqlite:copy.sqlite", config: nil)
        #expect(try copy.userInfo(model: copy.model()) == ["by": "the test"])
        #expect(
            bench.run("history", "list", "-s", "sqlite:copy.sqlite").output
                == bench.run("history", "list", "-s", url).output)
    }

    @Test(arguments: TestPlace.available)
    func `A modified backup is detected, and not restored`(place: TestPlace) throws {
        let name = try backup(place)
        let url = "sqlite:Backups/\(name)"
        #expect(bench.run("sql", "--write", "DELETE FROM sample WHERE _id = 2", "-s", url).exit == .success)
        let outcome = bench.run("backup", "verify", name)
        #expect(outcome.exit == .differences)
        #expect(outcome.output.contains("The objects have the digest "))
        #expect(bench.run("backup", "restore", name, "--confirm", "shop").exit == .badData)
        #expect(bench.run("backup", "verify", "none.sqlite").exit == .inputMissing)
        try bench.write("{}", to: "Backups/\(name).json")
        #expect(bench.run("backup", "verify", name).exit == .badData)
        #expect(bench.run("backup", "list").output == "no backups\n")
    }

    @Test(arguments: TestPlace.available)
    func `A failed or stopped backup leaves nothing`(place: TestPlace) throws {
        _ = try bench.makeShop(place)
        let before = try names()
        bench.stopRequest = .polling { SIGINT }
        #expect(bench.run("backup", "create").exit == .interrupted)
        #expect(bench.run("backup", "create", "--out", "stopped.sqlite").exit == .interrupted)
        bench.stopRequest = .none
        bench.variables["STORECTL_URL"] = nil
        #expect(bench.run("backup", "create", "-s", "sqlite:none.sqlite").exit == .inputMissing)
        #expect(try names() == before)
    }

    private func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: bench.folder).sorted()
    }

    @Test func `A list with a store's name has only that store's backups`() throws {
        let url = try bench.makeShop()
        bench.variables["STORECTL_URL"] = nil
        try bench.write(#"{"stores": {"one": "\#(url)", "two": "sqlite:two.sqlite"}}"#, to: "storectl.json")
        #expect(bench.run("data", "copy", "one", "two").exit == .success)
        for name in ["one", "two"] {
            #expect(bench.run("backup", "create", "-s", name).exit == .success)
        }
        #expect(bench.run("backup", "list", "-o", "csv").output.count { $0 == "\r\n" } == 3)
        let list = bench.run("backup", "list", "-s", "two", "-o", "csv").output
        #expect(list.count { $0 == "\r\n" } == 2)
        #expect(list.contains(",two,"))
    }

    @Test(arguments: TestPlace.available)
    func `A restored store equals the original`(place: TestPlace) throws {
        let name = try backup(place)
        let before = bench.run("data", "checksum").output
        #expect(bench.run("sql", "--write", "DELETE FROM sample WHERE _id = 2").exit == .success)
        #expect(bench.run("data", "checksum").output != before)
        #expect(bench.run("backup", "restore", name).exit == .refused)
        let restored = bench.run("backup", "restore", name, "--confirm", "shop")
        #expect(restored.exit == .success, "\(restored.problems)")
        #expect(restored.output.hasPrefix("restored shop from the backup of shop at "))
        #expect(bench.run("data", "checksum").output == before)
        #expect(bench.run("check").exit == .success)
        // Even if there is no store at all.
        #expect(bench.run("db", "drop", "--confirm", "shop").exit == .success)
        #expect(bench.run("backup", "restore", name, "--confirm", "shop").exit == .success)
        #expect(bench.run("data", "checksum").output == before)
    }

    @Test(arguments: TestPlace.available)
    func `Two concurrent backups with one name don't conflict`(place: TestPlace) throws {
        _ = try backup(place)
        let path = bench.folder + "/copy.sqlite"
        // The temporary file of a backup in progress.
        try Data("half".utf8).write(to: URL(filePath: path + ".part"))
        let descriptor = open(path + ".part.lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        #expect(flock(descriptor, LOCK_EX | LOCK_NB) == 0)
        let second = bench.run("backup", "create", "--out", "copy.sqlite")
        #expect(second.exit == .temporary, "\(second.problems)")
        #expect(FileManager.default.contents(atPath: path + ".part") == Data("half".utf8))
        // The process was killed.
        close(descriptor)
        #expect(bench.run("backup", "create", "--out", "copy.sqlite").exit == .success)
        #expect(bench.run("backup", "verify", path).exit == .success)
        let names = try FileManager.default.contentsOfDirectory(atPath: bench.folder)
        #expect(!names.contains { $0.contains(".part") })
    }

    @Test func `User-defined objects on a server's tables are removed only if they are listed`() throws {
        guard TestPlace.server != nil else { return }
        let name = try backup(.postgres)
        let statements = [
            "CREATE VIEW labels AS SELECT label FROM sample",
            "CREATE VIEW first_labels AS SELECT min(label) AS label FROM labels",
            "CREATE INDEX sample_mine ON sample (ratio)",
            "CREATE TABLE remarks (sample bigint REFERENCES sample (_id))",
            "CREATE FUNCTION audit() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NEW; END $$",
            "CREATE TRIGGER sample_audit AFTER INSERT ON sample FOR EACH ROW EXECUTE FUNCTION audit()",
            "CREATE POLICY sample_rows ON sample USING (true)",
            "GRANT SELECT ON sample TO PUBLIC",
        ]
        for statement in statements {
            let outcome = bench.run("sql", "--write", statement)
            try #require(outcome.exit == .success, "\(statement): \(outcome.problems)")
        }
        let words = [
            "view labels", "view first_labels", "index sample_mine of sample",
            "constraint remarks_sample_fkey on table remarks",
            "trigger sample_audit on table sample", "policy sample_rows on table sample",
            "privileges of public on table sample",
        ]
        let refused = bench.run("backup", "restore", name, "--confirm", "shop")
        #expect(refused.exit == .refused)
        for word in words { #expect(refused.problems.contains(word), "\(refused.problems)") }
        #expect(!refused.problems.contains("function audit"))
        #expect(!refused.problems.contains("_store_"))
        #expect(bench.run("sql", "SELECT count(*) FROM first_labels").exit == .success)
        let half = bench.run(
            "backup", "restore", name, "--confirm", "shop", "--accept-loss",
            words.dropLast().joined(separator: ","))
        #expect(half.exit == .refused)
        #expect(half.problems.contains("privileges of public"))
        #expect(!half.problems.contains("view labels"))
        let restored = bench.run(
            "backup", "restore", name, "--confirm", "shop", "--accept-loss", words.joined(separator: ", "))
        #expect(restored.exit == .success, "\(restored.problems)")
        #expect(bench.run("sql", "SELECT count(*) FROM first_labels").exit != .success)
        #expect(bench.run("check").exit == .success)
        #expect(bench.run("sql", "--write", "DROP TABLE remarks").exit == .success)
        #expect(
            bench.run("sql", "--write", "CREATE VIEW labels AS SELECT label FROM sample").exit == .success)
        let dropped = bench.run("db", "drop", "--confirm", "shop")
        #expect(dropped.exit == .refused)
        #expect(dropped.problems.contains("view labels"))
        #expect(bench.run("db", "drop", "--confirm", "shop", "--accept-loss", "view labels").exit == .success)
    }

    @Test func `A store in use is not replaced by a restore`() throws {
        let name = try backup(.sqlite)
        bench.variables["SHOP", default: ""] += "?busy_timeout=10ms"
        let store = try bench.tool.store(nil, config: nil)
        let coordinator = try store.backend.coordinator(for: store.url, store.model())
        defer { coordinator.close() }
        try coordinator.replaceUserInfo(["by": "the test"])
        #expect(bench.run("backup", "restore", name, "--confirm", "shop").exit == .temporary)
        let names = try FileManager.default.contentsOfDirectory(atPath: bench.folder)
        #expect(!names.contains { $0.hasSuffix(".restoring") })
    }

    @Test func `Another store of the same name keeps its backups`() throws {
        bench.variables["STORECTL_URL"] = nil
        let urls = [try bench.makeShop(), try bench.makeShop()]
        bench.variables["STORECTL_URL"] = nil
        for (index, url) in urls.enumerated() {
            try bench.write(#"{"stores": {"shop": "\#(url)"}}"#, to: "storectl.json")
            for number in 1...2 {
                let outcome = bench.run(
                    "backup", "create", "-s", "shop", "--out", "\(index)-\(number).sqlite")
                #expect(outcome.exit == .success, "\(outcome.problems)")
            }
        }
        let outcome = bench.run("backup", "prune", "-s", "shop", "--folder", ".", "--keep", "1", "-o", "csv")
        #expect(outcome.output.contains("1-1.sqlite") && !outcome.output.contains("0-1.sqlite"))
        #expect(outcome.problems.contains("2 backups of another store named shop"))
        let left = bench.run("backup", "list", "--folder", ".", "-o", "csv").output
        #expect(left.contains("0-1.sqlite") && left.contains("0-2.sqlite") && left.contains("1-2.sqlite"))
    }

    @Test func `A backup without the location of its store stays`() throws {
        let url = try bench.makeShop()
        for number in 1...3 {
            #expect(bench.run("backup", "create", "-s", url, "--out", "\(number).sqlite").exit == .success)
        }
        let path = bench.folder + "/1.sqlite.json"
        let notes = try String(contentsOfFile: path, encoding: .utf8)
        let lines = notes.split(separator: "\n").filter { !$0.contains("\"place\"") }
        #expect(lines.count == notes.split(separator: "\n").count - 1)
        try lines.joined(separator: "\n").write(toFile: path, atomically: true, encoding: .utf8)
        let outcome = bench.run("backup", "prune", "-s", url, "--folder", ".", "--keep", "1", "-o", "csv")
        let files = outcome.output.split(whereSeparator: \.isNewline).dropFirst().map {
            $0.prefix { $0 != "," }
        }
        #expect(files == ["2.sqlite"])
    }

    @Test func `The oldest backups are deleted, of one store only`() throws {
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
