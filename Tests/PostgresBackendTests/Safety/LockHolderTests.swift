#if Postgres
import ContextCore
import Foundation
import SQLStore
import Testing

@testable import PostgresBackend

/// Errors of lock timeouts name the sessions that hold the locks.
@Suite(.enabled(if: TestServer.isExpected))
struct LockHolderTests {
    private static let model: ObjectModel? = try? ObjectModel(entities: [
        EntityDescription("Game", attributes: [AttributeDescription("title", .string)])
    ])

    /// Creates a store with a game, and with a short lock timeout.
    private func makeStore() throws -> (any StoreCoordinator, PostgresConfiguration, ObjectModel) {
        let model = try #require(Self.model)
        let url = try StoreURL(TestServer.freshURL() + "&timeout=2s")
        let store = try StoreBackend.postgres.coordinator(for: url, model)
        try save(store, model, key: 1)
        return (store, try PostgresConfiguration(url), model)
    }

    private func change(_ model: ObjectModel, key: Int64, version: Int64) throws -> RowBatch {
        var builder = RowBatchBuilder(model: model)
        builder.beginRow(key: key, version: version, entityIndex: 0)
        builder.set(0, to: .string("game \(key)"))
        return try builder.finish()
    }

    private func save(_ store: any StoreCoordinator, _ model: ObjectModel, key: Int64) throws {
        let session = try store.openWriteSession(SessionOptions(identifier: "save"))
        defer { session.end() }
        var changes = ChangeSet()
        changes.inserts.append(.init(entityIndex: 0, rows: try change(model, key: key, version: 2)))
        _ = try session.apply(changes)
        _ = try session.commit()
    }

    /// Opens a connection like that of another program, with an application name.
    private func other(_ configuration: PostgresConfiguration) throws -> PostgresConnection {
        let other = try otherProgram(configuration)
        try other.execute("SET application_name = 'night job'")
        return other
    }

    private func expectHolder(_ error: StoreError?, _ other: PostgresConnection) {
        let message = error?.message ?? ""
        #expect(
            message.contains(
                "The lock is held by server process \(other.process.pid) (night job) of user "),
            "\(message)")
        #expect(message.contains("in a transaction since 2") && message.hasSuffix(" UTC."), "\(message)")
        #expect(!message.contains("SELECT") && !message.contains("UPDATE"), "\(message)")
    }

    @Test func `The timeout of a commit names the session that blocks it`() throws {
        let (store, configuration, model) = try makeStore()
        defer { store.close() }
        let other = try other(configuration)
        let held = try HeldCommits(other, configuration)
        expectHolder(expectError(.busy) { try save(store, model, key: 2) }, other)
        try held.release()
        try save(store, model, key: 2)
    }

    @Test func `The timeout of a write during a migration names the migrating session`() throws {
        let (store, configuration, _) = try makeStore()
        defer { store.close() }
        let other = try other(configuration)
        try other.execute("BEGIN; LOCK TABLE _store_history IN SHARE ROW EXCLUSIVE MODE")
        expectHolder(
            expectError(.busy) { _ = try store.openWriteSession(SessionOptions(identifier: "late")) }, other)
        try store.openReadSession(SessionOptions(identifier: "reader")).end()
        try other.execute("ROLLBACK")
        try store.openWriteSession(SessionOptions(identifier: "after")).end()
    }

    @Test func `The timeout of an update names the session that holds the row`() throws {
        let (store, configuration, model) = try makeStore()
        defer { store.close() }
        let other = try other(configuration)
        try other.execute("BEGIN; SELECT 1 FROM game WHERE _id = 1 FOR UPDATE")
        let session = try store.openWriteSession(SessionOptions(identifier: "late"))
        defer { session.end() }
        var changes = ChangeSet()
        changes.updates.append(
            .init(
                entityIndex: 0, columns: [0], rows: try change(model, key: 1, version: 3), baseVersions: [2]
            ))
        expectHolder(expectError(.busy) { _ = try session.apply(changes) }, other)
    }

    @Test func `No session is named if several hold the rows`() throws {
        let (store, configuration, model) = try makeStore()
        defer { store.close() }
        try save(store, model, key: 2)
        let (first, second) = (try other(configuration), try other(configuration))
        try first.execute("BEGIN; SELECT 1 FROM game WHERE _id = 1 FOR UPDATE")
        try second.execute("BEGIN; SELECT 1 FROM game WHERE _id = 2 FOR UPDATE")
        let session = try store.openWriteSession(SessionOptions(identifier: "late"))
        defer { session.end() }
        var changes = ChangeSet()
        changes.updates.append(
            .init(
                entityIndex: 0, columns: [0], rows: try change(model, key: 1, version: 3), baseVersions: [2]
            ))
        let error = expectError(.busy) { _ = try session.apply(changes) }
        #expect(error?.message.contains("server process") == false, "\(error?.message ?? "")")
    }

    @Test func `The timeout of a row lock names the session that holds it`() throws {
        let (store, configuration, _) = try makeStore()
        defer { store.close() }
        let other = try other(configuration)
        try other.execute("BEGIN; SELECT 1 FROM game WHERE _id = 1 FOR UPDATE")
        let session = try store.openWriteSession(SessionOptions(identifier: "late"))
        defer { session.end() }
        var plan = FetchPlan(entityIndex: 0)
        plan.lock = .update
        plan.lockWait = .noWait
        expectHolder(expectError(.busy) { _ = try session.fetch(plan) }, other)
        // The session continues.
        #expect(try session.rows([1], entityIndex: 0).count == 1)
    }

    @Test func `The timeout of removing a store names the reading session`() throws {
        let (store, configuration, _) = try makeStore()
        store.close()
        let other = try other(configuration)
        try other.execute("BEGIN; SELECT count(*) FROM game")
        let inspector = try PostgresInspector(configuration)
        defer { inspector.close() }
        expectHolder(expectError(.busy) { try inspector.drop() }, other)
        try other.execute("ROLLBACK")
        try inspector.drop()
    }

    @Test func `The timeout of a read during a migration names the migrating session`() throws {
        let (store, configuration, _) = try makeStore()
        defer { store.close() }
        let other = try other(configuration)
        try other.execute("BEGIN; LOCK TABLE _store_models IN ACCESS EXCLUSIVE MODE")
        expectHolder(
            expectError(.busy) { _ = try store.openReadSession(SessionOptions(identifier: "late")) }, other)
    }
}
#endif
