#if SQLite
import ContextCore
import Foundation
import Testing

@testable import SQLiteBackend

/// Cancellation of running statements, which must leave nothing behind.
struct CancellationTests {
    /// A statement that would run for hours.
    private static let endless = """
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000000000) SELECT count(*) FROM n
        """

    @Test func `A statement ends when its task is cancelled, and its connection is clean`() async throws {
        let store = try TemporaryStore()
        let path = store.path
        let task = Task {
            let connection = try SQLiteConnection(path: path, access: .read, timeout: .zero)
            defer { connection.close() }
            connection.watch.begin(isCancellable: true)
            try connection.begin(writing: false)
            let error = #expect(throws: StoreError.self) { _ = try connection.integer(Self.endless) }
            #expect(error?.code == .cancelled)
            connection.watch.end()
            connection.endReading()
            #expect(!connection.isInTransaction && !connection.hasBusyStatements)
            #expect(try connection.integer("SELECT 1") == 1)
        }
        // On a separate thread, since other tests may block all threads of the cooperative pool.
        Thread.detachNewThread {
            Thread.sleep(forTimeInterval: 0.05)
            task.cancel()
        }
        try await task.value
    }

    @Test func `A write that waits for another session ends when its task is cancelled`() async throws {
        let store = try TemporaryStore()
        let (coordinator, lane) = (store.coordinator, store.coordinator.store.lane)
        let first = try coordinator.openWriteSession(SessionOptions(identifier: "first"))
        let waiting = Task {
            let error = #expect(throws: StoreError.self) {
                try coordinator.openWriteSession(SessionOptions(identifier: "second"))
            }
            #expect(error?.code == .cancelled)
        }
        let uncancellable = Task {
            try coordinator.openWriteSession(SessionOptions(identifier: "third", isCancellable: false)).end()
        }
        Thread.detachNewThread {
            while lane.statistics.waiting < 2 { Thread.sleep(forTimeInterval: 0.005) }
            waiting.cancel()
            uncancellable.cancel()
        }
        await waiting.value
        #expect(lane.statistics.waiting == 1)
        first.end()
        try await uncancellable.value
        try coordinator.openWriteSession(SessionOptions(identifier: "fourth")).end()
    }

    @Test func `A statement ends at its timeout`() throws {
        let store = try TemporaryStore()
        let connection = try SQLiteConnection(
            path: store.path, access: .read, timeout: .zero, statementTimeout: .milliseconds(30))
        defer { connection.close() }
        connection.watch.begin(isCancellable: true)
        let error = #expect(throws: StoreError.self) { _ = try connection.integer(Self.endless) }
        #expect(error?.code == .timeout)
        #expect(try connection.integer("SELECT 1") == 1)
    }

    /// Cancels a task after the given number of statements.
    private final class Canceller: Sendable {
        private let plan = Guarded<(left: Int, task: Task<Void, any Error>?)>((0, nil))

        var isSet: Bool { plan.withLock { $0.task != nil } }

        func set(after count: Int, _ task: Task<Void, any Error>?) { plan.withLock { $0 = (count, task) } }

        func see() {
            let task = plan.withLock { plan in
                plan.left -= 1
                return plan.left == 0 ? plan.task : nil
            }
            task?.cancel()
        }
    }

    /// Cancels a save before each of its statements: it is rolled back, and the connection is clean for the next save.
    @Test func `A save that is cancelled at any statement leaves nothing, and affects no other`()
        async throws
    {
        let canceller = Canceller()
        let store = try TemporaryStore {
            $0.testHooks.statementHook = StatementHook { _ in canceller.see() }
            $0.testHooks.progressInterval = 1
        }
        let graphs = SavedGraphs(model: store.model)
        let coordinator = store.coordinator
        var (saved, cancelled): (Set<Int>, Int) = ([], 0)
        for number in 1...30 {
            let task = Task {
                while !canceller.isSet { await Task.yield() }
                try graphs.save(number, to: coordinator)
            }
            canceller.set(after: number, task)
            do {
                try await task.value
                saved.insert(number)
            } catch let error as StoreError {
                #expect(error.code == .cancelled, "\(number): \(String(reflecting: error))")
                cancelled += 1
            }
            canceller.set(after: 0, nil)
        }
        #expect(cancelled > 5)
        #expect(!saved.isEmpty)
        try graphs.save(61, to: coordinator)
        saved.insert(61)
        coordinator.close()
        #expect(try SavedGraphs.verify(store.path) == saved)
    }

    @Test func `A read block whose task is cancelled ends in the middle of its fetch`() async throws {
        let store = try TemporaryStore { $0.testHooks.progressInterval = 1 }
        let graphs = SavedGraphs(model: store.model)
        for number in 1...20 { try graphs.save(number, to: store.coordinator) }
        let player = try store.model.index("Player")
        let coordinator = store.coordinator
        let task = Task {
            let session = try coordinator.openReadSession(SessionOptions(identifier: "test"))
            defer { session.end() }
            withUnsafeCurrentTask { $0?.cancel() }
            return try session.fetch(FetchPlan(entityIndex: player)).count
        }
        let error = await #expect(throws: StoreError.self) { try await task.value }
        #expect(error?.code == .cancelled)
        #expect(
            try store.read { try $0.fetch(FetchPlan(entityIndex: player)).count } == 20 * SavedGraphs.size)
    }
}
#endif
