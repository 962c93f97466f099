#if Postgres
import ContextCore
import Foundation
import Testing

@testable import PostgresBackend

/// Fetches with row locks, with concurrent programs that lock and change rows by other means.
@Suite(.enabled(if: TestServer.isExpected))
struct LockedFetchTests {
    private let things: ServerThings
    private let other: PostgresConnection

    init() throws {
        let configuration = try TestServer.freshConfiguration()
        things = try ServerThings(configuration)
        for key in 1...3 { try things.save(Int64(key)) }
        other = try otherProgram(configuration)
    }

    private func write() throws -> PostgresWriteSession {
        try PostgresWriteSession(things.coordinator.store, SessionOptions(identifier: "write"))
    }

    private func plan(_ wait: LockWait) -> FetchPlan {
        var plan = FetchPlan(entityIndex: 0)
        (plan.lock, plan.lockWait) = (.update, wait)
        return plan
    }

    private func keys(_ batch: RowBatch) -> [Int64] { (0..<batch.count).map { batch.key(at: $0) } }

    @Test func `A fetch skips locked rows, waits for them, or fails`() throws {
        try other.execute("BEGIN; SELECT * FROM thing WHERE _id = 2 FOR UPDATE")
        let session = try write()
        defer { session.end() }
        #expect(try keys(session.fetch(plan(.skipLocked))) == [1, 3])
        for wait in [LockWait.noWait, .wait(.milliseconds(30))] {
            let error = expectError(.busy) { _ = try session.fetch(plan(wait)) }
            #expect(error?.message.contains("locked") == true)
        }
        // The session continues, with its usual timeout for other locks.
        #expect(try session.connection.run("SHOW lock_timeout").text(0, 0) == "30s")
        #expect(try session.apply(things.insertion(4)).conflicts.isEmpty)
        try other.execute("COMMIT")
        #expect(try keys(session.fetch(plan(.wait(.seconds(5))))) == [1, 2, 3, 4])
        #expect(try session.connection.run("SHOW lock_timeout").text(0, 0) == "30s")
        _ = try session.commit()
    }

    @Test func `Locked rows stay locked after later failures, until the session ends`() throws {
        let session = try write()
        var first = plan(.untilTimeout)
        first.limit = 1
        #expect(try keys(session.fetch(first)) == [1])
        try other.execute("BEGIN; SELECT * FROM thing WHERE _id = 3 FOR UPDATE")
        expectError(.busy) { _ = try session.fetch(plan(.noWait)) }
        let taken = "SELECT count(*) FROM (SELECT 1 FROM thing FOR UPDATE SKIP LOCKED) AS free"
        #expect(try other.integer(taken) == 2)
        session.rollback()
        #expect(try other.integer(taken) == 3)
        try other.execute("COMMIT")
    }

    @Test func `A fetch that waited for a lock returns the current values`() throws {
        try other.execute("BEGIN; UPDATE thing SET name = 'other', _version = 7 WHERE _id = 2")
        let session = try write()
        let process = session.connection.process
        let errand = Errand(other) { other in
            _ = try? eventually {
                try other.integer(
                    "SELECT count(*) FROM pg_stat_activity WHERE pid = \(process.pid) AND wait_event_type = 'Lock'"
                ) == 1
            }
            try? other.execute("COMMIT")
        }
        errand.start()
        let rows = try session.fetch(plan(.untilTimeout))
        #expect(rows.value(0, at: 1) == .string("other"))
        #expect(rows.version(at: 1) == 7)
        _ = try session.commit()
    }

