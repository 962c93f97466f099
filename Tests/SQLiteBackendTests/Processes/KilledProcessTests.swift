#if SQLite
import ChildProcesses
import RandomSeeds
import ContextCore
import Foundation
import Testing

@testable import SQLiteBackend

/// Kills a process that saves at random times, and checks the contents of its store.
///
/// `STORE_KILL_ROUNDS` is the number of rounds; the documentation promises 200.
struct KilledProcessTests {
    private static let rounds = Effort.count("STORE_KILL_ROUNDS", otherwise: 24)
    private static let graphSize = 100

    @Test(arguments: ["wal", "delete"])
    func `Saves that a killed process acknowledged are complete, and no save is partial`(_ journal: String)
        throws
    {
        let seed = UInt64.random(in: .min ... .max)
        var random = SeededRandom(seed: seed)
        var acknowledged: Set<String> = []
        var count = 0
        var folder = try TemporaryFolder()
        var round = 0
        // On a slow machine the first processes are killed before they have saved anything.
        while round < Self.rounds / 2 || (count == 0 && round < 100) {
            defer { round += 1 }
            if round % 10 == 0 {
                folder = try TemporaryFolder()
                acknowledged = []
            }
            let path = folder.url.appendingPathComponent("store.sqlite").path
            let child = try ChildProcess(
                "graphs", url: "sqlite:\(path)?journal=\(journal)", name: "r\(round)")
            // In the first rounds of a store the process is killed during the creation of the store, in the others while it saves.
            if round % 10 >= 3 { #expect(child.line() == "open") }
            usleep(UInt32.random(in: 0..<(round % 10 < 3 ? 80_000 : 200_000), using: &random))
            child.kill()
            let saved = child.lines().filter { $0 != "open" }
            count += saved.count
            acknowledged.formUnion(saved)
            _ = child.wait()
            try verify(path, acknowledged, "seed \(seed), round \(round)")
        }
        print("\(round) kills, journal=\(journal): \(count) graphs were acknowledged")
        #expect(count > 0)
    }

    private func verify(_ path: String, _ acknowledged: Set<String>, _ comment: Comment) throws {
        guard FileIdentity(of: path)?.isEmpty == false else {
            #expect(acknowledged.isEmpty, comment)
            return
        }
        // As the store itself opens it: closing a plain connection would empty the log that the next process must recover.
        let connection = try SQLiteConnection.open(
            .readAndWrite, StoreFile(path), SQLiteConfiguration(path: path))
        defer { connection.close() }
        #expect(try connection.text("PRAGMA integrity_check") == "ok", comment)
        #expect(try connection.text("PRAGMA foreign_key_check") == nil, comment)
        guard try connection.integer("SELECT count(*) FROM sqlite_schema") != 0 else {
            #expect(acknowledged.isEmpty, comment)
            return
        }
        let statement = try connection.statement(
            "SELECT title, (SELECT count(*) FROM player WHERE game_id = game._id) FROM game")
        defer { statement.reset() }
        var found: Set<String> = []
        while try statement.step() {
            #expect(statement.integer(1) == Int64(Self.graphSize - 1), comment)
            found.insert(try statement.text(0))
        }
        #expect(acknowledged.subtracting(found).isEmpty, comment)
        try verifyBoards(of: found, connection, comment)
        let players = Int64(found.count * (Self.graphSize - 1))
        #expect(try connection.integer("SELECT count(*) FROM player") == players, comment)
    }

    /// Checks the external values: each board is that of the first save or of the second one, and every game has one.
    private func verifyBoards(of titles: Set<String>, _ connection: SQLiteConnection, _ comment: Comment)
        throws
    {
        #expect(try connection.integer("SELECT count(*) FROM game_board") == Int64(titles.count), comment)
        let statement = try connection.statement(
            """
            SELECT title, CAST(_value AS TEXT) FROM game JOIN game_board ON _owner = _id AND _stamp = board_external
            """)
        defer { statement.reset() }
        var count = 0
        while try statement.step() {
            let (title, board) = (try statement.text(0), try statement.text(1))
            #expect([200, 300].contains { board == String(repeating: title, count: $0) }, comment)
            count += 1
        }
        #expect(count == titles.count, comment)
    }
}
#endif
