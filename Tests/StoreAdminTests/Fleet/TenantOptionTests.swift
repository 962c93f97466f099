import ContextCore
import Foundation
import Testing

@testable import StoreAdmin

/// `--tenant`, for every command that works on one store.
struct TenantOptionTests {
    @Test(arguments: TestPlace.available)
    func `Each tenant has a separate store`(place: TestPlace) async throws {
        let fleet = try await FleetProject(place, tenants: ["acme", "beta"])
        let bench = fleet.bench
        let status = try bench.json("status", "--tenant", "acme")
        #expect(
            status["store"]?["tenant"].stringValue == "acme"
                && status["store"]?["name"].stringValue == "fleet")
        let next = status["next"]?.stringValues
        #expect(next == ["storectl migrate plan --tenant acme"], "\(String(describing: next))")
        #expect(bench.run("query", "Ticket", "--tenant", "beta").output.contains("of beta"))
        #expect(bench.run("count", "Ticket").exit != .success)
        let made = bench.run("db", "create", "--tenant", "gamma", "--model", "V1.json")
        #expect(made.exit == .success, "\(made.problems)")
        #expect(bench.run("count", "Ticket", "--tenant", "gamma").output == "0\n")
        let missing = bench.run("count", "Ticket", "--tenant", "delta")
        #expect([.inputMissing, .badData].contains(missing.exit), "\(missing.problems)")
        #expect(bench.run("count", "Ticket", "--tenant", "No such").exit == .configuration)
        bench.lines = ["\\count Ticket"]
        #expect(bench.run("shell", "--tenant", "acme").output == "2\n")
    }

    @Test(arguments: TestPlace.available)
    func `A production store requires its name and the tenant's`(place: TestPlace) async throws {
        let fleet = try await FleetProject(place, tenants: ["acme", "beta"], isProduction: true)
        let drop = ["db", "drop", "--tenant", "acme"]
        let refused = fleet.bench.run(drop)
        #expect(
            refused.exit == .refused && refused.problems.contains("--confirm fleet/acme"),
            "\(refused.problems)")
        for wrong in ["fleet", "acme", "fleet/beta"] {
            #expect(fleet.bench.run(drop + ["--confirm", wrong]).exit == .refused, "\(wrong)")
        }
        let vacuum = ["maintain", "vacuum", "--tenant", "acme"]
        #expect(fleet.bench.run(vacuum).exit == .refused)
        #expect(fleet.bench.run(vacuum + ["--confirm", "fleet/acme"]).exit == .success)
        let done = fleet.bench.run(drop + ["--confirm", "fleet/acme"])
        #expect(done.exit == .success && done.output.hasPrefix("fleet/acme was dropped"), "\(done.problems)")
        let list = try fleet.bench.json("fleet", "list")["rows"]?.elements
        #expect(list?.map { $0["tenant"].stringValue } == ["beta"])
    }

    @Test func `A tenant's backup is restored into that tenant's store`() async throws {
        let fleet = try await FleetProject(.sqlite, tenants: ["acme", "beta"])
        let bench = fleet.bench
        let made = try bench.json("backup", "create", "--tenant", "acme")
        #expect(made["store"] == .string("fleet/acme"))
        let file = try #require(made["file"]?.stringValue)
        try #require(
            bench.run("sql", "--write", "DELETE FROM ticket WHERE owner_id IS NOT NULL", "--tenant", "acme")
                .exit == .success)
        let restored = bench.run("backup", "restore", file, "--tenant", "acme", "--confirm", "fleet/acme")
        #expect(restored.exit == .success, "\(restored.problems)")
        #expect(bench.run("count", "Ticket", "--tenant", "acme").output == "2\n")
        #expect(try bench.json("backup", "list", "--tenant", "beta")["rows"]?.elements == [])
        #expect(try bench.json("backup", "list", "--tenant", "acme")["rows"]?.elements?.count == 1)
    }

    @Test func `A tenant of an unnamed store is named by its address`() async throws {
        let fleet = try await FleetProject(.sqlite, tenants: ["acme"])
        let url = try #require(fleet.bench.variables["FLEET"])
        let store = try fleet.bench.tool.store(url, tenant: "acme", config: nil)
        #expect(store.title == store.url.description && store.title.hasSuffix(".acme.sqlite"))
        #expect(store.confirmation == url.replacing("sqlite:", with: "") + "/acme")
        let path = BackupFolder(
            CommandCall(
                arguments: ParsedArguments(), tool: fleet.bench.tool, format: .table,
                output: Output(data: { _ in }, message: { _ in }))
        ).newPath(for: store, "2026-08-01T12:00:00.000000Z")
        #expect(
            path.hasSuffix("/Backups/\(url.replacing("sqlite:", with: ""))-acme-20260801T120000Z.sqlite"),
            "\(path)")
    }

    @Test func `The option is rejected by commands that don't support it`() throws {
        let bench = try AdminBench()
        let refusing = CommandTree.all.commands.filter { !$0.declaration.takesTenant }.map(\.declaration)
        for declaration in refusing {
            let outcome = bench.run(declaration.words + ["--tenant", "acme"])
            #expect(outcome.exit == .usage, "\(declaration.name)")
            #expect(
                outcome.problems.contains("'\(declaration.name)' has no option --tenant."),
                "\(outcome.problems)")
        }
        #expect(
            Set(refusing.map(\.name)) == [
                "backup verify", "completion", "config check", "config path", "config show", "data copy",
                "data sample", "data verify", "fleet backup", "fleet check", "fleet list", "fleet migrate",
                "fleet status", "init", "new", "migrate new", "version",
            ])
    }

    /// Every other command looks for the tenant's store, which doesn't exist.
    @Test(arguments: CommandTree.all.commands.map(\.declaration).filter(\.takesTenant).map(\.name))
    func `Every command on one store supports it`(name: String) throws {
        guard let words = ExitTable.onStores[name], !ExitTable.makers.contains(name) else { return }
        let bench = try AdminBench()
        _ = try bench.makeShop(at: "sqlite:shop.sqlite")
        try bench.write(ShopExport.model, to: "shop.model.json")
        for version in ["V1", "V2"] {
            let model = version == "V1" ? ShopExport.model : ShopVersions.second
            try bench.freeze(version, model, after: version == "V1" ? nil : "V1")
        }
        let outcome = bench.run(
            words.map { $0.replacing("NAME", with: "shop.sqlite/acme") } + ["--tenant", "acme"])
        #expect(
            outcome.exit == .inputMissing || outcome.exit == .temporary,
            "\(words): \(outcome.output)\(outcome.problems)")
        #expect(!FileManager.default.fileExists(atPath: bench.folder + "/shop.acme.sqlite"))
    }
}
