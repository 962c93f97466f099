#if Postgres
import ContextCore
import Foundation
import Testing

@testable import PostgresBackend

/// Timeouts of statements and of idle transactions.
@Suite(.enabled(if: TestServer.isExpected, "Needs a server: run scripts/test."))
struct DeadlineTests {
    private func configuration(_ settings: String = "") throws -> PostgresConfiguration {
        try PostgresConfiguration(StoreURL(TestServer.freshURL() + settings))
    }

    private func limits(_ connection: PostgresConnection) throws -> [String] {
        try ["statement_timeout", "idle_in_transaction_session_timeout"].map {
            try connection.run("SHOW \($0)").text(0, 0)
        }
    }

    @Test(arguments: [
        ("", ["5min", "10min"]),
        ("&statement_timeout=7s&idle_in_transaction_session_timeout=8s", ["7s", "8s"]),
        ("&statement_timeout=none&idle_in_transaction_session_timeout=none", ["0", "0"]),
    ])
    func `Both timeouts have defaults, or come from the URL`(_ settings: String, _ limits: [String]) throws {
        let connection = try PostgresConnection(configuration(settings))
        #expect(try self.limits(connection) == limits)
        // With a pooler, each transaction sets the timeouts.
        let pooled = try PostgresConnection(configuration(settings + "&pooler=on"))
        try pooled.inTransaction { () throws(StoreError) in
            do { #expect(try self.limits(pooled) == limits) } catch { Issue.record(error) }
        }
    }

    @Test func `Maintenance has no timeout, unless the URL sets one`() throws {
        for (settings, limit) in [("", "0"), ("&statement_timeout=7s", "7s")] {
            let inspector = try PostgresInspector(configuration(settings))
            defer { inspector.close() }
            #expect(try limits(inspector.connection())[0] == limit)
        }
    }

    @Test
    func `A transaction that exceeds the idle timeout is ended with the name of the setting`() throws {
        var configuration = try configuration()
        configuration.idleInTransactionTimeout = .milliseconds(500)
        let things = try ServerThings(configuration)
        let session = try PostgresWriteSession(things.coordinator.store, SessionOptions(identifier: "idle"))
        _ = try session.apply(things.insertion(1))
        #expect(eventually { session.connection.detectsServerClose() })
        let error = expectError(.connectionLost) { _ = try session.commit() }
        #expect(error?.remedy?.contains("idle_in_transaction_session_timeout") == true)
        session.end()
        try things.save(2)
        #expect(try things.keys() == [2])
        try finish(things, configuration)
    }

    @Test func `The session of a pinned context has no idle timeout`() throws {
        let configuration = try configuration()
        let things = try ServerThings(configuration)
        var options = SessionOptions(identifier: "pinned", isCancellable: false)
        options.isPinned = true
        let held = try PostgresReadSession(things.coordinator.store, options)
        #expect(try limits(held.reader.connection)[1] == "0")
        held.end()
        // The next session on that connection has the usual limits.
        let usual = try things.read()
        #expect(try limits(usual.reader.connection)[1] == "10min")
        usual.end()
        try finish(things, configuration)
    }

    @Test func `A pinned context reads after a pause that ends other transactions`() async throws {
        let url = try TestServer.freshURL()
        let model = try ObjectModel(entities: [.init("Game", attributes: [.init("title", .string)])])
        let store = try await Store.open(
            url + "&idle_in_transaction_session_timeout=500ms", backends: [.postgres], model: model)
        let actor = store.makeBackgroundContext()
        try await actor.perform { context in
            try context.pin()
            let request = FetchRequest<ManagedObject>(entityName: "Game")
            #expect(try context.fetch(request).isEmpty)
            // The server waits only for its clock.
            Thread.sleep(forTimeInterval: 1)
            #expect(try context.fetch(request).isEmpty)
        }
        await store.close()
        let configuration = try PostgresConfiguration(StoreURL(url))
        try otherProgram(configuration).execute("DROP SCHEMA \(configuration.quotedSchema) CASCADE")
    }

    private func finish(_ things: ServerThings, _ configuration: PostgresConfiguration) throws {
        things.coordinator.close()
        try otherProgram(configuration).execute("DROP SCHEMA \(configuration.quotedSchema) CASCADE")
    }
}
#endif
