#if Postgres
import ContextCore
import Foundation
import Testing

@testable import PostgresBackend

/// Transactions that the server aborts.
@Suite(.enabled(if: TestServer.isExpected))
struct EndedTransactionTests {
    private let store: InjuredStore

    init() throws { store = try InjuredStore() }

    // MARK: Terminated

    @Test func `A server process terminated before COMMIT leaves nothing`() throws {
        let session = try store.write()
        #expect(try session.apply(store.insertion(1)).conflicts.isEmpty)
        try store.terminate(session.connection.process)
        expectError(.connectionLost) { _ = try session.commit() }
        #expect(try store.keys() == [])
        try store.expectFullPool()
    }

    @Test func `A server process terminated during COMMIT leaves nothing, and its error says so`() throws {
        try store.execute(
            """
            CREATE FUNCTION linger() RETURNS trigger LANGUAGE plpgsql AS $$ \
            BEGIN PERFORM pg_sleep(60); RETURN NULL; END $$; \
            CREATE CONSTRAINT TRIGGER linger AFTER INSERT ON "_store_history" \
            DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION linger()
            """)
        let session = try store.write()
        // The save itself runs all checks that would run at the commit; this line comes after that.
        #expect(try session.apply(store.insertion(1)).conflicts.isEmpty)
        let (process, done) = (session.connection.process, DispatchSemaphore(value: 0))
        let killer = try PostgresConnection(store.direct)
        let isCommitting = """
            SELECT count(*) FROM pg_stat_activity WHERE pid = \(process.pid) AND state = 'active' AND query = 'COMMIT'
            """
        let terminating = Errand(killer) { killer in
            _ = try? eventually { try killer.integer(isCommitting) == 1 }
            try? killer.execute("SELECT pg_terminate_backend(\(process.pid))")
            done.signal()
        }
        terminating.start()
        expectError(.connectionLost) { _ = try session.commit() }
        done.wait()
        #expect(try store.keys() == [])
        try store.expectFullPool()
    }

    @Test func `A server process terminated after COMMIT has saved`() throws {
        let session = try store.write()
        #expect(try session.apply(store.insertion(1)).conflicts.isEmpty)
        let (process, direct) = (session.connection.process, store.direct)
        store.proxy.arm(.cutCommitAnswer) {
            let killer = try? PostgresConnection(direct)
            try? killer?.execute("SELECT pg_terminate_backend(\(process.pid))")
        }
        _ = try session.commit()
        #expect(store.proxy.faultCount == 1)
        #expect(try store.keys() == [1])
        try store.expectFullPool()
    }

    @Test func `Server processes terminated while idle are replaced without an error`() throws {
        let session = try store.read()
        let process = session.reader.connection.process
        session.end()
        try store.terminate(process)
        let again = try store.read()
        #expect(again.reader.connection.process != process)
        again.end()
        try store.expectFullPool()
    }

    // MARK: Timeouts

    @Test func `A transaction that exceeds the idle timeout is ended with the reason`() throws {
        let session = try store.write()
        #expect(try session.apply(store.insertion(1)).conflicts.isEmpty)
        try session.connection.execute("SET LOCAL idle_in_transaction_session_timeout = 20")
        #expect(try eventually { try !store.isThere(session.connection.process) })
        let error = expectError(.connectionLost) { _ = try session.fetch(FetchPlan(entityIndex: 0)) }
        #expect(error?.message.contains("idle for too long") == true, "\(String(reflecting: error))")
        session.end()
        #expect(try store.keys() == [])
        try store.expectFullPool()
    }

    @Test func `A connection that exceeds the idle timeout is replaced without an error`() throws {
        let session = try store.read()
        let connection = session.reader.connection
        session.end()
        guard try connection.integer("SHOW server_version_num").map({ $0 >= 140000 }) == true else { return }
        try connection.execute("SET idle_session_timeout = 20")
        #expect(try eventually { try !store.isThere(connection.process) })
        try store.save(1)
        try store.expectFullPool()
    }

