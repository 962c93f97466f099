#if Postgres
import ContextCore
import Foundation
import Testing

@testable import PostgresBackend

/// Servers that don't respond: because they work, because they are slow, or because they are gone.
@Suite(.enabled(if: TestServer.isExpected))
struct SilentServerTests {
    private let store: InjuredStore

    init() throws { store = try InjuredStore { $0.timeout = .seconds(4) } }

    @Test func `A half-open connection is discarded, and others continue`() throws {
        let session = try store.read()
        let other = try store.read()
        store.proxy.arm(.silence)
        expectError(.connectionLost) { _ = try session.fetch(FetchPlan(entityIndex: 0)) }
        session.end()
        #expect(store.proxy.faultCount == 1)
        #expect(try other.fetch(FetchPlan(entityIndex: 0)).count == 0)
        other.end()
        try store.expectFullPool()
    }

    @Test func `The locks of a half-open connection are released`() throws {
        let session = try store.write()
        #expect(try session.apply(store.insertion(1)).conflicts.isEmpty)
        store.proxy.arm(.silence)
        expectError(.connectionLost) { _ = try session.fetch(FetchPlan(entityIndex: 0)) }
        session.end()
        try store.save(2)
        #expect(try store.keys() == [2])
    }

    @Test func `Locks are released later if the server can't be reached at once`() throws {
        let session = try store.write()
        #expect(try session.apply(store.insertion(1)).conflicts.isEmpty)
        let proxy = store.proxy
        // New connections, which would ask for the outcome, are refused too.
        store.proxy.arm(.silence) { proxy.refuse(true) }
        expectError(.connectionLost) { _ = try session.fetch(FetchPlan(entityIndex: 0)) }
        session.end()
        #expect(try store.isThere(session.connection.process))
        store.proxy.refuse(false)
        try store.save(2)
        #expect(try store.keys() == [2])
        #expect(try eventually { try !store.isThere(session.connection.process) })
    }

    @Test(arguments: [Int64(3000), 300_000])
    func `Streamed rows that stall are given up, and their locks are released`(count: Int64) throws {
        let session = try store.write()
        store.proxy.arm(.silenceAmongRows)
        expectError(.connectionLost) { _ = try session.apply(store.insertion(1...count)) }
        session.end()
        #expect(store.proxy.faultCount == 1)
        try store.save(2)
        #expect(try store.keys() == [2])
        #expect(try eventually { try !store.isThere(session.connection.process) })
        try store.expectFullPool()
    }

    /// The server process is active as long as it waits for the rest.
    @Test(.timeLimit(.minutes(20)), arguments: InjuredStore.Way.allCases)
    func `A save that arrives only in part is given up, and its locks are released`(
        _ way: InjuredStore.Way
    ) throws {
        store.proxy.arm(.silenceAfter("the first half"))
        switch way {
        case .stepByStep:
            expectError(.connectionLost) { try store.save(1, way, name: "the first half, and the second") }
        case .inOneTrip:
            // The save is known not to be committed, so it is repeated step by step.
            try store.save(1, way, name: "the first half, and the second")
        }
        #expect(store.proxy.faultCount == 1)
        try store.save(2)
        #expect(try store.keys() == (way == .inOneTrip ? [1, 2] : [2]))
        try store.expectFullPool()
    }

    @Test func `A save whose response never arrives is found in the history`() throws {
        store.proxy.arm(.swallowCommitAnswer)
        try store.save(1)
        #expect(store.proxy.faultCount == 1)
        #expect(try store.keys() == [1])
        try store.expectFullPool()
    }

    @Test func `A cancelled write leaves the earlier writes of its transaction`() async throws {
        let work = Task {
            let store = try InjuredStore()
            let session = try store.write()
            #expect(try session.apply(store.insertion(1)).conflicts.isEmpty)
            withUnsafeCurrentTask { $0?.cancel() }
            for key in Int64(2)...4 {
                try session.beginSavepoint(SessionOptions(identifier: "cancelled"))
                // In one round trip with the savepoint, and with the deferred save of the previous write.
                try session.connection.sendInPipeline("SELECT pg_sleep(60)")
                expectError(.cancelled) { try session.connection.collect() }
                try session.endSavepoint(keepingWork: false)
                try session.beginSavepoint(SessionOptions(identifier: "kept", isCancellable: false))
                #expect(try session.apply(store.insertion(key)).conflicts.isEmpty)
                try session.endSavepoint(keepingWork: true)
            }
            _ = try session.commit()
            return try store.keys()
        }
        #expect(try await work.value == [1, 2, 3, 4])
    }

    @Test func `A connection waits for a server that works`() throws {
        let session = try store.read()
        defer { session.end() }
        let connection = session.reader.connection
        #expect(try connection.integer("SELECT 7 FROM pg_sleep(9)") == 7)
    }

    @Test(arguments: [TestProxy.Fault.delay(.milliseconds(20)), .trickle])
    func `Slow and fragmented responses are accepted`(_ fault: TestProxy.Fault) throws {
        store.proxy.arm(fault)
        try store.save(1)
        let session = try store.read()
        defer { session.end() }
        #expect(try session.fetch(FetchPlan(entityIndex: 0)).count == 1)
    }

    @Test func `A cancelled task doesn't wait, and its connection is reused`() async throws {
        let store = try InjuredStore()
        let session = try store.read()
        let process = session.reader.connection.process
        session.end()
        let coordinator = store.coordinator
        let task = Task.detached {
            let session = try PostgresReadSession(coordinator.store, SessionOptions(identifier: "patient"))
            defer { session.end() }
            #expect(session.reader.connection.process == process)
            try session.reader.connection.execute("SELECT pg_sleep(60)")
        }
        // The waiting session doesn't block the thread of the other task.
        while try !store.runs(process, "SELECT pg_sleep") { try await Task.sleep(for: .milliseconds(5)) }
        task.cancel()
        let result = await task.result
        let error = try #require(throws: StoreError.self) { try result.get() }
        #expect(error.code == .cancelled)
        expectDecency(of: error)
        let again = try store.read()
        defer { again.end() }
        #expect(again.reader.connection.process == process)
        #expect(try again.fetch(FetchPlan(entityIndex: 0)).count == 0)
    }
}
#endif
