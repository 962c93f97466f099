#if Postgres
import ChildProcesses
import ContextCore
import Foundation
import SQLStore
import Testing

@testable import PostgresBackend

@Entity final class Meter: ManagedObject {
    @Attribute(.unique) var number: Int
    var value: Int
}

/// A reading that each save adds for the meter that it changes.
@Entity final class Reading: ManagedObject {
    var meter: Int
    var value: Int
}

/// Followers of a store with many writers, whose transactions become visible in another order than that of their numbers.
///
/// `STORE_HISTORY_SAVES` is the number of saves of each of the 32 writers.
@Suite(.enabled(if: TestServer.isExpected))
struct HistoryFollowingTests {
    private let configuration: PostgresConfiguration
    private let model: ObjectModel

    init() throws {
        var configuration = try TestServer.freshConfiguration()
        configuration.connections = 10
        self.configuration = configuration
        model = try ObjectModel([Meter.self, Reading.self])
    }

    private func open() throws -> Store {
        try Store(
            coordinator: PostgresCoordinator(model: model, configuration),
            options: StoreOptions(writes: .concurrent(limit: 8)))
    }

    private func read(_ history: [StoreTransaction]) -> [Int64] {
        history.flatMap(\.changes).filter { $0.objectID.entityName == "Reading" }.map(\.objectID.key)
    }

    // MARK: A missing number

    /// Makes transactions of the author “slow” wait between their history record and their commit, as long as a lock is held.
    private func slowDown(_ connection: PostgresConnection, lock: Int64) throws {
        let schema = configuration.quotedSchema
        try connection.execute(
            """
            CREATE FUNCTION \(schema).wait_a_little() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN \
            IF NEW.author = 'slow' THEN PERFORM pg_advisory_xact_lock(\(lock)); END IF; RETURN NULL; END $$; \
            CREATE TRIGGER wait_a_little AFTER INSERT ON \(configuration.stored(StoreNames.history)) \
            FOR EACH ROW EXECUTE FUNCTION \(schema).wait_a_little(); SELECT pg_advisory_lock(\(lock))
            """)
    }

    private func add(_ value: Int, to store: Store, author: String? = nil) async throws {
        try await store.write { context in
            context.author = author
            _ = try context.count(Meter.self)
            _ = Reading(in: context, meter: 0, value: value)
        }
    }

    @Test func `A save with a higher number waits in the history for a commit in progress`() async throws {
        let (store, other) = (try open(), try open())
        var changes = store.changes.makeAsyncIterator()
        var others = other.changes.makeAsyncIterator()
        try await add(1, to: store)
        let first = try #require(await changes.next())
        #expect(await others.next()?.token == first.token)

        let connection = try otherProgram(configuration)
        let lock = Int64.random(in: 1...Int64.max)
        try slowDown(connection, lock: lock)
        let slow = Task { try await add(2, to: store, author: "slow") }
        let isWaiting = """
            SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted \
            AND (classid::int8 << 32) | objid::int8 = \(lock)
            """
        // The waiting task needs one of the threads that the tests share.
        var isHeld = false
        for _ in 0..<6000 where !isHeld {
            try await Task.sleep(for: .milliseconds(10))
            isHeld = try connection.integer(isWaiting) ?? 0 > 0
        }
        #expect(isHeld)
        try await add(3, to: store)

        // The process itself reports its save at once, and resumes after a restart from before the save in progress.
        let early = try #require(await changes.next())
        #expect(early.inserted.count == 1 && early.token == first.token)
        #expect(try await store.history(after: first.token).isEmpty)
        #expect(try await other.history().count == 1)
        #expect(try await store.read { try $0.count(Reading.self) } == 2)

        let inspector = try PostgresInspector(configuration)
        let examination = try inspector.examine().first { $0.name == "history" }
        #expect(
            examination?.finding.hasPrefix(
                "Number 2 is missing, and readers of the history wait for it. Server process ")
                == true)

