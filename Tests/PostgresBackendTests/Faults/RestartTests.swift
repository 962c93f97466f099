#if Postgres
import ContextCore
import Foundation
import Testing

@testable import PostgresBackend

/// Servers that are stopped, started, and replaced.
@Suite(.enabled(if: TestServer.isExpected))
struct RestartTests {
    private func open(_ configuration: PostgresConfiguration) throws -> PostgresCoordinator {
        let thing = EntityDescription("Thing", attributes: [AttributeDescription("name", .string)])
        return try PostgresCoordinator(model: ObjectModel(entities: [thing]), configuration)
    }

    private func insertion(_ key: Int64, _ coordinator: PostgresCoordinator) throws -> ChangeSet {
        var builder = RowBatchBuilder(model: coordinator.model)
        builder.beginRow(key: key, version: 1, entityIndex: 0)
        builder.set(0, to: .string("new"))
        var changes = ChangeSet()
        changes.inserts = [.init(entityIndex: 0, rows: try builder.finish())]
        return changes
    }

    private func save(_ key: Int64, _ coordinator: PostgresCoordinator) throws {
        let session = try coordinator.openWriteSession(SessionOptions(identifier: "save"))
        defer { session.end() }
        #expect(try session.apply(insertion(key, coordinator)).conflicts.isEmpty)
        _ = try session.commit()
    }

    private func keys(_ coordinator: PostgresCoordinator) throws -> [Int64] {
        let session = try coordinator.openReadSession(SessionOptions(identifier: "keys"))
        defer { session.end() }
        let rows = try session.fetch(FetchPlan(entityIndex: 0))
        return (0..<rows.count).map { rows.key(at: $0) }
    }

    @Test func `A store goes on when its server was stopped and started, in order or by a crash`()
        async throws
    {
        try await OwnThread.run {
            let server = try PrivateServer()
            let coordinator = try open(server.configuration)
            try save(1, coordinator)
            for (crashes, key) in [(false, Int64(2)), (true, 4)] {
                let session = try coordinator.openWriteSession(SessionOptions(identifier: "unfinished"))
                #expect(try session.apply(insertion(99, coordinator)).conflicts.isEmpty)
                let reader = try coordinator.openReadSession(SessionOptions(identifier: "reader"))
                try server.halt(crashing: crashes)
                expectError(.connectionLost) { _ = try session.commit() }
                expectError(.connectionLost) { _ = try reader.fetch(FetchPlan(entityIndex: 0)) }
                reader.end()
                expectError(.connectionLost) { try save(key, coordinator) }
                try server.resume()
                try save(key, coordinator)
                try save(key + 1, coordinator)
            }
            #expect(try keys(coordinator) == [1, 2, 3, 4, 5])
            #expect(coordinator.connectionReport.holders.isEmpty)
            coordinator.close()
        }
    }

    @Test func `A store goes on with a standby that was promoted`() async throws {
        try await OwnThread.run {
            let server = try PrivateServer(withReplica: true)
            var configuration = server.configuration
            configuration.hosts += try #require(server.replica).hosts
            configuration.target = .readWrite
            let coordinator = try open(configuration)
            try save(1, coordinator)
            try waitForReplica(of: server)
            try server.halt(crashing: true)
            let error = expectError(.connectionLost) { try save(2, coordinator) }
            #expect(error?.remedy != nil)
            try server.promoteReplica()
            try save(3, coordinator)
            #expect(try keys(coordinator) == [1, 3])
            coordinator.close()
        }
    }

    private func waitForReplica(of server: PrivateServer) throws {
        let primary = try PostgresConnection(server.configuration)
        let replica = try PostgresConnection(#require(server.replica))
        let last = try #require(try primary.integer("SELECT pg_current_wal_lsn() - '0/0'::pg_lsn"))
        let isThere = try eventually {
            try replica.integer("SELECT pg_last_wal_replay_lsn() - '0/0'::pg_lsn") ?? 0 >= last
        }
        #expect(isThere)
    }
}
#endif
