import ContextCore
import Foundation
import Testing

@testable import OrderChecking
@testable import StoreConformance

/// The order of operations under load: 64 tasks, of whose operations one in twenty is cancelled or fails.
@Suite(.timeLimit(.minutes(60))) struct OrderTests {
    /// `STORE_ORDER_OPERATIONS` is the total number of operations.
    private static let operations =
        ProcessInfo.processInfo.environment["STORE_ORDER_OPERATIONS"].flatMap(Int.init) ?? 1280

    struct Case: Sendable, CustomStringConvertible {
        let subject: Subject
        let discipline: StoreOptions.Discipline
        var description: String { "\(subject), \(discipline)" }
    }

    static let cases = Subject.all.flatMap { subject in
        [.snapshot, .exclusive].map { Case(subject: subject, discipline: $0) }
    }

    @Test(arguments: cases)
    func `Writes keep their order and read earlier writes; reads have one snapshot`(_ run: Case) async throws
    {
        let trial = CaseRun(run.subject.fixture)
        let readLimit = 4
        let store = try Store(
            coordinator: run.subject.fixture.open(
                trial.location, ObjectModel([OrderLedger.self, OrderEntry.self])),
            options: StoreOptions(readLimit: readLimit, discipline: run.discipline))
        let program = OrderProgram(store: store, laneCount: 2)
        try await program.prepare()
        let seed = UInt64.random(in: 0...UInt64.max)
        await withTaskGroup(of: Void.self) { group in
            for task in 0..<64 {
                group.addTask { await program.work(task: task, operations: Self.operations / 64, seed: seed) }
            }
        }
        let checker = OrderChecker(
            isExclusive: run.discipline == .exclusive, readLimit: readLimit,
            contents: try await program.contents())
        let records = program.history.records
        #expect(checker.violations(records) == [], "seed \(seed)")
        #expect(records.count == Self.operations / 64 * 64)
        // Most operations succeed; edits may have conflicts.
        #expect(records.filter(\.isDone).count > records.count * 3 / 4)
        await store.close()
        try run.subject.fixture.remove(trial.location)
    }
}