        try connection.execute("SELECT pg_advisory_unlock(\(lock))")
        try await slow.value
        #expect(try inspector.examine().first { $0.name == "history" }?.finding == "no number is missing")
        let late = try #require(await changes.next())
        #expect(late.inserted.count == 1 && late.token.sequence == first.token.sequence + 2)
        let history = try await store.history(after: first.token)
        #expect(history.map(\.author) == ["slow", nil])
        #expect(history.last?.token == late.token)
        #expect(await others.next()?.author == "slow")
        #expect(await others.next()?.inserted == early.inserted)
        await store.close()
        await other.close()
    }

    /// Consumes numbers as failed transactions do.
    private func loseNumbers(_ count: Int, _ connection: PostgresConnection) throws {
        for _ in 0..<count { try connection.execute("SELECT nextval('\(PostgresNames.historySequence)')") }
    }

    @Test func `The number of a failed transaction doesn't block followers for long`() async throws {
        let (store, other) = (try open(), try open())
        var others = other.changes.makeAsyncIterator()
        try await add(1, to: store)
        let first = try #require(await others.next())
        let connection = try otherProgram(configuration)
        try loseNumbers(3, connection)
        try await add(2, to: store)
        // A follower that doesn't write consumes the numbers in the end.
        let heard = try #require(await others.next())
        #expect(
            heard.isComplete && heard.inserted.count == 1 && heard.token.sequence == first.token.sequence + 4)
        #expect(try await store.history(after: first.token).count == 1)
        await store.close()
        await other.close()
    }

    @Test func `A transaction whose number was filled is committed with another number`() async throws {
        let store = try open()
        try await add(1, to: store)
        let history = configuration.stored(StoreNames.history)
        let connection = try otherProgram(configuration)
        try connection.execute(
            """
            INSERT INTO \(history) ("sequence", "mark", "date") \
            SELECT last_value + 1, 0, now() FROM \(configuration.stored(PostgresNames.historySequence))
            """)
        try await add(2, to: store)
        try await store.write { _ = Reading(in: $0, meter: 0, value: 3) }
        #expect(try await store.history().count == 3)
        #expect(try await store.read { try $0.count(Reading.self) } == 3)
        await store.close()
    }

    @Test func `A commit that fails is not repeated without its transaction`() async throws {
        let store = try open()
        let connection = try otherProgram(configuration)
        try connection.execute(
            "ALTER TABLE reading ADD CONSTRAINT mine UNIQUE (value) DEFERRABLE INITIALLY DEFERRED")
        try await add(1, to: store)
        await #expect(throws: StoreError.self) { try await add(1, to: store) }
        #expect(try await store.history().count == 1)
        #expect(try await store.read { try $0.count(Reading.self) } == 1)
        await store.close()
    }

    @Test func `Serializable writers fill the numbers of failed transactions`() async throws {
        let (store, other) = (try open(), try open())
        let first = try await store.write(isolation: .serializable) { context in
            Reading(in: context, meter: 0, value: 1).objectID
        }
        #expect(first.entityName == "Reading")
        let connection = try otherProgram(configuration)
        try loseNumbers(3, connection)
        let empty = "SELECT count(*) FROM \(configuration.stored(StoreNames.history)) WHERE \"mark\" = 0"
        var saves = 1
        // No other process reads the history in the meantime.
        while try connection.integer(empty) != 3, saves < 10_000 {
            try await store.write(isolation: .serializable) { context in
                _ = Reading(in: context, meter: 0, value: 2)
                _ = try context.count(Meter.self)
            }
            saves += 1
        }
        #expect(try await other.history().count == saves)
        await store.close()
        await other.close()
    }

    @Test func `A new connection doesn't scan a long history`() async throws {
        let store = try open()
        try await add(1, to: store)
        let history = configuration.stored(StoreNames.history)
        let connection = try otherProgram(configuration)
        try connection.execute(
            """
            INSERT INTO \(history) ("sequence", "mark", "date") SELECT nextval('\(PostgresNames.historySequence)'), 0, now() \
            FROM generate_series(1, 25000)
            """)
        #expect(try await store.read { try $0.count(Reading.self) } == 1)
        try await add(2, to: store)
        #expect(try await store.history().last?.token.sequence == 25_002)
        let noted = """
            SELECT "value"::int8 FROM \(configuration.stored(StoreNames.metadata)) \
            WHERE "name" = '\(PostgresNames.gaplessHistoryEnd)'
            """
        #expect(try connection.integer(noted) ?? 0 >= 25_001)
        await store.close()
    }

    // MARK: Many writers

    @Test func `Each follower of 32 writers gets each save once, in the order of versions`() async throws {
        let saves = Effort.count("STORE_HISTORY_SAVES", otherwise: 12)
        let stores = try (0..<4).map { _ in try open() }
        try await stores[0].write { context in
            for number in 0..<8 { _ = Meter(in: context, number: number, value: 0) }
        }
        let start = try #require(try await stores[0].history().last?.token)
        let connection = try otherProgram(configuration)
        try disturb(connection)
        let isOver = Guarded(false)
        // On a separate thread, so that it reads often.
        let naive = Task { try await onThread { try followNaively(after: start.sequence, until: isOver) } }
        let listening = stores[3].changes
        let heard = Task<[Int64], any Error> { await collectChanges(listening, saves * 32) }
        let followers = (0..<8).map { number in
            Task { try await follow(stores[number % 4], after: start, saves * 32) }
        }
        try await withThrowingTaskGroup { group in
            for writer in 0..<32 {
                group.addTask {
                    for save in 0..<saves { try await move((writer + save) % 8, stores[writer % 4]) }
                }
            }
            try await group.waitForAll()
        }
        isOver.withLock { $0 = true }
        let readings = try await stores[0].read { context in
            Dictionary(
                uniqueKeysWithValues: try context.fetch(Reading.self).map {
                    ($0.objectID.key, ($0.meter, $0.value))
                })
        }
        #expect(readings.count == saves * 32)
        for follower in followers + [heard] {
            let keys = try await follower.value
            #expect(keys.count == readings.count && Set(keys) == Set(readings.keys))
            let values = Dictionary(grouping: keys.compactMap { readings[$0] }, by: \.0).mapValues {
                $0.map(\.1)
            }
            for (meter, values) in values { #expect(values == Array(1...values.count), "meter \(meter)") }
        }
        // A follower that resumes after the last visible number misses something: a check of the test itself.
        let missed = readings.count - Set(try await naive.value).count
        #expect(missed > 0)
        print("A naive follower of \(readings.count) saves missed \(missed)")
        for store in stores { await store.close() }
    }

    /// Delays transactions between their history records and their commits, and makes some fail there.
    private func disturb(_ connection: PostgresConnection) throws {
        let (schema, history) = (configuration.quotedSchema, configuration.stored(StoreNames.history))
        try connection.execute(
            """
            CREATE FUNCTION \(schema).disturb() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN \
            PERFORM pg_sleep(random() * random() * 0.03); IF random() < 0.05 THEN \
            RAISE EXCEPTION 'disturbed' USING ERRCODE = '40001'; END IF; RETURN NULL; END $$; \
            CREATE CONSTRAINT TRIGGER disturb AFTER INSERT ON \(history) DEFERRABLE INITIALLY DEFERRED \
            FOR EACH ROW WHEN (NEW.mark <> 0) EXECUTE FUNCTION \(schema).disturb()
            """)
    }

    private func move(_ number: Int, _ store: Store) async throws {
        try await store.write(retries: 1000) { context in
            guard let meter = try context.fetch(Meter.self, where: \.number == number).first else { return }
            meter.value += 1
            _ = Reading(in: context, meter: number, value: meter.value)
        }
    }

    private func follow(_ store: Store, after start: StoreToken, _ count: Int) async throws -> [Int64] {
        var (last, keys) = (start, [Int64]())
        while keys.count < count {
            let history = try await store.history(after: last)
            keys += read(history)
            last = history.last?.token ?? last
            try await Task.sleep(for: .milliseconds(5))
        }
        return keys
    }

    /// Returns the changes in the order of the stream.
    private func collectChanges(_ changes: StoreChanges, _ count: Int) async -> [Int64] {
        var keys: [Int64] = []
        for await change in changes {
            keys += change.inserted.filter { $0.entityName == "Reading" }.map(\.key)
            if keys.count >= count { break }
        }
        return keys
    }

    /// Follows the history by the last visible number.
    private func followNaively(after start: Int64, until isOver: Guarded<Bool>) throws -> [Int64] {
        let connection = try otherProgram(configuration)
        var (last, numbers) = (start, [Int64]())
        while true {
            let isLast = isOver.withLock { $0 }
            let lines = try connection.run(
                """
                SELECT "sequence" FROM \(configuration.stored(StoreNames.history)) WHERE "sequence" > \(last) AND "mark" <> 0 \
                ORDER BY "sequence"
                """, usesPreparedStatement: false)
            numbers += (0..<lines.count).map { lines.integer($0, 0) }
            last = numbers.last ?? last
            if isLast { return numbers }
            Thread.sleep(forTimeInterval: 0.001)
        }
    }
}
#endif
