#if Postgres
import ContextCore
import Foundation
import SQLStore
import Testing

@testable import PostgresBackend

/// Stores in schemas of one database that share their connections.
@Suite(.enabled(if: TestServer.isExpected), .timeLimit(.minutes(20)))
struct SharedConnectionsTests {
    private let base: PostgresConfiguration
    private let observer: PostgresConnection
    private let age = Duration.seconds(1800) + .nanoseconds(Int64.random(in: 0..<1_000_000_000_000))

    init() throws {
        base = try TestServer.freshConfiguration()
        observer = try PostgresConnection(base)
    }

    private func configuration(_ number: Int, connections: Int = 3) -> PostgresConfiguration {
        var configuration = base
        configuration.schema = base.schema + "_\(number)"
        configuration.sharesConnections = true
        configuration.connections = connections
        // The age distinguishes these connections from those of other tests.
        configuration.maximumAge = age
        return configuration
    }

    private func open(_ number: Int) throws -> Store {
        try Store(
            coordinator: PostgresCoordinator(model: ObjectModel([Piece.self]), configuration(number)),
            options: StoreOptions(watchInterval: .seconds(86_400)))
    }

    private func removeSchemas(_ count: Int) throws {
        for number in 0..<count {
            try observer.execute("DROP SCHEMA IF EXISTS \"\(base.schema)_\(number)\" CASCADE")
        }
    }

    @Test func `Many stores use no more connections than one`() async throws {
        let count = 12
        defer { try? removeSchemas(count) }
        let stores = try (0..<count).map { try open($0) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for round in 0..<4 {
                for store in stores {
                    group.addTask {
                        try await store.write { context in
                            _ = try context.count(Piece.self)
                            _ = Piece(in: context, batch: 1, part: round)
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        for store in stores {
            let parts = try await store.read { context in
                try context.fetch(Piece.self, order: .ascending(\.part)).map(\.part)
            }
            #expect(parts == [0, 1, 2, 3])
        }
        let pool = SharedConnections.shared.joinPool(configuration(0))
        #expect(pool.report.limit == 3)
        #expect(pool.report.idle + pool.report.holders.count <= 3)
        SharedConnections.shared.leavePool(configuration(0))
        for store in stores { await store.close() }
    }

    @Test func `The cached history position of a store is not used for another one`() async throws {
        defer { try? removeSchemas(2) }
        let (first, second) = (try open(0), try open(1))
        for part in 0..<5 {
            try await first.write { context in
                _ = try context.count(Piece.self)
                _ = Piece(in: context, batch: 1, part: part)
            }
        }
        try await second.write { context in
            _ = try context.count(Piece.self)
            _ = Piece(in: context, batch: 1, part: 9)
        }
        #expect(try await first.history().map(\.token.sequence) == [1, 2, 3, 4, 5])
        #expect(try await second.history().map(\.token.sequence) == [1])
        await first.close()
        await second.close()
    }

    @Test func `Notifications of all stores arrive over one connection`() async throws {
        let count = 6
        defer { try? removeSchemas(count) }
        let stores = try (0..<count).map { try open($0) }
        let others = try (0..<count).map { number in
            var configuration = configuration(number)
            configuration.sharesConnections = false
            return try Store(
                coordinator: PostgresCoordinator(model: ObjectModel([Piece.self]), configuration))
        }
        let changes = stores.map(\.changes)
        for (number, other) in others.enumerated() {
            try await other.write { context in _ = Piece(in: context, batch: 1, part: number) }
        }
        for (number, changes) in changes.enumerated() {
            for await change in changes {
                #expect(change.inserted.count == 1, "store \(number)")
                break
            }
        }
        for store in stores + others { await store.close() }
    }

    @Test func `A store is opened in three round trips`() async throws {
        defer { try? removeSchemas(1) }
        let first = try open(0)
        let pool = PostgresPool(configuration(0))
        func roundTrips() throws -> Int {
            let connection = try pool.borrow(for: "a test")
            defer { pool.returnConnection(connection) }
            return connection.roundTrips
        }
        let before = try roundTrips()
        let second = try open(0)
        #expect(try roundTrips() - before == 3)
        await first.close()
        await second.close()
        // In another schema, whose statements are not prepared on the connection, after one that creates its store.
        var alone = configuration(1)
        alone.sharesConnections = false
        try PostgresCoordinator(model: ObjectModel([Piece.self]), alone).close()
        let earlier = try roundTrips()
        let third = try open(1)
        let trips = try roundTrips() - earlier
        await third.close()
        #expect(
            trips <= 3 + 7,
            "In addition to the queries, there are the statements that begin a transaction, each prepared once."
        )
        pool.close()
    }

    @Test func `Closing a store leaves the connections to the others`() async throws {
        defer { try? removeSchemas(2) }
        let (first, second) = (try open(0), try open(1))
        await first.close()
        try await second.write { context in _ = Piece(in: context, batch: 1, part: 1) }
        #expect(try await second.read { try $0.count(Piece.self) } == 1)
        await second.close()
        // The last store has closed them.
        let pool = SharedConnections.shared.joinPool(configuration(0))
        #expect(pool.report.idle == 0)
        SharedConnections.shared.leavePool(configuration(0))
    }
}
#endif
