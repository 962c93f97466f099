import ChildProcesses
import ContextCore
import Foundation
import SQLStore
import Synchronization
import Testing

@testable import PostgresBackend

/// Slow stages.
struct SlowStageTests {
    private static let old = AttributeDescription("first", .string)
    private static let new = AttributeDescription("full", .string, isOptional: true)

    private func model(_ attributes: AttributeDescription...) throws -> ObjectModel {
        try ObjectModel(entities: [.init("Person", attributes: attributes)])
    }

    private func versions(_ stage: MigrationStage) throws -> [ModelVersion] {
        [
            ModelVersion("V1", try model(Self.old)),
            ModelVersion("V2", try model(Self.old, Self.new), stages: [stage]),
        ]
    }

    private func makeStore(
        _ kind: StoreKind, _ versions: [ModelVersion], count: Int
    ) async throws -> MigratedStore {
        let store = try MigratedStore(kind)
        try await store.write(versions[0].model) { context in
            for index in 0..<count { try context.make("Person", ["first": .string("f\(index)")]) }
        }
        return store
    }

    @Test(arguments: StoreKind.present)
    func `A batch with slow objects ends early, and the next one continues there`(_ kind: StoreKind)
        async throws
    {
        let seen = Mutex<[Int64]>([])
        let stage = MigrationStage("Person", filling: ["full"]) { person in
            Thread.sleep(forTimeInterval: 0.06)
            seen.withLock { $0.append(person.key) }
            person["full"] = .string("full \(person.text("first"))")
        }
        let versions = try versions(stage)
        let store = try await makeStore(kind, versions, count: 20)
        // The run is stopped after its first batch.
        var options = MigrationOptions()
        let isCancelled = Flag()
        let batch = Mutex(0)
        options.progress = { progress in
            if progress.rows == 0 { return }
            batch.withLock { $0 = progress.rows }
            isCancelled.raise()
        }
        options.isCancelled = { isCancelled.isRaised }
        let stopped = await refusal { try await store.migrate(versions, options) }
        #expect(stopped?.code == .cancelled)
        let first = batch.withLock { $0 }
        #expect((1..<20).contains(first))
        #expect(seen.withLock { $0.count } == first)
        try await store.migrate(versions)
        #expect(seen.withLock { $0.count } == 20)
        #expect(Set(seen.withLock { $0 }).count == 20)
        let full = try await store.read(versions[1].model) { try $0.values("Person", "full") }
        #expect(full == (0..<20).map { .string("full f\($0)") })
    }

    @Test(arguments: StoreKind.present)
    func `A slow stage reads few objects in vain, and none very often`(_ kind: StoreKind) async throws {
        let stage = MigrationStage("Person", filling: ["full"]) { person in
            Thread.sleep(forTimeInterval: 0.04)
            person["full"] = .string("full \(person.text("first"))")
        }
        let versions = try versions(stage)
        let store = try await makeStore(kind, versions, count: 100)
        let read = Mutex(0)
        try await store.migrate(
            versions,
            watching: { sql, rows in
                if sql.contains("\"first\"") { read.withLock { $0 += rows } }
            })
        // Each batch should take a quarter of a second; only for the first one the duration of an object is unknown.
        let count = read.withLock { $0 }
        #expect((100...150).contains(count), "\(count)")
        let full = try await store.read(versions[1].model) { try $0.values("Person", "full") }
        #expect(full == (0..<100).map { .string("full f\($0)") })
    }

    @Test(arguments: StoreKind.present.filter { $0 == .postgres })
    func `A server waits for a stage, and for nothing else`(_ kind: StoreKind) async throws {
        let store = try MigratedStore(kind)
        try await store.write(try model(Self.old)) { _ in }
        let connection = try PostgresMigrationConnection(PostgresConfiguration(store.url), MigrationOptions())
        defer { connection.close() }
        func setting(_ name: String) throws -> StoredValue? {
            try connection.rows(SQLText("SELECT current_setting('\(name)')", []), [.text]).first?.first
        }
        #expect(try setting("idle_in_transaction_session_timeout") == .string("1min"))
        try connection.begin()
        try connection.execute(#require(connection.migrationDialect.disableIdleTimeout))
        #expect(try setting("idle_in_transaction_session_timeout") == .string("0"))
        try connection.commit()
        #expect(try setting("idle_in_transaction_session_timeout") == .string("1min"))
        #expect(try setting("client_connection_check_interval") == .string("500ms"))
        // PostgreSQL 14 introduced the setting.
        #expect(PostgresMigrationConnection.detectsLostClients(serverVersion: 140_000))
        #expect(!PostgresMigrationConnection.detectsLostClients(serverVersion: 130_022))
    }

    @Test(arguments: StoreKind.present.filter { $0 == .postgres })
    func `The lock holder is the holder of that store's lock`(_ kind: StoreKind) async throws {
        let stores = try [MigratedStore(kind), MigratedStore(kind)]
        for store in stores { try await store.write(try model(Self.old)) { _ in } }
        func connection(_ index: Int) throws -> PostgresMigrationConnection {
            try PostgresMigrationConnection(PostgresConfiguration(stores[index].url), MigrationOptions())
        }
        let (holder, same, other) = (try connection(0), try connection(0), try connection(1))
        defer { for connection in [holder, same, other] { connection.close() } }
        #expect(try holder.tryLock())
        #expect(try !same.tryLock())
        #expect(same.lockHolder()?.hasPrefix("server process ") == true)
        #expect(other.lockHolder() == nil)
        #expect(try other.tryLock())
    }
}
