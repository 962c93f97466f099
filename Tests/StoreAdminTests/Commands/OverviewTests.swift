import ContextCore
import Foundation
import Testing

@testable import PostgresBackend
@testable import SQLiteBackend
@testable import StoreAdmin

/// Reports of `status` and `doctor` about versions, migrations, tables and the environment.
struct OverviewTests {
    private let bench: AdminBench

    init() throws { bench = try AdminBench() }

    private static let second = ShopExport.model.replacing(
        #""label":{"type""#, with: #""more":{"optional":true,"type":"string"},"label":{"type""#)

    /// Creates a store of V1, under the name `shop`, and freezes V1 and V2.
    private func project(_ place: TestPlace) throws {
        bench.variables["SHOP"] = try bench.makeShop(place)
        bench.variables["STORECTL_URL"] = nil
        try bench.write(#"{"stores": {"shop": {"url": {"env": "SHOP"}}}}"#, to: "storectl.json")
        for (name, model) in [("V1", ShopExport.model), ("V2", Self.second)] {
            try bench.write(model, to: "\(name).json")
            let outcome = bench.run("model", "freeze", name, "--model", "\(name).json")
            try #require(outcome.exit == .success, "\(outcome.problems)")
        }
        try #require(bench.run("migrate", "new", "V1", "V2").exit == .success)
    }

    private func state() throws -> String {
        let json = try bench.json("status")
        return ["migrations", "drift", "lock", "next"].map { json[$0]?.text ?? "" }.joined(separator: " ")
    }

    // MARK: status

    @Test(arguments: TestPlace.available)
    func `Status shows the remaining work, and the next command`(place: TestPlace) throws {
        try project(place)
        let pending = bench.run("status", "--check", "-s", "shop")
        #expect(pending.exit == .differences)
        #expect(
            pending.output.contains(
                "version    V1\npending    V1-V2\ndrift      none\nnext       storectl migrate plan -s shop\n"
            ),
            "\(pending.output)")
        #expect(bench.run("status").exit == .success)
        #expect(
            try state()
                == #"{"pending":["V1-V2"],"problem":null,"run":null,"version":"V1"} {"count":0} "#
                + #"{"held":false,"holder":null} ["storectl migrate plan"]"#)

        #expect(bench.run("migrate", "apply").exit == .success)
        let begun = bench.run("status", "--check")
        #expect(begun.exit == .differences)
        #expect(begun.output.contains("started    V1-V2, "), "\(begun.output)")
        #expect(begun.output.contains("next       storectl migrate complete\n"))
        #expect(try state().contains(#""run":{"done":"#))

        #expect(bench.run("migrate", "complete").exit == .success)
        let done = bench.run("status", "--check")
        #expect(done.exit == .success, "\(done.output)")
        #expect(done.output.contains("version    V2\npending    nothing\ndrift      none\n"))
        #expect(!done.output.contains("next"))
    }

    @Test(arguments: TestPlace.available)
    func `Status reports changed tables`(place: TestPlace) throws {
        _ = try bench.makeShop(place)
        #expect(bench.run("status", "--check").exit == .success)
        #expect(bench.run("sql", "--write", "ALTER TABLE sample ADD COLUMN mine integer").exit == .success)
        let status = bench.run("status", "--check")
        #expect(status.exit == .differences)
        #expect(
            status.output.contains("drift      1 difference\nnext       storectl drift\n"), "\(status.output)"
        )
        let doctor = bench.run("doctor")
        #expect(doctor.exit == .differences)
        #expect(doctor.output.contains("✗  tables") && doctor.output.contains("mine"))
    }

    @Test func `A store with an unknown model is reported`() throws {
        try project(.sqlite)
        try bench.write(
            #"{"entities": {"Other": {"attributes": {"a": {"type": "bool"}}}}, "format": 1}"#,
            to: "other.json")
        let other = ["-s", "sqlite:other.sqlite"]
        #expect(bench.run(["db", "create", "--model", "other.json"] + other).exit == .success)
        let status = bench.run(["status", "--check"] + other)
        #expect(status.exit == .differences)
        #expect(
            status.output.contains("problem    The store's model is none of the known versions."))
        #expect(bench.run(["status"] + other).exit == .success)
        #expect(bench.run(["doctor"] + other).output.contains("✗  migration"))
    }

    @Test(arguments: TestPlace.available)
    func `The migrating process is named while it migrates`(place: TestPlace) throws {
        _ = try bench.makeShop(place)
        let store = try bench.tool.store(nil, config: nil)
        let take: () throws -> Bool
        let release: () -> Void
        switch place {
        case .sqlite:
            let lock = MigrationLock(of: try StoreFile(store.url.path))
            (take, release) = ({ try lock.tryLock() }, { lock.unlock() })
        case .postgres:
            let connection = try PostgresMigrationConnection(
                PostgresConfiguration(store.url), MigrationOptions())
            (take, release) = ({ try connection.tryLock() }, { connection.unlock() })
        }
        #expect(try state().contains(#"{"held":false,"holder":null}"#))
        #expect(try take())
        #expect(try state().contains(#"{"held":true,"holder":""#))
        #expect(bench.run("status").output.contains("migrating  "))
        release()
        #expect(try state().contains(#"{"held":false,"holder":null}"#))
    }

    // MARK: doctor

    @Test(arguments: TestPlace.available)
    func `The doctor checks the environment of the store`(place: TestPlace) throws {
        _ = try bench.makeShop(place)
        let doctor = bench.run("doctor")
        #expect(doctor.exit == .success, "\(doctor.output)")
        let steps =
            place == .sqlite
            ? ["permissions", "log", "disk"] : ["pooler", "clock", "connections", "permissions", "history"]
        for step in steps + ["migration", "tables", "structures"] {
            #expect(doctor.output.contains("✓  \(step) "), "\(step): \(doctor.output)")
        }
        #expect(!doctor.output.contains("objects"))
        #expect(bench.run("doctor", "--deep").output.contains("✓  objects"))
    }

    @Test(arguments: TestPlace.available)
    func `A deep check finds violations of the model`(place: TestPlace) throws {
        _ = try bench.makeShop(place)
        #expect(bench.run("sql", "--write", "UPDATE game SET title = '' WHERE _id = 1").exit == .success)
        #expect(bench.run("doctor").exit == .success)
        let deep = bench.run("doctor", "--deep")
        #expect(deep.exit == .differences)
        #expect(deep.output.contains("✗  objects") && deep.output.contains("1 finding, the first in Game:1."))
    }

    @Test func `The leftovers of a killed process are reported`() throws {
        let url = try bench.makeShop()
        try FileManager.default.createDirectory(
            atPath: bench.folder + "/Backups", withIntermediateDirectories: false)
        try bench.write("half", to: "Backups/a.sqlite.part")
        try bench.write("half", to: url.dropFirst("sqlite:".count) + ".restoring")
        let doctor = bench.run("doctor")
        #expect(doctor.exit == .differences)
        #expect(doctor.output.contains("a.sqlite.part, ") && doctor.output.contains(".restoring."))
    }

    @Test func `A read-only role is reported`() throws {
        guard TestPlace.server != nil else { return }
        let role = try bench.makeShopWithReader()
        defer { bench.dropReader(role) }
        let doctor = bench.run("doctor", "-s", "reader")
        #expect(doctor.exit == .differences)
        #expect(doctor.output.contains("\(role) may not write"), "\(doctor.output)")
    }
}
