#if SQLite
import ChildProcesses
import RandomSeeds
import ContextCore
import Foundation
import Testing

@testable import SQLiteBackend

/// Several processes that use one file at the same time.
///
/// `STORE_SHARED_SAVES` is the number of saves of each process; the documentation promises 2,000.
struct SharedFileTests {
    private static let saves = Effort.count("STORE_SHARED_SAVES", otherwise: 150)

    @Test func `Two writing and two reading processes share a file without losses`() throws {
        let folder = try TemporaryFolder()
        let path = folder.url.appendingPathComponent("store.sqlite").path
        let url = "sqlite:\(path)"
        let writers = try ["a", "b"].map { try ChildProcess("saves", url: url, name: $0, count: Self.saves) }
        for writer in writers { #expect(writer.line() == "open") }
        let readers = try ["c", "d"].map { try ChildProcess("read", url: url, name: $0) }
        for reader in readers { #expect(reader.line() == "open") }
        for writer in writers { try writer.proceed() }
        for writer in writers {
            let last = writer.lines().last
            #expect(last?.hasPrefix("slowest") == true)
            print("\(Self.saves) saves beside another process: \(last ?? "nothing") ms")
            #expect(writer.wait() == 0)
        }
        for reader in readers {
            reader.kill()
            #expect(reader.lines().isEmpty)
        }
        let connection = try SQLiteConnection(path: path, access: .readAndWrite, timeout: .seconds(5))
        defer { connection.close() }
        #expect(try connection.text("PRAGMA integrity_check") == "ok")
        #expect(try connection.integer("SELECT count(DISTINCT name) FROM player") == Int64(2 * Self.saves))
        #expect(try connection.integer("SELECT count(*) FROM player") == Int64(2 * Self.saves))
        #expect(try connection.integer("SELECT max(sequence) FROM _store_history") == Int64(2 * Self.saves))
    }

    @Test func `Processes that are killed while they compete leave the store to the others`() throws {
        let seed = UInt64.random(in: .min ... .max)
        var random = SeededRandom(seed: seed)
        let folder = try TemporaryFolder()
        let path = folder.url.appendingPathComponent("store.sqlite").path
        var acknowledged: Set<String> = []
        var running: [ChildProcess] = []
        var round = 0
        // On a slow machine the first processes are killed before they have saved anything.
        while round < 12 || (acknowledged.isEmpty && round < 200) {
            round += 1
            running.append(try ChildProcess("graphs", url: "sqlite:\(path)", name: "p\(round)"))
            usleep(UInt32.random(in: 0..<200_000, using: &random))
            if running.count == 3 {
                let victim = running.remove(at: Int.random(in: 0..<3, using: &random))
                victim.kill()
                acknowledged.formUnion(victim.lines().filter { $0 != "open" })
            }
        }
        for child in running {
            child.kill()
            acknowledged.formUnion(child.lines().filter { $0 != "open" })
        }
        let connection = try SQLiteConnection(path: path, access: .readAndWrite, timeout: .seconds(5))
        defer { connection.close() }
        #expect(try connection.text("PRAGMA integrity_check") == "ok", "seed \(seed)")
        let statement = try connection.statement(
            "SELECT title, (SELECT count(*) FROM player WHERE game_id = game._id) FROM game")
        defer { statement.reset() }
        var found: Set<String> = []
        while try statement.step() {
            #expect(statement.integer(1) == 99, "seed \(seed)")
            found.insert(try statement.text(0))
        }
        #expect(acknowledged.subtracting(found).isEmpty, "seed \(seed)")
        #expect(!acknowledged.isEmpty)
    }
}
#endif
