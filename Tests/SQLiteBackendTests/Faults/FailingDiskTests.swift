#if SQLite
import ContextCore
import Foundation
import Testing

@testable import SQLiteBackend

/// Makes each system call of a save fail in turn, and checks the contents afterwards: rows S3 and S4 of the failure matrix.
///
/// Acknowledged saves are complete, failed saves have left nothing, and the next save after the failure succeeds.
struct FailingDiskTests {
    struct Trouble: CustomTestStringConvertible, Sendable {
        let journal: SQLiteConfiguration.Journal
        let synchronous: SQLiteConfiguration.Synchronous
        let fault: FaultyFiles.Fault
        let isLasting: Bool
        var testDescription: String {
            "\(journal) \(synchronous) \(fault)\(isLasting ? " from then on" : " once")"
        }
    }

    // With a deleted journal, `full` equals `extra`.
    private static let modes: [(SQLiteConfiguration.Journal, SQLiteConfiguration.Synchronous)] = [
        (.wal, .full), (.wal, .extra), (.delete, .full),
    ]

    static let troubles = modes.flatMap { journal, synchronous in
        FaultyFiles.Fault.allCases.flatMap { fault in
            [false, true].map {
                Trouble(journal: journal, synchronous: synchronous, fault: fault, isLasting: $0)
            }
        }
    }

    @Test(arguments: troubles)
    func `A save with failing system calls is complete or leaves nothing`(_ trouble: Trouble) throws {
        var rounds = 0
        for work in Work.allCases {
            var point = 0
            while try attempt(trouble, work, point) { point += 1 }
            #expect(point > 10)
            rounds += point
        }
        // There are six kinds of faults, so each one occurs several hundred times in every mode.
        #expect(rounds > 40)
    }

    /// The changes of a save: new rows, or new rows and updates of all others.
    enum Work: CaseIterable {
        case insertion, insertionAndUpdate
    }

    /// Saves with one point of failure; returns false if the save has no such point.
    private func attempt(_ trouble: Trouble, _ work: Work, _ point: Int) throws -> Bool {
        let files = FaultyFiles()
        let store = try TemporaryStore {
            $0.journal = trouble.journal
            $0.synchronous = trouble.synchronous
            $0.busyTimeout = .milliseconds(20)
            $0.testHooks.fileSystem = files.name
        }
        let graphs = SavedGraphs(model: store.model)
        try graphs.save(1, to: store.coordinator)
        var (acknowledged, unknown): (Set<Int>, Set<Int>) = ([1], [])
        files.fail(
            [.write, .sync, .truncate, .size, .read, .delete, .map, .open], after: point,
            times: trouble.isLasting ? .max : 1,
            with: trouble.fault)
        do {
            try graphs.save(2, to: store.coordinator, updating: work == .insertion ? nil : 1)
            acknowledged.insert(2)
        } catch let error as StoreError {
            let expected: Set<StoreError.Code> = [
                .inputOutput, .diskFull, .commitOutcomeUnknown, .readOnly, .busy,
            ]
            #expect(expected.contains(error.code), "\(trouble), point \(point): \(String(reflecting: error))")
            #expect(error.remedy != nil)
            if error.code == .commitOutcomeUnknown { unknown.insert(2) }
        }
        let wasMet = files.failed > 0
        files.heal()
        try graphs.save(3, to: store.coordinator)
        acknowledged.insert(3)
        store.coordinator.close()
        let found = try SavedGraphs.verify(store.path, "\(trouble), point \(point)")
        #expect(acknowledged.subtracting(found).isEmpty, "lost: \(trouble), point \(point)")
        #expect(
            found.subtracting(acknowledged).subtracting(unknown).isEmpty,
            "unwanted: \(trouble), point \(point)")
        return wasMet
    }

    @Test func `A save that a full disk rejects succeeds later, and reads work meanwhile`() throws {
        let files = FaultyFiles()
        let store = try TemporaryStore { $0.testHooks.fileSystem = files.name }
        let graphs = SavedGraphs(model: store.model)
        try graphs.save(1, to: store.coordinator)
        files.fail(.write, of: [.log, .main], with: .full)
        for number in 2...4 {
            let error = #expect(throws: StoreError.self) { try graphs.save(number, to: store.coordinator) }
            #expect(error?.code == .diskFull)
            let game = try store.model.index("Game")
            #expect(try store.read { try $0.rows([1, 2, 3, 4], entityIndex: game).count } == 1)
        }
        files.heal()
        try graphs.save(2, to: store.coordinator)
        store.coordinator.close()
        #expect(try SavedGraphs.verify(store.path) == [1, 2])
    }
}
#endif
