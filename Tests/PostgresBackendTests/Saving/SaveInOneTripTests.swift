#if Postgres
import ContextCore
import Foundation
import Testing

@testable import PostgresBackend

/// Saves that begin, insert and commit in one round trip.
@Suite(.enabled(if: TestServer.isExpected))
struct SaveInOneTripTests {
    private let store: InjuredStore

    init() throws { store = try InjuredStore() }

    /// How often the one connection that is there has waited for the server.
    private func roundTrips() throws -> Int {
        let connection = try store.coordinator.store.pool.take(for: "count")
        defer { store.coordinator.store.pool.giveBack(connection) }
        return connection.roundTrips
    }

    @Test func `Many saves take one round trip, and hold no connection before and after`() throws {
        let session = try store.lateSession()
        // Statements are prepared by the first.
        #expect(try session.saveTogether([store.insertion(1)], heedsCancellation: true)?.count == 1)
        let before = try roundTrips()
        let changes = try (Int64(2)...65).map { try store.insertion($0) }
        let tokens = try session.saveTogether(changes, heedsCancellation: true)
        #expect(try roundTrips() == before + 1)
        #expect(tokens?.map(\.sequence) == Array(2...65))
        #expect(store.coordinator.connectionReport.holders.isEmpty)
        session.end()
        #expect(try store.keys() == Array(1...65))
    }

    @Test func `A store that was migrated meanwhile takes nothing, and says why`() throws {
        let session = try store.lateSession()
        try store.execute("UPDATE \"_store_models\" SET \"fingerprint\" = 'another'")
        #expect(try session.saveTogether([store.insertion(1)], heedsCancellation: true) == nil)
        expectError(.modelMismatch) { _ = try session.apply(store.insertion(1)) }
        #expect(try store.keys() == [])
    }

    @Test func `Whoever waits too long for another's lock is told so once, and leaves nothing`() throws {
        let injured = try InjuredStore { $0.timeout = .seconds(1) }
        let holder = try injured.write("holder")
        let session = try injured.lateSession()
        expectError(.busy) { _ = try session.saveTogether([injured.insertion(1)], heedsCancellation: false) }
        holder.end()
        #expect(try session.saveTogether([injured.insertion(1)], heedsCancellation: false)?.count == 1)
        #expect(try injured.keys() == [1])
        try injured.expectFullPool()
    }

    @Test func `A save that is lost while it waits for another's lock is ended, and tried in another way`()
        throws
    {
        let holder = try store.write("holder")
        let session = try store.lateSession()
        store.proxy.arm(.cutAfterCommit)
        #expect(try session.saveTogether([store.insertion(1)], heedsCancellation: false) == nil)
        #expect(store.proxy.faultCount == 1)
        holder.end()
        #expect(try store.keys() == [])
        try store.save(1)
        #expect(try store.keys() == [1])
        try store.expectFullPool()
    }

    @Test func `A save's line is dated by when it is written, however long it has waited before`() throws {
        // On a full machine it may be long until a thread goes on, and who has waited longer than this would have given up.
        let store = try InjuredStore { $0.timeout = .seconds(300) }
        let holder = try store.write("holder")
        let started = Date()
        let isDone = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            [session = Sending(try store.lateSession()), changes = try store.insertion(2)] in
            _ = try? session.value.saveTogether([changes], heedsCancellation: false)
            isDone.signal()
        }
        let isWaiting = """
            SELECT count(*) FROM pg_locks JOIN pg_database ON pg_database.oid = "database" \
            WHERE locktype = 'advisory' AND NOT granted AND datname = current_database()
            """
        #expect(try eventually { try store.integer(isWaiting) == 1 })
        #expect(try holder.apply(store.insertion(1)).conflicts.isEmpty)
        _ = try holder.commit()
        holder.end()
        isDone.wait()
        let dates = try store.read().history(HistoryRequest()).map(\.date)
        #expect(dates.count == 2 && dates == dates.sorted() && dates[0] >= started)
    }

    @Test func `A save whose task is cancelled while it waits leaves nothing`() async throws {
        let holder = try store.write("holder")
        let injured = store
        let task = Task.detached {
            [session = Sending(try store.lateSession()), changes = try store.insertion(1)] in
            withUnsafeCurrentTask { $0?.cancel() }
            return Result { try session.value.saveTogether([changes], heedsCancellation: true) }
        }
        let result = await task.value
        holder.end()
        expectError(.cancelled) { _ = try result.get() }
        #expect(try injured.keys() == [])
    }

    /// Hands a session to another task, which alone uses it from then on.
    // @unchecked: see above.
    private struct Sending: @unchecked Sendable {
        let value: PostgresWriteSession

        init(_ value: PostgresWriteSession) { self.value = value }
    }
}
#endif
