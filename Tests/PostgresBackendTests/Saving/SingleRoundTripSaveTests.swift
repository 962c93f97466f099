#if Postgres
import ContextCore
import Foundation
import SQLStore
import Testing

@testable import PostgresBackend

/// Saves that begin, insert and commit in one round trip.
@Suite(.enabled(if: TestServer.isExpected))
struct SingleRoundTripSaveTests {
    private let store: InjuredStore

    init() throws { store = try InjuredStore() }

    /// Returns the number of round trips of the only connection.
    private func roundTrips() throws -> Int {
        let connection = try store.coordinator.store.pool.borrow(for: "count")
        defer { store.coordinator.store.pool.returnConnection(connection) }
        return connection.roundTrips
    }

    @Test func `Many saves take one round trip, and use a connection only meanwhile`() throws {
        let session = try store.lateSession()
        // The first save prepares the statements.
        #expect(try session.saveInOneRoundTrip([store.insertion(1)], isCancellable: true)?.count == 1)
        let before = try roundTrips()
        let changes = try (Int64(2)...65).map { try store.insertion($0) }
        let tokens = try session.saveInOneRoundTrip(changes, isCancellable: true)
        #expect(try roundTrips() == before + 1)
        #expect(tokens?.map(\.sequence) == Array(2...65))
        #expect(store.coordinator.connectionReport.holders.isEmpty)
        session.end()
        #expect(try store.keys() == Array(1...65))
    }

    @Test func `A store that was migrated in the meantime rejects the save with the reason`() throws {
        let session = try store.lateSession()
        try store.execute("UPDATE \"_store_models\" SET \"fingerprint\" = 'another'")
        #expect(try session.saveInOneRoundTrip([store.insertion(1)], isCancellable: true) == nil)
        expectError(.modelMismatch) { _ = try session.apply(store.insertion(1)) }
        #expect(try store.keys() == [])
    }

    @Test func `A save that exceeds its lock timeout reports it once, and leaves nothing`() throws {
        let injured = try InjuredStore { $0.timeout = .seconds(1) }
        let holder = try injured.holdCommits()
        let session = try injured.lateSession()
        expectError(.busy) {
            _ = try session.saveInOneRoundTrip([injured.insertion(1)], isCancellable: false)
        }
        try holder.release()
        #expect(try session.saveInOneRoundTrip([injured.insertion(1)], isCancellable: false)?.count == 1)
        #expect(try injured.keys() == [1])
        try injured.expectFullPool()
    }

    @Test func `Saves with a lost response keep their numbers, even after pruning`() throws {
        let session = try store.lateSession()
        for first in [Int64(1), 4] {
            let (model, direct) = (store.model, store.direct)
            store.proxy.arm(.cutCommitAnswer) {
                if first == 4 { try? Self.prune(model, direct, through: 5) }
            }
            let changes = try (first..<first + 3).map { try store.insertion($0) }
            let tokens = try session.saveInOneRoundTrip(changes, isCancellable: true)
            // A pruned number is replaced by the next one.
            #expect(tokens?.map(\.sequence) == (first == 4 ? [6, 6, 6] : [1, 2, 3]))
        }
        #expect(try store.read().history(HistoryRequest()).map(\.token.sequence) == [6])
        #expect(store.proxy.faultCount == 2)
    }

    @Test func `A save whose history records were pruned has an unknown outcome`() throws {
        let session = try store.lateSession()
        let (model, direct, seeing) = (store.model, store.direct, store.coordinator.store)
        let another = try store.insertion(2)
        store.proxy.arm(.cutCommitAnswer) {
            try? Self.prune(model, direct, through: 1, saving: another)
            seeing.recordHistoryEnd(HistoryEnd(end: 2, base: 2, transaction: nil))
        }
        expectError(.commitOutcomeUnknown) {
            _ = try session.saveInOneRoundTrip([store.insertion(1)], isCancellable: true)
        }
        #expect(store.proxy.faultCount == 1)
        #expect(try store.keys() == [1, 2])
        #expect(try store.read().token.sequence == 2)
    }

    /// Prunes the history, not through the proxy, after another save if wanted.
    private static func prune(
        _ model: ObjectModel, _ direct: PostgresConfiguration, through sequence: Int64,
        saving changes: ChangeSet = ChangeSet()
    ) throws {
        let coordinator = try PostgresCoordinator(model: model, direct)
        defer { coordinator.close() }
        let session = try coordinator.openWriteSession(SessionOptions(identifier: "prune"))
        _ = try session.apply(changes)
        try session.pruneHistory(through: StoreToken(storeID: coordinator.store.storeID, sequence: sequence))
        _ = try session.commit()
    }

    @Test func `A save that is lost while it waits for a lock is ended, and tried step by step`() throws {
        let holder = try store.holdCommits()
        let session = try store.lateSession()
        store.proxy.arm(.cutAfterCommit)
        #expect(try session.saveInOneRoundTrip([store.insertion(1)], isCancellable: false) == nil)
        #expect(store.proxy.faultCount == 1)
        try holder.release()
        #expect(try store.keys() == [])
        try store.save(1)
        #expect(try store.keys() == [1])
        try store.expectFullPool()
    }

    @Test func `A history record has the time of its insertion, however long it waited`() throws {
        // On a busy machine a thread may be delayed for longer than a shorter timeout.
        let store = try InjuredStore { $0.timeout = .seconds(300) }
        let holder = try otherProgram(store.direct)
        try holder.execute(
            "BEGIN; LOCK TABLE \(store.direct.stored(StoreNames.history)) IN SHARE ROW EXCLUSIVE MODE")
        let started = Date()
        let isDone = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            [session = Sending(try store.lateSession()), changes = try store.insertion(2)] in
            _ = try? session.value.saveInOneRoundTrip([changes], isCancellable: false)
            isDone.signal()
        }
        let isWaiting = """
            SELECT count(*) FROM pg_locks JOIN pg_stat_activity USING (pid) \
            WHERE locktype = 'relation' AND NOT granted AND datname = current_database()
            """
        #expect(try eventually { try store.integer(isWaiting) == 1 })
        let start = ContinuousClock.now
        Thread.sleep(forTimeInterval: 0.3)
        let waited = start.duration(to: .now)
        try holder.execute("ROLLBACK")
        isDone.wait()
        let dates = try store.read().history(HistoryRequest()).map(\.date)
        try #require(dates.count == 1)
        #expect(dates[0] >= started + waited / .seconds(1))
    }

    @Test func `A save whose task is cancelled while it waits leaves nothing`() async throws {
        let holder = try store.holdCommits()
        let injured = store
        let task = Task.detached {
            [session = Sending(try store.lateSession()), changes = try store.insertion(1)] in
            withUnsafeCurrentTask { $0?.cancel() }
            return Result { try session.value.saveInOneRoundTrip([changes], isCancellable: true) }
        }
        let result = await task.value
        try holder.release()
        expectError(.cancelled) { _ = try result.get() }
        #expect(try injured.keys() == [])
    }

    /// A session that is passed to another task, which alone uses it from then on.
    // @unchecked: see above.
    private struct Sending: @unchecked Sendable {
        let value: PostgresWriteSession

        init(_ value: PostgresWriteSession) { self.value = value }
    }
}
#endif