    @Test func `A block that locks rows changed since its snapshot is retried`() async throws {
        let configuration = try TestServer.freshConfiguration()
        let store = try Store(
            coordinator: PostgresCoordinator(model: ObjectModel([Piece.self]), configuration))
        try await store.write("fill") { context in _ = Piece(in: context, batch: 1, part: 1) }
        let change = "UPDATE piece SET part = part + 10, _version = _version + 1"
        for locksIdentifiers in [false, true] {
            let runs = Guarded(0)
            let parts = try await store.write("lock") { context in
                let piece = try #require(try context.fetch(Piece.self).first)
                let found = piece.part
                let isFirst = runs.withLock { runs in
                    runs += 1
                    return runs == 1
                }
                if isFirst { try otherProgram(configuration).execute(change) }
                if locksIdentifiers {
                    #expect(try context.fetchIDs(FetchRequest<Piece>(lock: .update)) == [piece.objectID])
                } else {
                    #expect(try context.fetch(Piece.self, lock: .update).first === piece)
                }
                piece.part += 1
                return (found: found, left: piece.part)
            }
            #expect(runs.withLock { $0 } == 2)
            #expect(parts == (locksIdentifiers ? (22, 23) : (11, 12)))
        }
        // A write that must not be retried gets the error, with a lock and without.
        for lock in [nil, RowLock.update] {
            let error = await #expect(throws: StoreError.self) {
                try await store.write("once", retries: 0) { context in
                    let piece = try #require(try context.fetch(Piece.self).first)
                    try otherProgram(configuration).execute(change)
                    if let lock { _ = try context.fetch(Piece.self, lock: lock) }
                    piece.part += 1
                }
            }
            #expect(error?.code == .contention)
        }
        await store.close()
    }

    @Test(.timeLimit(.minutes(20)))
    func `The lock timeout applies to all rows together`() throws {
        let others = try (1...3).map { key in
            let other = try otherProgram(things.coordinator.store.configuration)
            try other.execute("BEGIN; SELECT * FROM thing WHERE _id = \(key) FOR UPDATE")
            return Errand(other) { other in
                // The other session holds the row for most of the total timeout.
                let waiting =
                    "SELECT count(*) FROM pg_stat_activity WHERE pg_backend_pid() = ANY(pg_blocking_pids(pid))"
                _ = try? eventually { try other.integer(waiting) == 1 }
                Thread.sleep(.milliseconds(900))
                try? other.execute("COMMIT")
            }
        }
        for other in others { other.start() }
        let session = try write()
        defer { session.end() }
        expectError(.busy) { _ = try session.fetch(plan(.wait(.milliseconds(1100)))) }
        #expect(try session.connection.run("SHOW statement_timeout").text(0, 0) == "5min")
        #expect(try session.connection.run("SHOW lock_timeout").text(0, 0) == "30s")
        #expect(try keys(session.fetch(plan(.wait(.seconds(30))))) == [1, 2, 3])
        #expect(try session.connection.run("SHOW statement_timeout").text(0, 0) == "5min")
    }

    /// Creates a store with two parcels in an open crate, and one in a sealed crate.
    private func makeParcels() async throws -> (PostgresConfiguration, Store) {
        let configuration = try TestServer.freshConfiguration()
        let store = try Store(
            coordinator: PostgresCoordinator(model: ObjectModel([Crate.self, Parcel.self]), configuration))
        try await store.write("fill") { context in
            let (open, closed) = (Crate(in: context, sealedBy: nil), Crate(in: context, sealedBy: 7))
            _ = (Parcel(in: context, number: 1, crate: open), Parcel(in: context, number: 2, crate: open))
            _ = Parcel(in: context, number: 3, crate: closed)
        }
        return (configuration, store)
    }

    @Test(.timeLimit(.minutes(20)))
    func `The lock timeout applies to all snapshots of a fetch together`() async throws {
        let (configuration, store) = try await makeParcels()
        // The first parcel no longer matches after the wait; then the query waits for the second one.
        let moving =
            "UPDATE parcel SET crate_id = (SELECT _id FROM crate WHERE sealed_by = 7), _version = _version + 1"
        for statement in ["\(moving) WHERE number = 1", "SELECT * FROM parcel WHERE number = 2 FOR UPDATE"] {
            let other = try otherProgram(configuration)
            try other.execute("BEGIN; \(statement)")
            Errand(other) { other in
                let waiting =
                    "SELECT count(*) FROM pg_stat_activity WHERE pg_backend_pid() = ANY(pg_blocking_pids(pid))"
                _ = try? eventually { try other.integer(waiting) == 1 }
                Thread.sleep(.milliseconds(900))
                try? other.execute("COMMIT")
            }.start()
        }
        let error = await #expect(throws: StoreError.self) {
            try await store.write("lock") { context in
                _ = try context.fetch(
                    Parcel.self, where: \.crate?.sealedBy == nil, order: .ascending(\.number), limit: 1,
                    lock: .update, wait: .wait(.milliseconds(1100)))
            }
        }
        #expect(error?.code == .busy)
        await store.close()
    }

    @Test func `A slow fetch is not reported as a lock timeout`() throws {
        try other.execute(
            """
            ALTER TABLE thing RENAME TO slow_thing; \
            CREATE VIEW thing AS SELECT * FROM slow_thing WHERE (pg_sleep(0.5) IS NULL) IS NOT NULL
            """)
        let session = try write()
        defer { session.end() }
        #expect(try keys(session.fetch(plan(.wait(.milliseconds(100))))) == [1, 2, 3])
        #expect(try session.connection.run("SHOW statement_timeout").text(0, 0) == "5min")
        #expect(try session.connection.run("SHOW lock_timeout").text(0, 0) == "30s")
    }

    @Test(.timeLimit(.minutes(20)), arguments: [LockWait.untilTimeout, .wait(.seconds(30))])
    func `A predicate over a relationship is evaluated after waiting for the lock`(_ wait: LockWait)
        async throws
    {
        let (configuration, store) = try await makeParcels()
        let other = try otherProgram(configuration)
        try other.execute(
            """
            BEGIN; UPDATE parcel SET crate_id = (SELECT _id FROM crate WHERE sealed_by = 7), _version = _version + 1 \
            WHERE number = 1
            """)
        Errand(other) { other in
            let waiting =
                "SELECT count(*) FROM pg_stat_activity WHERE pg_backend_pid() = ANY(pg_blocking_pids(pid))"
            _ = try? eventually { try other.integer(waiting) == 1 }
            try? other.execute("COMMIT")
        }.start()
        let numbers = try await store.write("lock") { context in
            try context.fetch(
                Parcel.self, where: \.crate?.sealedBy == nil, order: .ascending(\.number), limit: 1,
                lock: .update, wait: wait
            ).map(\.number)
        }
        // Parcel 1 is in a sealed crate by then.
        #expect(numbers == [2])
        await store.close()
    }

    @Test(.timeLimit(.minutes(20)))
    func `A fetch without waiting fails if the table is locked`() throws {
        var configuration = try TestServer.freshConfiguration()
        configuration.timeout = .seconds(600)
        let things = try ServerThings(configuration)
        try things.save(1)
        let other = try otherProgram(configuration)
        try other.execute("BEGIN; LOCK TABLE thing IN ACCESS EXCLUSIVE MODE")
        let session = try PostgresWriteSession(
            things.coordinator.store, SessionOptions(identifier: "write"))
        expectError(.busy) { _ = try session.fetch(plan(.noWait)) }
        try other.execute("COMMIT")
        #expect(try keys(session.fetch(plan(.noWait))) == [1])
        #expect(try session.connection.run("SHOW lock_timeout").text(0, 0) == "10min")
        session.end()
        things.coordinator.close()
    }

    @Test func `Lock timeouts of any length are accepted`() throws {
        let session = try write()
        defer { session.end() }
        for seconds in [Int64.min, -1, 0, .max] {
            #expect(try keys(session.fetch(plan(.wait(.seconds(seconds))))) == [1, 2, 3])
        }
    }

    @Test func `Unreadable rows leave no lock timeout behind`() throws {
        let configuration = try TestServer.freshConfiguration()
        let amount = AttributeDescription("amount", .decimal(precision: 18, scale: 2))
        let price = EntityDescription("Price", attributes: [amount])
        let coordinator = try PostgresCoordinator(model: ObjectModel(entities: [price]), configuration)
        try otherProgram(configuration).execute(
            """
            ALTER TABLE price ALTER COLUMN amount TYPE numeric; \
            INSERT INTO price (_id, _version, amount) VALUES (1, 1, 1e200)
            """)
        let session = try PostgresWriteSession(coordinator.store, SessionOptions(identifier: "write"))
        expectError(.corrupt) { _ = try session.fetch(plan(.wait(.milliseconds(30)))) }
        #expect(try session.connection.run("SHOW lock_timeout").text(0, 0) == "30s")
        session.end()
        coordinator.close()
    }

    @Test func `Workers with and without this library take each job of a queue once`() async throws {
        let configuration = try TestServer.freshConfiguration()
        let stores = try (0..<3).map { _ in
            try Store(coordinator: PostgresCoordinator(model: ObjectModel([Piece.self]), configuration))
        }
        let count = 60
        try await stores[0].write("fill") { context in
            for number in 0..<count { _ = Piece(in: context, batch: 0, part: number) }
        }
        let taken = try await withThrowingTaskGroup(of: [Int].self) { group in
            for (worker, store) in stores.enumerated() {
                group.addTask { try await Self.work(on: store, worker + 1) }
            }
            for worker in [8, 9] {
                group.addTask {
                    try await OwnThread.run { try Self.work(by: otherProgram(configuration), worker) }
                }
            }
            return try await group.reduce([], +)
        }
        #expect(taken.sorted() == Array(0..<count))
        for store in stores { await store.close() }
    }

    private static func work(on store: Store, _ worker: Int) async throws -> [Int] {
        var taken: [Int] = []
        while true {
            let part = try await store.write("take") { context -> Int? in
                let job = try context.fetch(
                    Piece.self, where: \.batch == 0, order: .ascending(\.part), limit: 1, lock: .update,
                    wait: .skipLocked
                ).first
                job?.batch = worker
                return job?.part
            }
            guard let part else { return taken }
            taken.append(part)
        }
    }

    private static func work(by connection: PostgresConnection, _ worker: Int) throws -> [Int] {
        var taken: [Int] = []
        while true {
            let part = try connection.integer(
                """
                UPDATE piece SET batch = \(worker), _version = _version + 1 WHERE _id = (\
                SELECT _id FROM piece WHERE batch = 0 ORDER BY part LIMIT 1 FOR UPDATE SKIP LOCKED) RETURNING part
                """)
            guard let part else { return taken }
            taken.append(Int(part))
        }
    }
}

@Entity final class Crate: ManagedObject {
    var sealedBy: Int?
    @Relationship(inverse: \Parcel.crate) var parcels: Set<Parcel>
}

@Entity final class Parcel: ManagedObject {
    var number: Int = 0
    var crate: Crate?
}
#endif
