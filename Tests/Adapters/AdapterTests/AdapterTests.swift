import ContextCore
import Foundation
import InMemoryLogging
import InMemoryTracing
import Logging
import MetricsTestKit
import SQLiteBackend
import ServiceLifecycle
import StoreObservability
import Synchronization
import Testing

/// The adapters, with the in-memory destinations of the packages that they adapt to.
@Suite(.timeLimit(.minutes(5))) struct AdapterTests {
    private func open(_ log: StoreLog) async throws -> Store {
        try await Store.open(
            "sqlite::memory:", backends: [.sqlite], model: [Game.self], options: StoreOptions(log: log))
    }

    private func insert(_ title: String, _ store: Store) async throws {
        try await store.write("start") { _ = Game(in: $0, title: title) }
    }

    private func fail(_ store: Store) async throws {
        try await store.write("start") { _ in throw StoreError(.validation, "The title is a-secret-title.") }
    }

    /// Throws a transient error at the first call.
    private func failOnce(_ attempts: borrowing Atomic<Int>) throws {
        let attempt = attempts.add(1, ordering: .relaxed).newValue
        if attempt == 1 { throw StoreError(.contention, "Another one was there.") }
    }

    @Test func `A logger receives statements, operations and errors, without values`() async throws {
        let handler = InMemoryLogHandler()
        var logger = Logger(label: "store", factory: { _ in handler })
        logger.logLevel = .debug
        let store = try await open(.logger(logger))
        try await insert("a-secret-title", store)
        await #expect(throws: StoreError.self) { try await fail(store) }
        await store.drain()

        let entries = handler.entries
        let insertion = entries.first { entry in
            entry.metadata["db.query.text"]?.description.contains("INSERT INTO \"game\"") == true
        }
        #expect(insertion?.level == .debug && insertion?.metadata["db.system.name"] == "sqlite")
        #expect(insertion?.metadata["duration_ms"] != nil)
        #expect(entries.contains { $0.level == .debug && $0.message == "operation: write start" })
        let error = entries.first { $0.level == .error }
        #expect(error?.message == "operation: write start" && error?.metadata["error"] == "validation")
        #expect(!"\(entries)".contains("a-secret-title"))
    }

    @Test func `A logger with a threshold receives only slow and failed work`() async throws {
        let handler = InMemoryLogHandler()
        var logger = Logger(label: "store", factory: { _ in handler })
        logger.logLevel = .debug
        let store = try await open(.logger(logger, slowerThan: .seconds(600)))
        let attempts = Atomic(0)
        try await store.write("start", retries: 1) { _ in
            try failOnce(attempts)
        }
        await store.drain()
        #expect(handler.entries.map(\.level) == [.warning, .debug])
        #expect(handler.entries.map(\.message) == ["conflict: write start", "retry: write start"])
    }

    @Test func `Metrics count and time operations, and poll the queue, the connections and the caches`()
        async throws
    {
        let factory = TestMetrics()
        let metrics = StoreMetrics(
            dimensions: [("store", "games")], measuresStatements: true, factory: factory)
        let store = try await open(metrics.log)
        let attempts = Atomic(0)
        try await store.write("start", retries: 1) { context in
            _ = Game(in: context, title: "Go")
            try failOnce(attempts)
        }
        for _ in 1...3 { _ = try await store.read("count") { try $0.fetch(Game.self).count } }
        let all = [("store", "games")]
        let (reads, writes) = (all + [("kind", "read")], all + [("kind", "write")])
        #expect(try factory.expectTimer("store.operation.run", writes).values.count == 2)
        #expect(try factory.expectTimer("store.operation.wait", reads).values.count == 3)
        #expect(try factory.expectCounter("store.operations", reads + [("outcome", "done")]).totalValue == 3)
        let failed = try factory.expectCounter("store.operations", writes + [("outcome", "contention")])
        #expect(failed.totalValue == 1)
        #expect(try factory.expectCounter("store.conflicts", writes).totalValue == 1)
        #expect(try factory.expectCounter("store.retries", writes).totalValue == 1)
        #expect(try factory.expectTimer("store.statement.run", all).values.count > 3)

        let polling = Task { await metrics.poll(store, every: .milliseconds(1)) }
        let requests = all + [("cache", "requests")]
        while (try? factory.expectCounter("store.cache.misses", requests))?.values.count ?? 0 < 3 {
            await Task.yield()
        }
        polling.cancel()
        await polling.value
        #expect(try factory.expectMeter("store.operations.waiting", writes).lastValue == 0)
        #expect(try factory.expectMeter("store.connections.used", all).lastValue == 0)
        #expect(try factory.expectMeter("store.connections.idle", all).lastValue ?? 0 >= 1)
        // Only the first poll finds new lookups.
        #expect(try factory.expectCounter("store.cache.hits", requests).totalValue >= 2)
        let misses = try factory.expectCounter("store.cache.misses", requests)
        #expect(misses.totalValue == store.statistics.database.map { Int64($0.requests.misses) })
        await store.drain()
    }

    @Test(arguments: [false, true])
    func `An operation is a span, its statements and the spans of its block are its children`(
        includesStatements: Bool
    ) async throws {
        let tracer = InMemoryTracer()
        let store = try await open(.tracing(includesStatements: includesStatements, tracer: tracer))
        try await tracer.withSpan("request") { _ in
            try await store.write("start") { context in
                tracer.withSpan("inner") { _ in _ = Game(in: context, title: "Go") }
            }
            await #expect(throws: StoreError.self) { try await fail(store) }
            await #expect(throws: CocoaError.self) {
                try await store.write("undo") { _ in throw CocoaError(.userCancelled) }
            }
        }
        await store.drain()

        let spans = tracer.finishedSpans
        let undone = try #require(spans.first { $0.operationName == "write undo" })
        #expect(undone.status == nil && undone.attributes["error.type"] == nil)
        #expect(undone.attributes["store.operation.outcome"]?.toSpanAttribute() == .string("rolled back"))
        let request = try #require(spans.first { $0.operationName == "request" })
        let writes = spans.filter { $0.operationName == "write start" }
        #expect(writes.count == 2 && writes.allSatisfy { $0.parentSpanID == request.spanID })
        let (done, failed) = (try #require(writes.first), try #require(writes.last))
        #expect(done.attributes["db.system.name"]?.toSpanAttribute() == .string("sqlite"))
        #expect(done.status == nil && failed.status?.code == .error)
        #expect(failed.attributes["error.type"]?.toSpanAttribute() == .string("validation"))
        #expect(spans.first { $0.operationName == "inner" }?.parentSpanID == done.spanID)
        let insertion = try #require(
            spans.first { $0.operationName == "INSERT" && $0.parentSpanID == done.spanID })
        #expect(insertion.kind == .client)
        #expect(insertion.attributes["db.namespace"]?.toSpanAttribute() == .string(":memory:"))
        #expect((insertion.attributes["db.query.text"] != nil) == includesStatements)
        let (start, end) = (insertion.startInstant, insertion.endInstant)
        #expect(start.nanosecondsSinceEpoch <= end.nanosecondsSinceEpoch)
        #expect(start.nanosecondsSinceEpoch >= request.startInstant.nanosecondsSinceEpoch)
        // Those that opened the store have none.
        #expect(spans.allSatisfy { $0.parentSpanID != nil || $0.operationName == "request" })
    }

    /// A service that submits writes, and returns before they have run.
    private final class Submitter: Service {
        private let store: Store
        let saved = Mutex<Set<Int>>([])

        init(_ store: Store) { self.store = store }

        func run() async throws {
            for number in 0..<20 {
                store.write("start", queue: .global(), { _ = Game(in: $0, title: "\(number)") }) { result in
                    if case .success = result { self.saved.withLock { _ = $0.insert(number) } }
                }
            }
        }
    }

    @Test func `A store in a service group drains when the group shuts down`() async throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).sqlite").path
        defer {
            for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) }
        }
        let store = try await Store.open("sqlite:\(path)", backends: [.sqlite], model: [Game.self])
        let submitter = Submitter(store)
        let group = ServiceGroup(
            configuration: ServiceGroupConfiguration(
                services: [
                    .init(service: store),
                    .init(
                        service: submitter,
                        successTerminationBehavior: .gracefullyShutdownGroup),
                ], logger: Logger(label: "group", factory: { _ in SwiftLogNoOpLogHandler() })))
        try await group.run()
        let error = await #expect(throws: StoreError.self) { try await insert("late", store) }
        #expect(error?.code == .closed)
        while submitter.saved.withLock(\.count) < 20 { await Task.yield() }
        let reopened = try await Store.open("sqlite:\(path)", backends: [.sqlite], model: [Game.self])
        #expect(try await reopened.read { try $0.count(Game.self) } == 20)
        await reopened.close()
    }
}
