import ContextCore
import Foundation
import PostgresBackend
import Testing

@testable import StoreAdmin

/// The fleet commands, on the stores of twelve tenants.
struct FleetTests {
    private static let tenants = FleetProject.tenants

    /// Returns the lines of a call's output, by the tenant at their start.
    private func lines(_ outcome: AdminBench.Outcome) -> [String: String] {
        let pairs = outcome.output.split(separator: "\n").map { line in
            let words = line.split(separator: " ", maxSplits: 1)
            return (String(words[0]), words.count > 1 ? words[1].trimmingSpaces : "")
        }
        return Dictionary(pairs, uniquingKeysWith: { first, _ in first })
    }

    // MARK: Listing

    @Test(arguments: TestPlace.available)
    func `Tenants are listed by name, with their addresses`(place: TestPlace) async throws {
        let fleet = try await FleetProject(place)
        let document = try fleet.bench.json("fleet", "list")
        #expect(document["rows"]?.elements?.map { $0["tenant"].stringValue } == Self.tenants)
        #expect(document["store"]?["tenant"] == .null)
        let some = fleet.bench.run("fleet", "list", "--only", "t0[13]", "--only", "t11", "--from", "t02")
        #expect(Set(lines(some).keys).intersection(Self.tenants) == ["t03", "t11"])
        #expect(some.output.hasSuffix("2 tenants\n"))
        #expect(fleet.bench.run("fleet", "list", "--only", "acme").exit == .inputMissing)
    }

    @Test func `A schema during a restore is no tenant`() async throws {
        guard TestPlace.server != nil else { return }
        let fleet = try await FleetProject(.postgres, tenants: ["acme", "beta_restoring"])
        let address = try #require(fleet.bench.variables["FLEET"])
        let inspector = try StoreBackend.postgres.inspect(StoreURL(address + "$acme"))
        defer { inspector.close() }
        let replacer = try #require(inspector as? any StoreReplacer)
        #expect(try replacer.prepareStagingArea()["schema"]?.hasSuffix("$acme_restoring$") == true)
        defer { try? replacer.removeStagingArea() }
        let place = try await Store.open(
            address + "$acme_restoring$", backends: [.postgres], model: [Ticket.self])
        await place.close()
        let list = try fleet.bench.json("fleet", "list")["rows"]?.elements
        #expect(list?.map { $0["tenant"].stringValue } == ["acme", "beta_restoring"])
    }

    // MARK: Migrating

    @Test(arguments: TestPlace.available)
    func `All stores but a broken one are migrated, and the same call continues`(
        place: TestPlace
    ) async throws {
        let fleet = try await FleetProject(place)
        let bench = fleet.bench
        try fleet.breakStore(of: "t05")
        let begun = bench.run("migrate", "apply", "--tenant", "t07", "--phase", "expand")
        try #require(begun.exit == .success, "\(begun.problems)")
        let planned = bench.run("fleet", "migrate", "--dry-run", "--jobs", "1")
        #expect(lines(planned)["t01"]?.hasPrefix("V1 → V2, ") == true, "\(planned.output)")
        #expect(bench.run("migrate", "status", "--tenant", "t01", "--check").exit == .differences)

        let shared = bench.run("fleet", "migrate", "--only", "t02")
        #expect(
            lines(shared)["t02"]?.hasPrefix("V1 → V2; the contract phase waits for --phase contract, ")
                == true)

