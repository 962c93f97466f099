#if Postgres
import ContextCore
import Testing

@testable import PostgresBackend

/// Prepared statements that the server has discarded or can't use any more.
@Suite(.enabled(if: TestServer.isExpected))
struct StalePlanTests {
    private let things: ServerThings
    private let other: PostgresConnection
    private let plan = FetchPlan(entityIndex: 0)

    init() throws {
        let configuration = try TestServer.freshConfiguration()
        things = try ServerThings(configuration)
        try things.save(1)
        other = try otherProgram(configuration)
    }

    /// Prepares the statements, and returns the server process of their idle connection.
    private func prepare() throws -> ServerProcess {
        let session = try things.read()
        defer { session.end() }
        #expect(try session.fetch(plan).count == 1)
        #expect(try session.rows([1], entityIndex: 0).count == 1)
        return session.reader.connection.process
    }

    /// Changes the result type of a fetch, so that the server refuses to run the prepared statement.
    private func alter() throws { try other.execute("ALTER TABLE thing ALTER COLUMN name TYPE varchar") }

    @Test func `A read works after its tables were changed since its statements were prepared`() throws {
        let process = try prepare()
        try alter()
        let session = try things.read()
        defer { session.end() }
        #expect(session.reader.connection.process == process)
        #expect(try session.fetch(plan).value(0, at: 0) == .string("new"))
        #expect(try session.rows([1], entityIndex: 0).count == 1)
    }

    @Test func `A write works too, and its earlier changes stay`() throws {
        let process = try prepare()
        try alter()
        let session = try PostgresWriteSession(
            things.coordinator.store, SessionOptions(identifier: "write"))
        #expect(session.connection.process == process)
        #expect(try session.apply(things.insertion(2)).conflicts.isEmpty)
        #expect(try session.fetch(plan).count == 2)
        _ = try session.commit()
        #expect(try things.keys() == [1, 2])
    }

    @Test(arguments: [WriteIsolation.snapshot, .serializable])
    func `A connection that exceeds its limit of prepared statements works as before`(
        _ isolation: WriteIsolation
    ) throws {
        var configuration = try TestServer.freshConfiguration()
        configuration.isolation = isolation
        let things = try ServerThings(configuration)
        for round in 0..<5 {
            let session = try things.read()
            for number in 0..<100 {
                try session.reader.connection.sendInPipeline("SELECT \(round), \(number)")
            }
            try session.reader.connection.collect()
            session.end()
            try things.save(Int64(round + 1))
        }
        #expect(try things.keys() == [1, 2, 3, 4, 5])
        things.coordinator.close()
    }

    private func write() throws -> PostgresWriteSession {
        try PostgresWriteSession(things.coordinator.store, SessionOptions(identifier: "write"))
    }

    @Test func `A batch works too, and the block continues`() throws {
        let batch = BatchPlan(entityIndex: 0, operation: .delete)
        let first = try write()
        let process = first.connection.process
        #expect(try first.perform(batch).changes.count == 1)
        first.rollback()
        let session = try write()
        #expect(session.connection.process == process)
        #expect(try session.apply(things.insertion(2)).conflicts.isEmpty)
        try session.connection.execute("DEALLOCATE ALL")
        #expect(try session.perform(batch).changes.count == 2)
        #expect(try session.apply(things.insertion(3)).conflicts.isEmpty)
        _ = try session.commit()
        #expect(try things.keys() == [3])
    }

    @Test func `A connection is returned without its invalid statements`() throws {
        let session = try write()
        let process = session.connection.process
        #expect(try session.connection.run("SELECT 7::int8").integer(0, 0) == 7)
        try session.connection.execute("DEALLOCATE ALL")
        #expect(throws: StoreError.self) { try session.connection.run("SELECT 7::int8") }
        session.end()
        let next = try write()
        defer { next.end() }
        #expect(next.connection.process == process)
        #expect(try next.connection.run("SELECT 7::int8").integer(0, 0) == 7)
    }

    @Test func `A read continues in its snapshot after the server has discarded its statements`() throws {
        let session = try things.read()
        #expect(try session.fetch(plan).count == 1)
        try things.save(2)
        try session.reader.connection.execute("DEALLOCATE ALL")
        #expect(try session.fetch(plan).count == 1)
        session.end()
        #expect(try things.keys() == [1, 2])
    }

    @Test func `A save is executed once after the server has discarded its statements`() throws {
        let session = try PostgresWriteSession(
            things.coordinator.store, SessionOptions(identifier: "write"))
        for key in 2...5 {
            #expect(try session.apply(things.insertion(Int64(key))).conflicts.isEmpty)
            try session.connection.execute("DEALLOCATE ALL")
        }
        try session.setUserInfo(["a": "b"])
        let token = try session.commit()
        #expect(token.sequence == 5)
        #expect(try things.keys() == [1, 2, 3, 4, 5])
        #expect(try other.integer("SELECT count(*) FROM _store_history") == 5)
    }

    @Test func `Queries outside of sessions are repeated`() throws {
        let pool = things.coordinator.store.pool
        for _ in 0..<2 {
            #expect(try things.coordinator.metadata().userInfo.isEmpty)
            let connection = try pool.borrow(for: "forget")
            try connection.execute("DEALLOCATE ALL")
            pool.returnConnection(connection)
        }
        let connection = try PostgresConnection(other.configuration)
        for number in 1...3 {
            #expect(try connection.run("SELECT \(number)::int8").integer(0, 0) == Int64(number))
            #expect(try connection.run("SELECT 7::int8").integer(0, 0) == 7)
            try connection.execute("DISCARD ALL")
        }
    }
}
#endif
