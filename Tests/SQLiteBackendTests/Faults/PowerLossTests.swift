#if SQLite
import RandomSeeds
import ContextCore
import Foundation
import Testing

@testable import SQLiteBackend

/// Simulated power cuts at random times: any part of the writes since the last sync of a file may be lost.
struct PowerLossTests {
    struct Mode: CustomTestStringConvertible, Sendable {
        let journal: SQLiteConfiguration.Journal
        let synchronous: SQLiteConfiguration.Synchronous
        var testDescription: String { "journal=\(journal), synchronous=\(synchronous)" }
    }

    static let rounds = 100

    /// The effect of a number of power cuts.
    struct Damage {
        var lost = 0
        var broken = 0
        var lostWrites = 0
    }

    @Test(arguments: [
        Mode(journal: .wal, synchronous: .full), Mode(journal: .wal, synchronous: .extra),
        Mode(journal: .delete, synchronous: .full),
    ])
    func `After a power cut, acknowledged saves are complete, and no save is partial`(_ mode: Mode) throws {
        let damage = try cutPower(mode)
        #expect(damage.lost == 0)
        #expect(damage.broken == 0)
        #expect(damage.lostWrites > 0, "No write was lost, so nothing was tested.")
    }

    /// The negative control: if it lost nothing, the other test would prove nothing.
    @Test func `Without waiting for the disk, power cuts lose saves`() throws {
        let damage = try cutPower(Mode(journal: .wal, synchronous: .off))
        #expect(damage.lost + damage.broken > 0)
    }

    private func cutPower(_ mode: Mode) throws -> Damage {
        let seed = UInt64.random(in: .min ... .max)
        var random = SeededRandom(seed: seed)
        var damage = Damage()
        for round in 0..<Self.rounds {
            try cutPower(mode, &random, &damage, "seed \(seed), round \(round), \(mode)")
        }
        return damage
    }

    private func cutPower(
        _ mode: Mode, _ random: inout SeededRandom, _ damage: inout Damage, _ comment: String
    ) throws {
        let files = FaultyFiles(records: true)
        let store = try TemporaryStore {
            $0.journal = mode.journal
            $0.synchronous = mode.synchronous
            $0.busyTimeout = .milliseconds(20)
            $0.testHooks.fileSystem = files.name
        }
        let graphs = SavedGraphs(model: store.model)
        var acknowledged: Set<Int> = []
        files.fail(
            [.write, .sync, .truncate, .delete, .open], after: Int.random(in: 0..<250, using: &random),
            with: .halfWritten)
        for number in 1...10 {
            do { try graphs.save(number, to: store.coordinator) } catch { break }
            acknowledged.insert(number)
        }
        store.coordinator.close()
        damage.lostWrites += files.cutPower(seed: random.next())
        files.heal()
        do {
            try store.reopen()
            store.coordinator.close()
            let found = try SavedGraphs.found(store.path)
            if !found.isWhole { damage.broken += 1 }
            let lost = acknowledged.subtracting(found.graphs)
            if !lost.isEmpty { damage.lost += 1 }
            let isSafe = mode.synchronous != .off
            if isSafe { #expect(found.isWhole && lost.isEmpty, "\(comment): lost \(lost.sorted())") }
        } catch {
            damage.broken += 1
            if mode.synchronous != .off { Issue.record("\(comment): \(String(reflecting: error))") }
        }
    }
}
#endif
