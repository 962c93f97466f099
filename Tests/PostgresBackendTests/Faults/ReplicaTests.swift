#if Postgres
import ContextCore
import Foundation
import Testing

@testable import PostgresBackend

/// Reads from replicas.
@Suite(.enabled(if: TestServer.isExpected))
struct ReplicaTests {
    /// `POSTGRES_REPLICA_READS` is the number of reads.
    @Test(.enabled(if: PrivateServer.isExpected, PrivateServer.absence))
    func `A program reads its own saves, from a replica as long as that keeps up`() async throws {
        try await OwnThread.run {
            let server = try PrivateServer(withReplica: true)
            let replica = try #require(server.replica)
            var configuration = server.configuration
            configuration.replicas = replica.hosts
            let things = try ServerThings(configuration)
            try server.waitForReplica()
            let count = Effort.count("POSTGRES_REPLICA_READS", otherwise: 100)
            var (stale, replicated) = (0, 0)
            for key in 1...Int64(count) {
                try things.save(key)
                let session = try things.read()
                if try session.rows([key], entityIndex: 0).count != 1 { stale += 1 }
                if session.reader.connection.configuration.hosts == replica.hosts { replicated += 1 }
                session.end()
            }
            #expect(stale == 0)
            #expect(replicated > 0)
            try checkLateness(things, server, Int64(count))
            things.coordinator.close()
        }
    }

    /// Checks that a replica that lags or is down isn't used for reads.
    private func checkLateness(_ things: ServerThings, _ server: PrivateServer, _ count: Int64) throws {
        let replica = try PostgresConnection(#require(server.replica))
        try server.waitForReplica()
        #expect(try isReplicated(things))
        try replica.execute("SELECT pg_wal_replay_pause()")
        #expect(try eventually { try replica.run("SELECT pg_is_wal_replay_paused()").integer(0, 0) == 1 })
        try things.save(count + 1)
        #expect(try !isReplicated(things))
        #expect(try things.keys().count == Int(count) + 1)
        try replica.execute("SELECT pg_wal_replay_resume()")
        try server.waitForReplica()
        #expect(try isReplicated(things))
        #expect(try things.keys().count == Int(count) + 1)
    }

    private func isReplicated(_ things: ServerThings) throws -> Bool {
        let session = try things.read()
        defer { session.end() }
        return session.reader.connection.configuration.hosts
            == things.coordinator.store.configuration.replicas
    }

    /// The replica doesn't have the save yet when the notification arrives; a read there would miss it, and no second notification
    /// follows.
    @Test(.timeLimit(.minutes(20)), .enabled(if: PrivateServer.isExpected, PrivateServer.absence))
    func `Another store's saves are seen at once, even if the replica lags`() async throws {
        let server = try await OwnThread.run { ServerInHand(try PrivateServer(withReplica: true)) }
        let replica = try #require(server.server.replica)
        var configuration = server.server.configuration
        let model = try ObjectModel([Piece.self])
        let options = StoreOptions(watchInterval: .seconds(86_400))
        let theirs = try Store(
            coordinator: PostgresCoordinator(model: model, configuration), options: options)
        configuration.replicas = replica.hosts
        let mine = try Store(coordinator: PostgresCoordinator(model: model, configuration), options: options)
        try await OwnThread.run {
            try server.server.waitForReplica()
            try PostgresConnection(replica).execute("SELECT pg_wal_replay_pause()")
        }
        var changes = mine.changes.makeAsyncIterator()
        for part in 1...3 {
            try await theirs.write("save \(part)") { context in _ = Piece(in: context, batch: 1, part: part) }
            #expect(await changes.next()?.contextName == "save \(part)")
        }
        await mine.close()
        await theirs.close()
    }

    @Test func `Without a replica, everything is read from the primary`() throws {
        var configuration = try TestServer.freshConfiguration()
        let (socket, port) = try TestSocket.listen()
        TestSocket.cut(socket)
        configuration.replicas = [.init("127.0.0.1", port: port)]
        let things = try ServerThings(configuration)
        try things.save(1)
        #expect(try things.keys() == [1])
        things.coordinator.close()
    }

    @Test func `Replicas are listed in the URL like servers`() throws {
        let url = "postgres://app@db1/games?replicas=db2:5433,db3&replica_patience=250ms"
        let configuration = try PostgresConfiguration(StoreURL(url))
        #expect(configuration.replicas == [.init("db2", port: 5433), .init("db3")])
        #expect(configuration.replicaTimeout == .milliseconds(250))
        #expect(throws: StoreError.self) {
            try PostgresConfiguration(StoreURL("postgres://db1/games?replicas=db2:x"))
        }
    }
}

/// A server that is passed between threads.
// @unchecked: only one of them uses it at a time.
private final class ServerInHand: @unchecked Sendable {
    let server: PrivateServer

    init(_ server: PrivateServer) { self.server = server }
}
#endif
