#if Postgres
import ContextCore
import Foundation
import Testing

@testable import PostgresBackend

/// Streamed rows of a query, and interruptions of the stream.
@Suite(.enabled(if: TestServer.isExpected))
struct RowFlowTests {
    private let store: InjuredStore

    init() throws { store = try InjuredStore { $0.timeout = .seconds(4) } }

    /// Returns a query for numbers in rows that are large enough for the server to send each at once.
    private func numbers(_ count: Int, _ number: String = "n", pause: Double = 0) -> String {
        """
        SELECT (\(number))::bigint, repeat('x', 9000) FROM generate_series(1, \(count)) AS n, \
        LATERAL (SELECT pg_sleep(\(pause) * (n > 1)::int)) AS pause
        """
    }

    private func sum(
        _ query: String, on connection: PostgresConnection,
        _ look: (Int64) throws(StoreError) -> Void = { _ throws(StoreError) in }
    ) throws(StoreError) -> Int64 {
        var sum: Int64 = 0
        try connection.copy(rowsOf: query, width: 2) { row throws(StoreError) in
            let number = PostgresBytes.integer(row.value(0))
            sum += number
            try look(number)
        }
        return sum
    }

    @Test func `Rows are streamed one by one, and can be requested repeatedly`() throws {
        let session = try store.read()
        defer { session.end() }
        let connection = session.reader.connection
        for count in [0, 1, 500] {
            #expect(try sum(numbers(count), on: connection) == Int64(count * (count + 1) / 2))
        }
        #expect(try connection.integer("SELECT 7") == 7)
    }

    @Test func `A server error before or among the rows is thrown, and can be rolled back`() throws {
        let session = try store.write()
        defer { session.end() }
        let connection = session.connection
        #expect(try session.apply(store.insertion(1)).conflicts.isEmpty)
        for query in ["SELECT nothing", numbers(300, "1 / (200 - n)")] {
            try connection.execute("SAVEPOINT before")
            #expect(throws: StoreError.self) { _ = try sum(query, on: connection) }
            try connection.execute("ROLLBACK TO before")
            #expect(try sum(numbers(3), on: connection) == 6)
        }
        _ = try session.commit()
        #expect(try store.keys() == [1])
    }

    @Test func `An invalid value is an error after all rows, and the transaction continues`() throws {
        let session = try store.write()
        defer { session.end() }
        #expect(try session.apply(store.insertion(1)).conflicts.isEmpty)
        var seen = 0
        expectError(.corrupt) {
            _ = try sum(numbers(500), on: session.connection) { number throws(StoreError) in
                seen += 1
                if number == 7 { throw StoreError(.corrupt, "Seven.", remedy: "Eight.") }
            }
        }
        #expect(seen == 7)
        _ = try session.commit()
        #expect(try store.keys() == [1])
    }

    @Test func `A wrong number of values is rejected, and the connection is discarded`() throws {
        let session = try store.read()
        let connection = session.reader.connection
        expectError(.database) {
            try connection.copy(rowsOf: numbers(5), width: 3) { _ throws(StoreError) in }
        }
        #expect(!connection.isAlive)
        session.end()
        try store.expectFullPool()
    }

    @Test func `A cancelled task stops streaming, and leaves the pool unchanged`() async throws {
        let coordinator = store.coordinator
        let query = numbers(10_000, pause: 0.05)
        let task = Task.detached {
            let session = try PostgresReadSession(coordinator.store, SessionOptions(identifier: "patient"))
            defer { session.end() }
            try session.reader.connection.copy(rowsOf: query, width: 2) { _ throws(StoreError) in
                withUnsafeCurrentTask { $0?.cancel() }
            }
        }
        let result = await task.result
        let error = try #require(throws: StoreError.self) { try result.get() }
        #expect(error.code == .cancelled)
        expectDecency(of: error)
        try store.expectFullPool()
    }

    @Test func `A cancellation is sent once, however many rows are on their way`() async throws {
        let (coordinator, proxy) = (store.coordinator, store.proxy)
        let query = numbers(20_000)
        let task = Task.detached {
            let session = try PostgresReadSession(coordinator.store, SessionOptions(identifier: "hasty"))
            defer { session.end() }
            let before = proxy.connectionCount
            defer { #expect(proxy.connectionCount - before <= 3) }
            try session.reader.connection.copy(rowsOf: query, width: 2) { _ throws(StoreError) in
                withUnsafeCurrentTask { $0?.cancel() }
            }
        }
        let result = await task.result
        let error = try #require(throws: StoreError.self) { try result.get() }
        #expect(error.code == .cancelled)
        try store.expectFullPool()
    }

    @Test func `Errors show a query without its values`() throws {
        let session = try store.read()
        defer { session.end() }
        let error = try #require(throws: StoreError.self) {
            try session.reader.connection.copy(
                rowsOf: "SELECT 1 / 0 AS secret", width: 1, called: "SELECT $1"
            ) { _ throws(StoreError) in }
        }
        let detail = try #require(error.detail)
        #expect(detail.contains("SELECT $1") && !"\(error) \(detail)".contains("secret"))
        expectDecency(of: error)
    }

    /// The server process is active as long as it can't send the rest.
    @Test(.timeLimit(.minutes(20)))
    func `A result that stalls is given up, although the server has more of it`() throws {
        let session = try store.read()
        let process = session.reader.connection.process
        expectError(.connectionLost) {
            _ = try sum(numbers(30_000), on: session.reader.connection) { number throws(StoreError) in
                if number == 2 { store.proxy.arm(.silence) }
            }
        }
        session.end()
        #expect(store.proxy.faultCount == 1)
        #expect(try eventually { try !store.isThere(process) })
        try store.expectFullPool()
    }

    @Test func `A server that hangs among the rows is given up, and one that pauses is not`() throws {
        let session = try store.read()
        #expect(try sum(numbers(2, pause: 6), on: session.reader.connection) == 3)
        expectError(.connectionLost) {
            _ = try sum(numbers(200, pause: 0.01), on: session.reader.connection) {
                number throws(StoreError) in
                if number == 2 { store.proxy.arm(.silence) }
            }
        }
        session.end()
        #expect(store.proxy.faultCount == 1)
        try store.expectFullPool()
    }
}
#endif
