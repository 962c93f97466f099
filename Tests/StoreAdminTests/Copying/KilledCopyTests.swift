import ChildProcesses
import ContextCore
import Foundation
import Testing

@testable import StoreAdmin

/// Copies by processes that are killed during the copy.
///
/// `STORE_COPY_ROWS` is the number of rows.
@Suite(.serialized)
struct KilledCopyTests {
    private static let rows = Effort.count("STORE_COPY_ROWS", otherwise: 20_000)
    private let bench: AdminBench

    init() throws {
        bench = try AdminBench()
    }

    private func makeSource() async throws {
        let model = try ObjectModel {
            Entity("Game") {
                Attribute("title", .string)
                Relationship("players", toMany: "Player", inverse: "game")
            }
            Entity("Player") {
                Attribute("name", .string)
                Attribute("score", .int64)
                Attribute("weight", .double)
                Relationship("game", to: "Game", inverse: "players")
            }
        }
        let store = try await Store.open(
            "sqlite:\(bench.folder)/a.sqlite", backends: bench.tool.backends, model: model)
        await store.close()
        let numbers =
            "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(Self.rows))"
        for statement in [
            "INSERT INTO game (_id, _version, title) \(numbers) SELECT i, 1, 'game ' || i FROM n LIMIT 20",
            """
            INSERT INTO player (_id, _version, name, score, weight, game_id) \(numbers) \
            SELECT i, 1, 'player ' || i, i % 1000, i * 0.25, 1 + i % 20 FROM n
            """,
        ] {
            let outcome = bench.run("sql", "--write", statement, "-s", "a")
            try #require(outcome.exit == .success, "\(outcome.problems)")
        }
    }

    /// Copies in another process, which is killed after a part of the players was copied; returns their number.
    private func copyPart(_ from: String, _ to: String, _ further: [String] = []) throws -> Int {
        let process = try bench.start(["data", "copy", from, to] + further)
        while process.isRunning, count(to) < Self.rows / 3 { usleep(2000) }
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        #expect(process.terminationReason == .uncaughtSignal)
        return count(to)
    }

    private func count(_ store: String) -> Int {
        Int(bench.run("count", "Player", "-s", store).output.filter(\.isNumber)) ?? 0
    }

    @Test(.timeLimit(.minutes(60)), .enabled(if: TestPlace.available.contains(.postgres)))
    func `A store is equal after copies to a server and back, both of which were killed once`() async throws {
        bench.variables["A"] = "sqlite:a.sqlite"
        bench.variables["B"] = TestPlace.postgres.freshURL()
        bench.variables["C"] = "sqlite:c.sqlite"
        let stores = ["a", "b", "c"].map { #""\#($0)": {"url": {"env": "\#($0.uppercased())"}}"# }
        try bench.write(
            #"{"default": "a", "stores": {\#(stores.joined(separator: ", "))}}"#, to: "storectl.json")
        try await makeSource()
        for (from, to) in [("a", "b"), ("b", "c")] {
            let part = try copyPart(from, to)
            #expect((1..<Self.rows).contains(part))
            let outcome = bench.run("data", "copy", from, to, "--resume")
            #expect(outcome.exit == .success, "\(outcome.problems)")
            #expect(outcome.output.hasSuffix("The copy is equal to the source.\n"))
        }
        let digests = ["a", "b", "c"].map { bench.run("data", "checksum", "-s", $0).output }
        #expect(Set(digests).count == 1)
    }
}
