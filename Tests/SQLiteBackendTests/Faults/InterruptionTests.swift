#if SQLite
import ChildProcesses
import ContextCore
import Foundation
import Testing

@testable import SQLiteBackend

/// Row S17 of the failure matrix: cancels work in the middle of its statements, at each instruction of SQLite in turn.
///
/// `STORE_CANCELLATIONS` is the number of cancellations; the documentation promises 10,000.
struct InterruptionTests {
    private static let cancellations = Effort.count("STORE_CANCELLATIONS", otherwise: 400)

    /// Cancels a task after the given number of instructions.
    private final class Fuse: Sendable {
        private let left = Guarded(Int.max)

        func set(_ count: Int) { left.withLock { $0 = count } }

        func burn() {
            let isOut = left.withLock { left in
                left -= 1
                return left == 0
            }
            if isOut { withUnsafeCurrentTask { $0?.cancel() } }
        }
    }

    /// The work that is cancelled.
    enum Work: CaseIterable {
        case insert, update, delete, batch, fetch, aggregate
    }

    private let fuse = Fuse()
    private let store: TemporaryStore
    private let graphs: SavedGraphs

    init() throws {
        let fuse = fuse
        store = try TemporaryStore {
            $0.testHooks.progressInterval = 1
            $0.testHooks.progressHook = ProgressHook { fuse.burn() }
        }
        graphs = SavedGraphs(model: store.model)
        try graphs.save(1, to: store.coordinator)
        try graphs.save(2, to: store.coordinator)
    }

    @Test(arguments: Work.allCases)
    func `Work that is cancelled in the middle of a statement leaves nothing, and a clean connection`(
        _ work: Work
    ) async throws {
        let wanted = Self.cancellations / Work.allCases.count
        let length = try await instructions(of: work)
        #expect(length > 20)
        var cancelled = 0
        for round in 0..<wanted {
            // Every instruction if there is time for it; otherwise as many as possible, evenly distributed.
            let place = 1 + (wanted >= length ? round % length : round * length / wanted)
            if try await run(work, cancelledAt: place) { cancelled += 1 }
            try checkConnections("\(work), instruction \(place)")
        }
        // A statement's last instructions may come after the last point where it checks for cancellation.
        #expect(cancelled > wanted / 2, "\(cancelled) of \(wanted), \(length) instructions")
        store.coordinator.close()
        #expect(try SavedGraphs.verify(store.path) == [1, 2])
    }

    /// Returns the number of instructions of the work on a warm connection, and rolls the work back.
    private func instructions(of work: Work) async throws -> Int {
        let count = Guarded(0)
        let length = try TemporaryStore {
            $0.testHooks.progressInterval = 1
            $0.testHooks.progressHook = ProgressHook { count.withLock { $0 += 1 } }
        }
        let others = SavedGraphs(model: length.model)
        for number in 1...2 { try others.save(number, to: length.coordinator) }
        try Self.perform(work, length.coordinator, others)
        count.withLock { $0 = 0 }
        try Self.perform(work, length.coordinator, others)
        return count.withLock { $0 }
    }

    /// Runs the work and cancels it; returns whether it was cancelled before its end.
    private func run(_ work: Work, cancelledAt place: Int) async throws -> Bool {
        let (coordinator, graphs, fuse) = (store.coordinator, graphs, fuse)
        let task = Task {
            fuse.set(place)
            defer { fuse.set(.max) }
            try Self.perform(work, coordinator, graphs)
        }
        do {
            try await task.value
            return false
        } catch let error as StoreError {
            #expect(error.code == .cancelled, "\(work), \(place): \(String(reflecting: error))")
            return true
        }
    }

    /// Runs the work, and rolls it back.
    private static func perform(
        _ work: Work, _ coordinator: SQLiteCoordinator, _ graphs: SavedGraphs
    ) throws {
        let player = try graphs.model.index("Player")
        switch work {
        case .fetch, .aggregate:
            let session = try coordinator.openReadSession(SessionOptions(identifier: "interrupted"))
            defer { session.end() }
            let layout = graphs.model.layouts[player]
            if work == .fetch {
                let order = try SortKey("name", isDescending: true).resolved(for: layout, in: graphs.model)
                _ = try session.fetch(FetchPlan(entityIndex: player, order: [order]))
            } else {
                let count = try RequestChecker(layout, in: graphs.model, groupedBy: []).expression(
                    .aggregate(FetchAggregate(.sum, of: .itself, tail: ["score"])))
                _ = try session.aggregate(AggregatePlan(entityIndex: player, columns: [count]))
            }
        case .insert, .update, .delete, .batch:
            let session = try coordinator.openWriteSession(SessionOptions(identifier: "interrupted"))
            defer { session.rollback() }
            if work == .batch {
                let name = graphs.model.layouts[player].columns.firstIndex { $0.name == "name" } ?? 0
                _ = try session.perform(
                    BatchPlan(entityIndex: player, operation: .update([name: .string("Bob")])))
                _ = try session.perform(BatchPlan(entityIndex: player, operation: .delete))
            } else {
                #expect(try session.apply(changes(work, graphs)).conflicts.isEmpty)
            }
        }
    }

    private static func changes(_ work: Work, _ graphs: SavedGraphs) throws -> ChangeSet {
        if work == .insert { return try graphs.changes(3) }
        var changes = ChangeSet()
        if work == .update {
            changes.updates = [try graphs.update(of: 1)]
        } else {
            let keys = (0..<Int64(SavedGraphs.size)).map { SavedGraphs.firstPlayer(1) + $0 }
            let player = try graphs.model.index("Player")
            changes.deletes = [.init(entityIndex: player, keys: keys, baseVersions: keys.map { _ in 1 })]
        }
        return changes
    }

    /// Checks the connections of the next sessions.
    private func checkConnections(_ comment: Comment) throws {
        let lane = store.coordinator.store.lane
        let writer = try lane.acquireConnection("check", isCancellable: false)
        defer { lane.releaseConnection(writer) }
        let readers = store.coordinator.store.readers
        let reader = try readers.borrow()
        defer { readers.returnConnection(reader) }
        for connection in [writer, reader] {
            #expect(!connection.isInTransaction && !connection.hasBusyStatements, comment)
        }
        #expect(try writer.integer("PRAGMA query_only") == 0, comment)
        #expect(try reader.integer("PRAGMA query_only") == 1, comment)
    }
}
#endif
