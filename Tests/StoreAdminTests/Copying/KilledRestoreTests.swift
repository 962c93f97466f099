import ContextCore
import Foundation
import Testing

@testable import StoreAdmin

/// Restores of backups to a server, by processes that are killed during the restore.
@Suite(.serialized, .enabled(if: TestPlace.available.contains(.postgres)))
struct KilledRestoreTests {
    private static let rows = 20_000
    private let bench: AdminBench
    private let schema: String

    init() throws {
        bench = try AdminBench()
        let url = TestPlace.postgres.freshURL()
        schema = String(url.split(separator: "schema=").last ?? "")
        bench.variables["SHOP"] = url
        bench.variables["PLACE"] = url + "_restoring$"
        let stores = ["shop", "place"].map { #""\#($0)": {"url": {"env": "\#($0.uppercased())"}}"# }
        try bench.write(
            #"{"default": "shop", "stores": {\#(stores.joined(separator: ", "))}}"#, to: "storectl.json")
    }

    private func sql(_ statement: String) throws {
        let outcome = bench.run("sql", "--write", statement)
        try #require(outcome.exit == .success, "\(outcome.problems)")
    }

    /// Creates a store and a backup of it, and changes the store afterwards; returns the backup's name.
    private func makeBackup(rows: Int = 50) async throws -> String {
        let model = try ObjectModel {
            Entity("Player") {
                Attribute("name", .string)
                Attribute("score", .int64)
            }
        }
        let store = try await Store.open(
            bench.variables["SHOP", default: ""], backends: bench.tool.backends, model: model)
        await store.close()
        try sql(
            """
            INSERT INTO player (_id, _version, name, score) \
            SELECT n, 1, 'player ' || n, n FROM generate_series(1, \(rows)) AS n
            """)
        try #require(bench.run("backup", "create", "--out", "b.sqlite").exit == .success)
        try sql("DELETE FROM player WHERE _id > 10")
        return "b.sqlite"
    }

    /// The schemas of the test.
    private var schemas: String {
        bench.run(
            "sql", "SELECT nspname::text FROM pg_namespace WHERE nspname LIKE '\(schema)%' ORDER BY 1", "-o",
            "csv"
        ).output
    }

    /// Restores in another process, which is killed after a part of the objects was restored.
    private func restorePart(_ backup: String) throws {
        let process = try bench.start(["backup", "restore", backup, "-s", "shop", "--confirm", "shop"])
        var count = 0
        while process.isRunning, count == 0 {
            count = Int(bench.run("count", "Player", "-s", "place").output.filter(\.isNumber)) ?? 0
            usleep(2000)
        }
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        try #require(process.terminationReason == .uncaughtSignal)
        #expect((1...Self.rows).contains(count))
    }

    @Test(.timeLimit(.minutes(20)))
    func `The store is unchanged, and the next restore succeeds`() async throws {
        let backup = try await makeBackup(rows: Self.rows)
        let before = bench.run("data", "checksum").output
        try restorePart(backup)
        #expect(bench.run("data", "checksum").output == before)
        #expect(bench.run("count", "Player").output == "10\n")
        #expect(schemas.contains("\(schema)_restoring$"))
        let outcome = bench.run("backup", "restore", backup, "--confirm", "shop")
        #expect(outcome.exit == .success, "\(outcome.problems)")
        #expect(bench.run("count", "Player").output == "\(Self.rows)\n")
        #expect(bench.run("check").exit == .success)
        #expect(bench.run("drift").exit == .success)
        #expect(!schemas.contains("_restoring$"))
        // The functions that its statements call exist too.
        let found = bench.run(
            "query", "Player where name BEGINSWITH[c] 'PLAYER 77'", "-f", "score", "-o", "csv")
        #expect(found.output.contains("77"), "\(found.problems)")
    }

    @Test func `A schema of another program is not touched`() async throws {
        let backup = try await makeBackup()
        try sql("CREATE SCHEMA \"\(schema)_restoring$\"")
        let outcome = bench.run("backup", "restore", backup, "--confirm", "shop")
        #expect(outcome.exit == .configuration && outcome.problems.contains("wasn't left by a restore"))
        #expect(bench.run("count", "Player").output == "10\n")
        #expect(schemas.contains("_restoring$"))
    }

    @Test func `A store in use is not replaced by a restore`() async throws {
        let backup = try await makeBackup()
        let store = try bench.tool.store(nil, config: nil)
        let coordinator = try store.backend.coordinator(for: store.url, store.model())
        defer { coordinator.close() }
        let session = try coordinator.openReadSession(SessionOptions(identifier: "test"))
        defer { session.end() }
        _ = try session.fetch(FetchPlan(entityIndex: 0))
        let outcome = bench.run("backup", "restore", backup, "--confirm", "shop")
        #expect(outcome.exit == .temporary, "\(outcome.problems)")
        #expect(bench.run("count", "Player").output == "10\n")
        #expect(!schemas.contains("_restoring$"))
    }
}