        let first = bench.run("fleet", "migrate", "--phase", "contract", "--jobs", "3")
        #expect(first.exit == .differences)
        let said = lines(first)
        #expect(
            said["t01"]?.hasPrefix("V1 → V2, ") == true && said["t01"]?.hasSuffix(" s") == true,
            "\(first.output)")
        #expect(said["t05"]?.hasPrefix("failed: SC") == true, "\(first.output)")
        #expect(first.output.hasSuffix("11 migrated, 1 failed\nfailed: t05\n"), "\(first.output)")
        #expect(first.output.split(separator: "\n").count == 14)
        let again = bench.run("fleet", "migrate", "--phase", "contract", "--jobs", "1")
        #expect(again.output.hasSuffix("11 up to date, 1 failed\nfailed: t05\n"), "\(again.output)")
        for tenant in ["t01", "t07", "t12"] {
            let status = bench.run("migrate", "status", "--tenant", tenant, "--check")
            #expect(status.exit == .success && status.output.hasPrefix("version  V2\n"), "\(status.output)")
            #expect(bench.run("count", "Ticket", "--tenant", tenant).output == "2\n")
        }
    }

    @Test(arguments: TestPlace.available)
    func `A document has a row for each tenant, sorted by name`(place: TestPlace) async throws {
        let fleet = try await FleetProject(place, tenants: Array(Self.tenants.prefix(4)))
        try fleet.breakStore(of: "t02")
        let document = try fleet.bench.json("fleet", "migrate", "--from", "t02", "--phase", "contract")
        #expect(document["schema"] == .string("storectl.fleet.migrate/1"))
        #expect(document["ok"] == .bool(false))
        #expect(document["rows"]?.elements?.map { $0["tenant"].stringValue } == ["t02", "t03", "t04"])
        let rows = fleet.rows(document)
        #expect(rows["t02"]?["outcome"].stringValue == "failed" && rows["t02"]?["error"].stringValue != nil)
        #expect(rows["t03"]?["outcome"].stringValue == "done" && rows["t03"]?["error"] == .null)
        #expect(rows["t03"]?["transitions"].stringValues == ["V1-V2"])
        #expect(document["summary"]?["done"].intValue == 2 && document["summary"]?["failed"].intValue == 1)
        let printed = fleet.bench.run("fleet", "migrate", "-o", "jsonl").output.split(separator: "\n")
        #expect(printed.count == 4)
        #expect(
            try printed.allSatisfy {
                JSONValue(try JSONDocument(String($0)).root)["tenant"].stringValue != nil
            })
        let table = fleet.bench.run("fleet", "migrate", "-o", "csv").output
        #expect(
            table.hasPrefix("tenant,outcome,transitions,") && table.contains("\r\nt04,skipped,"), "\(table)")
    }

    @Test(arguments: TestPlace.available)
    func `A killed run continues where it was`(place: TestPlace) async throws {
        let fleet = try await FleetProject(place)
        let output = Pipe()
        // Another connection has locked the last tenant's table, so that this tenant remains to be migrated.
        let lock = try fleet.lock("t12")
        let process = try fleet.bench.start(
            ["fleet", "migrate", "--phase", "contract", "--jobs", "2", "--lock-timeout", "60s"],
            output: output)
        let first = try output.fileHandleForReading.read(upToCount: 1)
        try #require(first?.isEmpty == false)
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        try lock.execute(["ROLLBACK"])
        let rest = fleet.bench.run("fleet", "migrate", "--phase", "contract")
        #expect(rest.exit == .success, "\(rest.output)")
        // Tenants printed before the kill are done, those in progress are finished, and the others are done now.
        #expect(rest.output.contains(" up to date"), "\(rest.output)")
        #expect(lines(rest)["t12"]?.hasPrefix("V1 → V2, ") == true, "\(rest.output)")
        let status = try fleet.bench.json("fleet", "status", "--check")
        #expect(status["summary"]?["done"].intValue == 12, "\(status)")
        #expect(fleet.rows(status).values.allSatisfy { $0["version"].stringValue == "V2" })
    }

    @Test func `Losses must be accepted, and are backed up for each tenant`() async throws {
        let fleet = try await FleetProject(.sqlite, tenants: ["acme", "beta"])
        let lossy = """
            {"entities":{"Ticket":{"attributes":{"note":{"optional":true,"type":"string"},"title":{"type":"string"}}}},"format":1}
            """
        try fleet.bench.freeze("V3", lossy, after: "V2", losing: "Ticket.owner")
        let planned = fleet.bench.run("fleet", "migrate", "--dry-run")
        #expect(lines(planned)["acme"]?.contains("loses Ticket.owner") == true, "\(planned.output)")
        let done = try fleet.bench.json("fleet", "migrate", "--phase", "contract")
        let backups = fleet.rows(done).values.compactMap { $0["backups"].stringValues?.first }
        #expect(backups.count == 2, "\(done)")
        for name in ["acme", "beta"] {
            #expect(backups.contains { $0.contains("/fleet-\(name)-") }, "\(backups)")
        }
        #expect(fleet.bench.run("fleet", "migrate", "--backup", "one.sqlite").exit == .usage)
    }

    @Test func `Hints apply to the stores that they concern`() async throws {
        let fleet = try await FleetProject(.sqlite, tenants: ["acme", "beta"])
        try FileManager.default.removeItem(atPath: fleet.bench.folder + "/Models")
        fleet.bench.model = try ObjectModel(
            fileText: #"""
                {"entities":{"Ticket":{"attributes":{"name":{"type":"string"}},\#
                "relationships":{"owner":{"optional":true,"to":"Ticket"}}}},"format":1}
                """#)
        let rename = ["--rename", "Ticket.title:name", "--phase", "contract"]
        #expect(fleet.bench.run(["migrate", "apply", "--tenant", "acme"] + rename).exit == .success)
        let undecided = fleet.bench.run("fleet", "migrate")
        #expect(
            undecided.exit == .differences && undecided.output.hasSuffix("failed: beta\n"),
            "\(undecided.output)")
        // The hint has no effect on a store that is already migrated.
        let both = fleet.bench.run(["fleet", "migrate"] + rename)
        #expect(both.exit == .success, "\(both.output)")
        #expect(both.output.hasSuffix("1 migrated, 1 up to date\n"), "\(both.output)")
        // The folder is certainly that of the project, because it has a configuration.
        #expect(!both.problems.contains("there is no frozen model"), "\(both.problems)")
    }

    @Test func `A production fleet is confirmed once, by the shared name`() async throws {
        let fleet = try await FleetProject(.sqlite, tenants: ["acme", "beta"], isProduction: true)
        let bench = fleet.bench
        #expect(bench.run("fleet", "migrate").exit == .refused)
        #expect(bench.run("fleet", "migrate", "--confirm", "acme").exit == .refused)
        bench.isTerminal = true
        bench.lines = ["n"]
        let refused = bench.run("fleet", "migrate", "--confirm", "fleet")
        #expect(
            refused.exit == .refused
                && refused.problems.contains("Migrate 2 tenants of fleet? --dry-run shows"))
        bench.lines = ["y"]
        #expect(bench.run("fleet", "migrate", "--confirm", "fleet").exit == .success)
    }

    @Test func `A tenant's own production store is not confirmed with the others`() async throws {
        let fleet = try await FleetProject(.sqlite, tenants: ["acme", "beta"])
        let url = try #require(fleet.bench.variables["FLEET"])
        try fleet.bench.write(
            """
            {"default": "fleet", "stores": {"fleet": {"url": {"env": "FLEET"}}, "own": {"production": true, \
            "url": "\(url.replacing(".sqlite", with: ".acme.sqlite"))"}}}
            """, to: "storectl.json")
        let outcome = fleet.bench.run("fleet", "migrate", "--yes", "--confirm", "fleet")
        #expect(outcome.output.contains("fleet/acme is a production store."), "\(outcome.output)")
        #expect(outcome.output.hasSuffix("1 migrated, 1 failed\nfailed: acme\n"), "\(outcome.output)")
        // So is a tenant if the address is marked too.
        try fleet.bench.write(
            """
            {"default": "fleet", "stores": {"fleet": {"url": {"env": "FLEET"}, "production": true}, \
            "own": {"production": true, "url": "\(url.replacing(".sqlite", with: ".acme.sqlite"))"}}}
            """, to: "storectl.json")
        let both = fleet.bench.run("fleet", "migrate", "--yes", "--confirm", "fleet")
        #expect(both.output.contains("fleet/acme is a production store."), "\(both.output)")
        #expect(both.output.hasSuffix("1 up to date, 1 failed\nfailed: acme\n"), "\(both.output)")
    }

    @Test(arguments: TestPlace.available)
    func `Remaining steps are reported for migrated and for waiting stores`(place: TestPlace) async throws {
        let fleet = try await FleetProject(place, tenants: ["acme", "beta"])
        let bench = fleet.bench
        try fleet.freezeIndex()
        try #require(bench.run("fleet", "migrate", "--to", "V2", "--phase", "contract").exit == .success)
        let expanded = bench.run("fleet", "migrate", "--only", "acme", "--phase", "expand")
        // A file gets the index at once, since SQLite has one writer.
        let early =
            place == .postgres
            ? "validate waits for --phase validate, the contract phase" : "the contract phase waits"
        #expect(
            lines(expanded)["acme"]?.hasPrefix("V2 → V3; \(early) for --phase contract, ") == true,
            "\(expanded.output)")
        #expect(bench.run("fleet", "migrate").exit == .success)
        let planned = bench.run("fleet", "migrate", "--dry-run")
        #expect(
            lines(planned)["acme"] == "up to date; the contract phase waits for --phase contract",
            "\(planned.output)")
        #expect(planned.output.hasSuffix("2 up to date\n"), "\(planned.output)")
        let rows = fleet.rows(try bench.json("fleet", "migrate", "--dry-run"))
        #expect(rows["beta"]?["pending"] == .bool(true) && rows["beta"]?["steps"].intValue == 0)
        let last = bench.run("fleet", "migrate", "--dry-run", "--phase", "contract")
        #expect(lines(last)["acme"]?.hasPrefix("V2 → V3, ") == true, "\(last.output)")
    }

    @Test(arguments: [
        ["--to", "V9"], ["--lock-wait", "soon"], ["--lock-timeout", "1"], ["--retries", "0"],
    ])
    func `Options are checked before a store is opened`(words: [String]) async throws {
        let fleet = try await FleetProject(.sqlite, tenants: ["acme"])
        let outcome = fleet.bench.run(["fleet", "migrate"] + words)
        #expect(outcome.exit == (words[0] == "--to" ? .configuration : .usage), "\(outcome.problems)")
        #expect(outcome.output.isEmpty, "\(outcome.output)")
    }

    // MARK: Reading

    @Test(arguments: TestPlace.available)
    func `Status has a line per tenant, and can fail if one needs attention`(place: TestPlace) async throws {
        let fleet = try await FleetProject(place)
        let bench = fleet.bench
        let pending = bench.run("fleet", "status")
        #expect(pending.exit == .success)
        #expect(lines(pending)["t01"]?.hasPrefix("V1, 2 objects, ") == true, "\(pending.output)")
        #expect(lines(pending)["t01"]?.hasSuffix(": V1-V2 is pending") == true, "\(pending.output)")
        #expect(pending.output.hasSuffix("12 needing attention\n"))
        #expect(bench.run("fleet", "status", "--check").exit == .differences)
        try #require(bench.run("migrate", "apply", "--tenant", "t07", "--phase", "expand").exit == .success)
        try #require(bench.run("migrate", "apply", "--tenant", "t08", "--phase", "contract").exit == .success)
        try fleet.breakStore(of: "t05")
        let document = try bench.json("fleet", "status")
        let rows = fleet.rows(document)
        #expect(rows.count == 12)
        #expect(rows["t07"]?["attention"].stringValues == ["V1-V2 is unfinished"])
        #expect(rows["t08"]?["outcome"].stringValue == "done" && rows["t08"]?["version"].stringValue == "V2")
        #expect(rows["t05"]?["outcome"].stringValue == "failed", "\(String(describing: rows["t05"]))")
        #expect(rows["t01"]?["objects"].intValue == 2 && rows["t01"]?["saves"].intValue == 1)
        #expect(rows["t01"]?["bytes"].intValue ?? 0 > 0)
        #expect(document["ok"] == .bool(false))
        #expect(bench.run("fleet", "status", "--only", "t08", "--check").exit == .success)
    }

    @Test(arguments: TestPlace.available)
    func `Check counts findings in a line, and lists them if requested`(place: TestPlace) async throws {
        let fleet = try await FleetProject(place)
        let bench = fleet.bench
        #expect(bench.run("fleet", "check").output.hasSuffix("12 without findings\n"))
        try fleet.execute("UPDATE ticket SET owner_id = 99", of: "t03")
        try fleet.breakStore(of: "t05")
        let check = bench.run("fleet", "check", "--jobs", "1")
        #expect(check.exit == .differences)
        // SQLite itself reports dangling references, too.
        let counts = place == .sqlite ? "4 findings: 2 damage, 2 orphans" : "2 findings: 2 orphans"
        #expect(lines(check)["t03"] == counts, "\(check.output)")
        #expect(lines(check)["t04"] == "no findings")
        #expect(check.output.contains("10 without findings, 1 with findings, 1 "), "\(check.output)")
        let one = ["fleet", "check", "--only", "t03", "--kinds", "orphans"]
        let verbose = bench.run(one + ["--verbose"]).output
        #expect(verbose.contains("t03  2 findings: 2 orphans\n    orphans Ticket:1 owner "), "\(verbose)")
        let found = fleet.rows(try bench.json(one))["t03"]?["findings"].elements
        #expect(found?.map { $0["kind"].stringValue } == ["orphans", "orphans"])
        #expect(bench.run("fleet", "check", "--only", "t03", "--kinds", "unique").exit == .success)
        #expect(bench.run("fleet", "check", "--kinds", "orphan").exit == .usage)
    }

    @Test func `A damaged file is one line among the others`() async throws {
        let fleet = try await FleetProject(.sqlite, tenants: ["acme", "beta"])
        let url = try #require(fleet.bench.variables["FLEET"])
        let name = url.replacing("sqlite:", with: "").replacing(".sqlite", with: ".acme.sqlite")
        try fleet.bench.write(String(repeating: "damaged ", count: 1000), to: name)
        for words in [["status"], ["check"], ["migrate"], ["backup"]] {
            let outcome = fleet.bench.run(["fleet"] + words)
            #expect(outcome.exit == .differences, "\(words)")
            #expect(
                lines(outcome)["acme"]?.hasPrefix("failed: SC2003 ") == true, "\(words): \(outcome.output)")
            #expect(outcome.output.hasSuffix(", 1 failed\nfailed: acme\n"), "\(words): \(outcome.output)")
        }
    }

    // MARK: Backups

    @Test(arguments: TestPlace.available)
    func `Each tenant has its own backup, and recent ones are skipped`(place: TestPlace) async throws {
        let fleet = try await FleetProject(place)
        let bench = fleet.bench
        try fleet.breakStore(of: "t05")
        let first = bench.run("fleet", "backup", "--from", "t04")
        #expect(first.exit == .differences)
        #expect(first.output.hasSuffix("8 backed up, 1 failed\nfailed: t05\n"), "\(first.output)")
        let list = try bench.json("backup", "list", "--tenant", "t07")["rows"]?.elements
        #expect(list?.map { $0["store"].stringValue } == ["fleet/t07"])
        #expect(list?.first?["file"].stringValue?.hasPrefix("fleet-t07-") == true)
        #expect(list?.first?["objects"].intValue == 2)
        let second = bench.run("fleet", "backup", "--newer-than", "1h", "--jobs", "2")
        #expect(
            second.output.hasSuffix("3 backed up, 8 skipped, 1 failed\nfailed: t05\n"), "\(second.output)"
        )
        #expect(lines(second)["t07"]?.hasPrefix("has a backup of 20") == true, "\(second.output)")
        try fleet.changeBackup(of: "t07") { $0.replacing(/"date": "[0-9]{4}/, with: #""date": "2020"#) }
        let old = bench.run("fleet", "backup", "--newer-than", "1h", "--only", "t07", "--only", "t08")
        #expect(old.output.hasSuffix("1 backed up, 1 skipped\n"), "\(old.output)")
        #expect(lines(old)["t08"]?.hasPrefix("has a backup of 20") == true, "\(old.output)")
    }

    @Test(arguments: [true, false])
    func `A backup whose file is empty or missing is repeated`(isEmpty: Bool) async throws {
        let fleet = try await FleetProject(.sqlite, tenants: ["acme", "beta"])
        #expect(fleet.bench.run("fleet", "backup").exit == .success)
        let path = try fleet.changeBackup(of: "acme")
        if isEmpty { try Data().write(to: URL(filePath: path)) }
        if !isEmpty { try FileManager.default.removeItem(atPath: path) }
        let again = fleet.bench.run("fleet", "backup", "--newer-than", "1h")
        #expect(again.output.hasSuffix("1 backed up, 1 skipped\n"), "\(again.output)")
        #expect(lines(again)["acme"]?.hasPrefix("fleet-acme-") == true, "\(again.output)")
    }

    @Test func `A backup that a server would reject is reported each time`() async throws {
        let fleet = try await FleetProject(.sqlite, tenants: ["acme", "beta"])
        try fleet.execute("UPDATE ticket SET owner_id = NULL, title = title || char(0)", of: "acme")
        let made = fleet.bench.run("fleet", "backup")
        try #require(made.exit == .differences, "\(made.output)")
        #expect(made.output.hasSuffix("1 backed up, 1 with findings\n"), "\(made.output)")
        for isNoted in [true, false] {
            try fleet.changeBackup(of: "acme") { notes in
                #expect(notes.contains(/"findings": [1-9]/))
                return isNoted ? notes : notes.replacing(#/"findings": [0-9]+,\s*/#, with: "")
            }
            let again = fleet.bench.run("fleet", "backup", "--newer-than", "1h")
            #expect(again.exit == .differences, "\(again.output)")
            #expect(again.output.hasSuffix("1 skipped, 1 with findings\n"), "\(again.output)")
            #expect(again.output.contains("findings prevent restoring it onto a server"), "\(again.output)")
        }
    }

    @Test func `An empty backup folder is not left behind`() async throws {
        let fleet = try await FleetProject(.sqlite, tenants: ["acme", "beta"])
        for tenant in ["acme", "beta"] { try fleet.breakStore(of: tenant) }
        #expect(fleet.bench.run("fleet", "backup").output.hasSuffix("2 failed\nfailed: acme, beta\n"))
        #expect(!FileManager.default.fileExists(atPath: fleet.bench.folder + "/Backups"))
    }
}