    @Test func `A statement that exceeds its timeout is ended, and the session continues`() throws {
        let store = try InjuredStore { $0.statementTimeout = .seconds(2) }
        try store.save(1)
        try store.execute(
            """
            ALTER TABLE "thing" RENAME TO "quick"; \
            CREATE VIEW "thing" AS SELECT "quick".* FROM "quick" WHERE pg_sleep(60) IS NOT NULL
            """)
        let session = try store.write()
        let error = expectError(.timeout) { _ = try session.fetch(FetchPlan(entityIndex: 0)) }
        #expect(error?.remedy?.contains("statement_timeout") == true)
        try session.setUserInfo(["a": "b"])
        _ = try session.commit()
        #expect(try store.coordinator.metadata().userInfo == ["a": "b"])
    }

    @Test func `A statement timeout is reported even if its result is read late`() throws {
        let store = try InjuredStore { $0.statementTimeout = .seconds(1) }
        let session = try store.read()
        var parameters = PostgresParameters()
        // Large enough to be sent at once.
        parameters.append(String(repeating: "x", count: 100_000))
        try session.reader.connection.sendInPipeline("SELECT pg_sleep(60), $1::text", parameters)
        Thread.sleep(forTimeInterval: 1.5)
        expectError(.timeout) { try session.reader.connection.collect() }
        session.end()
        try store.expectFullPool()
    }

    @Test func `A lock wait that exceeds its timeout is ended`() throws {
        let store = try InjuredStore { $0.timeout = .seconds(2) }
        let holder = try store.holdCommits()
        let session = try store.write()
        #expect(try session.apply(store.insertion(1)).conflicts.isEmpty)
        expectError(.busy) { _ = try session.commit() }
        try holder.release()
        try store.save(2)
        #expect(try store.keys() == [2])
    }

    // MARK: Locks

    @Test func `A deadlock with another session is contention, and the session continues`() throws {
        try store.save(1)
        try store.save(2)
        let other = try otherProgram(store.direct)
        try other.execute("BEGIN; UPDATE \"thing\" SET \"name\" = 'other' WHERE \"_id\" = 2")
        let session = try store.write()
        #expect(try session.apply(store.update(1, from: 1)).conflicts.isEmpty)
        // This session detects the deadlock first, so it is the one that is aborted.
        try session.connection.execute("SET LOCAL deadlock_timeout = 20")
        let (process, done) = (other.process, DispatchSemaphore(value: 0))
        let waiting = Errand(other) { other in
            try? other.execute("UPDATE \"thing\" SET \"name\" = 'other' WHERE \"_id\" = 1; COMMIT")
            done.signal()
        }
        waiting.start()
        #expect(try eventually { try store.runs(process, "UPDATE \"thing\"") })
        expectError(.contention) { _ = try session.apply(store.update(2, from: 1)) }
        session.rollback()
        done.wait()
        let again = try store.write()
        #expect(try again.apply(store.update(2, from: 1)).conflicts.isEmpty)
        _ = try again.commit()
    }

    @Test func `A serializable save that read rows changed by others is contention`() throws {
        let store = try InjuredStore { $0.isolation = .serializable }
        try store.save(1)
        let session = try store.write()
        #expect(try session.fetch(FetchPlan(entityIndex: 0)).count == 1)
        try store.execute(
            """
            BEGIN ISOLATION LEVEL SERIALIZABLE; SELECT count(*) FROM "thing"; \
            INSERT INTO "thing" ("_id", "_version", "name") VALUES (10, 1, 'other'); COMMIT
            """)
        expectError(.contention) {
            _ = try session.apply(store.insertion(2))
            _ = try session.commit()
        }
        session.end()
        #expect(try store.keys() == [1, 10])
        try store.save(2)
        try store.expectFullPool()
    }
}
#endif
