#if Postgres
import ContextCore
import Foundation
import Testing

@testable import PostgresBackend

/// Servers that are stopped, started, and replaced.
@Suite(.enabled(if: PrivateServer.isExpected, PrivateServer.absence))
struct RestartTests {
    @Test func `A store continues after its server was restarted, by a shutdown or a crash`() async throws {
        try await OwnThread.run {
            let server = try PrivateServer()
            let things = try ServerThings(server.configuration)
            let coordinator = things.coordinator
            try things.save(1)
            for (crashes, key) in [(false, Int64(2)), (true, 4)] {
                let session = try coordinator.openWriteSession(SessionOptions(identifier: "unfinished"))
                #expect(try session.apply(things.insertion(99)).conflicts.isEmpty)
                let reader = try coordinator.openReadSession(SessionOptions(identifier: "reader"))
                try server.halt(crashing: crashes)
                expectError(.connectionLost) { _ = try session.commit() }
                expectError(.connectionLost) { _ = try reader.fetch(FetchPlan(entityIndex: 0)) }
                reader.end()
                expectError(.connectionLost) { try things.save(key) }
                try server.resume()
                try things.save(key)
                try things.save(key + 1)
            }
            #expect(try things.keys() == [1, 2, 3, 4, 5])
            #expect(coordinator.connectionReport.holders.isEmpty)
            coordinator.close()
        }
    }

    @Test func `A store continues with a promoted standby`() async throws {
        try await OwnThread.run {
            let server = try PrivateServer(withReplica: true)
            var configuration = server.configuration
            configuration.hosts += try #require(server.replica).hosts
            configuration.target = .readWrite
            let things = try ServerThings(configuration)
            try things.save(1)
            try server.waitForReplica()
            try server.halt(crashing: true)
            let error = expectError(.connectionLost) { try things.save(2) }
            #expect(error?.remedy != nil)
            try server.promoteReplica()
            try things.save(3)
            #expect(try things.keys() == [1, 3])
            things.coordinator.close()
        }
    }
}
#endif
