import ContextCore
import Foundation
import RandomSeeds
import Testing

@testable import StoreAdmin

/// Stores of Core Data that are damaged, or that a program has filled with extreme values.
struct HostileCoreDataStoreTests {
    private let bench: AdminBench
    private let fixture: CoreDataFixture

    init() throws {
        bench = try AdminBench()
        fixture = try CoreDataFixture(in: bench.folder)
    }

    @Test func `Extreme keys and values are losses`() throws {
        try fixture.execute([
            "UPDATE Z_PRIMARYKEY SET Z_MAX = 9223372036854775807 WHERE Z_ENT = 5",
            "INSERT INTO ZPHOTO (Z_PK, Z_ENT, ZOWNER) VALUES (9223372036854775807, 5, 1), (-1, 5, 1)",
            "UPDATE ZGAME SET ZSTARTEDAT = 1e300, ZPRIZE = 1e300, ZLATITUDE = 9e999, ZTITLE = 'a' || char(0) WHERE Z_PK = 1",
            "UPDATE ZPERSON SET ZID = x'00', ZSITE = 'http://[x', ZISHOST = 9e99, ZNAME = CAST(x'FF' AS TEXT) WHERE Z_PK = 1",
        ])
        let document = try bench.json(
            "data", "import", "--from", "App.sqlite", "--dry-run", "-s", "sqlite:a.sqlite")
        let losses = try #require(document["losses"]?.elements)
        #expect(
            losses.compactMap { $0["name"].stringValue } == [
                "Game.prize", "Game.startedAt", "Game.title", "Person.id", "Person.name", "Player.isHost",
                "ZPHOTO",
            ])
        #expect(losses.compactMap { $0["count"].intValue } == [1, 1, 1, 1, 1, 1, 2])
        let names = losses.compactMap { $0["name"].stringValue }.joined(separator: ",")
        let outcome = bench.run(
            "data", "import", "--from", "App.sqlite", "--accept-loss", names, "-s", "sqlite:a.sqlite")
        #expect(outcome.exit == .success, "\(outcome.problems)")
        #expect(outcome.output.contains("Person.site: text, because some of its values are not URLs."))
    }

    @Test func `Damaged stores are imported or are errors`() throws {
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: fixture.path)))
        var random = SeededRandom(seed: 1986)
        var exits: [ExitCode: Int] = [:]
        for round in 0..<150 {
            var damaged = bytes
            for _ in 0..<Int.random(in: 1...8, using: &random) {
                damaged[Int.random(in: 0..<damaged.count, using: &random)] = UInt8.random(
                    in: 0...255, using: &random)
            }
            if round.isMultiple(of: 5) {
                damaged.removeLast(Int.random(in: 1..<damaged.count, using: &random))
            }
            try Data(damaged).write(to: URL(fileURLWithPath: fixture.path))
            let outcome = bench.run(
                "data", "import", "--from", "App.sqlite", "--dry-run", "-s", "sqlite:a.sqlite")
            exits[outcome.exit, default: 0] += 1
        }
        #expect(exits[.internalFault] == nil)
        #expect(exits[.success] ?? 0 > 0 && exits[.badData] ?? 0 > 0)
    }
}
