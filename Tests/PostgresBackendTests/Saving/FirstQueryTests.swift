#if Postgres
import ContextCore
import Foundation
import Testing

@testable import PostgresBackend

/// Write transactions that begin in the round trip of their first query.
@Suite(.enabled(if: TestServer.isExpected))
struct FirstQueryTests {
    private let store: InjuredStore

    init() throws {
        store = try InjuredStore { $0.timeout = .seconds(1) }
        try store.save(1)
        // Only a connection that has read the history before can begin in this way.
        try readRow()
    }

    /// Reads a row in a session whose transaction begins with that query, and returns the session.
    @discardableResult
    private func readRow() throws -> PostgresWriteSession {
        let session = try store.lateSession()
        #expect(try session.rows([1], entityIndex: 0).count == 1)
        return session
    }

    /// Calls a function with the idle connection of the pool.
    private func withConnection<Answer>(_ body: (PostgresConnection) throws -> Answer) throws -> Answer {
        let pool = store.coordinator.store.pool
        let connection = try pool.borrow(for: "a test")
        defer { pool.returnConnection(connection) }
        return try body(connection)
    }

    @Test func `A block that reads a row and changes it takes two round trips`() throws {
        for version in Int64(1)...3 {
            let before = try withConnection(\.roundTrips)
            let session = try readRow()
            #expect(try session.commit(applying: store.update(1, from: version)) != nil)
            // The first round prepares the statements.
            if version > 1 { #expect(try withConnection(\.roundTrips) == before + 2) }
        }
        try store.expectFullPool()
    }

    @Test func `A transaction knows the numbers after a gap`() throws {
        let end = try readRow().token.sequence
        try store.execute(
            """
            INSERT INTO "_store_history" ("sequence", "mark", "date") VALUES (\(end + 1), 0, now()), (\(end + 3), 0, now())
            """)
        let session = try readRow()
        #expect(session.token.sequence == end + 1)
        #expect(session.transactionsAfterGap.map(\.sequence) == [end + 3])
    }

    @Test func `A transaction finds the end of a history whose last known record was pruned`() throws {
        let end = try readRow().token.sequence
        try store.execute(
            """
            INSERT INTO "_store_history" ("sequence", "mark", "date") VALUES (\(end + 1), 0, now()); \
            DELETE FROM "_store_history" WHERE "sequence" <= \(end)
            """)
        #expect(try readRow().token.sequence == end + 1)
        #expect(try readRow().token.sequence == end + 1)
    }

    @Test func `A transaction finds more records than its query reads`() throws {
        let end = try readRow().token.sequence
        let count = HistoryEndQuery.maximumRecords + 50
        try store.execute(
            """
            INSERT INTO "_store_history" ("sequence", "mark", "date") \
            SELECT n, 0, now() FROM generate_series(\(end + 1), \(end + count)) AS n
            """)
        let before = try withConnection(\.roundTrips)
        let session = try readRow()
        #expect(session.token.sequence == end + count)
        // The rest is read by a longer query, until nothing is left; the row is not fetched again.
        #expect(session.connection.roundTrips == before + 3)
    }

    @Test func `A store that was replaced by another one is not read`() throws {
        try store.execute(
            "UPDATE \"_store_metadata\" SET \"value\" = '\(UUID().uuidString)' WHERE \"name\" = 'store_id'")
        expectError(.storeMoved) { try readRow() }
        try store.execute("DROP TABLE \"_store_models\" CASCADE")
        expectError(.storeMoved) { try readRow() }
    }

    @Test(arguments: ["bytea USING 'x'::bytea", "int2 USING 1", "int8[] USING ARRAY[1, 2, 3]"])
    func `A store that another program has migrated is not read`(type: String) throws {
        try store.execute(
            """
            UPDATE "_store_models" SET "fingerprint" = 'another'; ALTER TABLE "thing" ALTER COLUMN "name" TYPE \(type)
            """)
        expectError(.modelMismatch) { try readRow() }
        // On a connection that has not prepared the statement.
        try withConnection { $0.markBroken() }
        expectError(.modelMismatch) { try readRow() }
    }

    @Test func `A connection that the server has closed is replaced`() throws {
        try store.terminate(withConnection(\.process))
        let session = try readRow()
        _ = try session.apply(store.update(1, from: 1))
        _ = try session.commit()
        try store.expectFullPool()
    }

    @Test func `A first query whose lock wait times out leaves no transaction open`() throws {
        let other = try otherProgram(store.direct)
        try other.execute("BEGIN; LOCK TABLE \"thing\" IN ACCESS EXCLUSIVE MODE")
        let session = try store.lateSession()
        expectError(.busy) { _ = try session.rows([1], entityIndex: 0) }
        try other.execute("ROLLBACK")
        #expect(store.coordinator.connectionReport.holders.isEmpty)
        #expect(try session.rows([1], entityIndex: 0).count == 1)
        _ = try session.commit()
        try store.expectFullPool()
    }

    @Test func `A first query that is expected to be large doesn't decode rows of another model`() throws {
        store.coordinator.store.resultSizes.record(100_000, of: .all(entityIndex: 0))
        try store.execute(
            """
            UPDATE "_store_models" SET "fingerprint" = 'another'; ALTER TABLE "thing" ALTER COLUMN "name" TYPE int2 USING 1
            """)
        let session = try store.lateSession()
        expectError(.modelMismatch) { _ = try session.fetch(FetchPlan(entityIndex: 0)) }
    }

    @Test func `A first query that waits for a migration names the process that holds the lock`() throws {
        let other = try otherProgram(store.direct)
        try other.execute("BEGIN; LOCK TABLE \"_store_history\" IN SHARE ROW EXCLUSIVE MODE")
        let session = try store.lateSession()
        let error = expectError(.busy) { _ = try session.rows([1], entityIndex: 0) }
        #expect(error?.message.contains("The lock is held by server process \(other.process.pid)") == true)
        try other.execute("ROLLBACK")
        #expect(try session.rows([1], entityIndex: 0).count == 1)
    }
}
#endif
