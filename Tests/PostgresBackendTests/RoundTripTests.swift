#if Postgres
import ContextCore
import Testing

@testable import PostgresBackend

/// The number of round trips of sessions.
@Suite(.enabled(if: TestServer.isExpected))
struct RoundTripTests {
    private let model: ObjectModel
    private let coordinator: PostgresCoordinator
    private let (game, player, tag): (Int, Int, Int)

    init() throws {
        let game = EntityDescription(
            "Game", attributes: [AttributeDescription("title", .string)],
            relationships: [
                RelationshipDescription("players", to: "Player", inverse: "game", isToMany: true),
                RelationshipDescription("tags", to: "Tag", inverse: "games", isToMany: true),
            ])
        let player = EntityDescription(
            "Player",
            attributes: [AttributeDescription("name", .string), AttributeDescription("score", .int64)],
            relationships: [RelationshipDescription("game", to: "Game", inverse: "players")])
        let tag = EntityDescription(
            "Tag", attributes: [AttributeDescription("name", .string)],
            relationships: [RelationshipDescription("games", to: "Game", inverse: "tags", isToMany: true)])
        model = try ObjectModel(entities: [game, player, tag])
        self.game = try #require(model.layout(named: "Game")).index
        self.player = try #require(model.layout(named: "Player")).index
        self.tag = try #require(model.layout(named: "Tag")).index
        coordinator = try PostgresCoordinator(model: model, TestServer.freshConfiguration())
    }

    private func rows(_ entityIndex: Int, _ keys: ClosedRange<Int64>, version: Int64 = 1) throws -> RowBatch {
        var builder = RowBatchBuilder(model: model)
        for key in keys {
            builder.beginRow(key: key, version: version, entityIndex: entityIndex)
            for (index, column) in model.layouts[entityIndex].columns.enumerated() {
                switch column.kind {
                case .reference: builder.set(index, to: .int(1 + key % 10))
                case .attribute(.int64): builder.set(index, to: .int(key * version))
                case .attribute: builder.set(index, to: .string("\(key)"))
                }
            }
        }
        return try builder.finish()
    }

    private func fill() throws {
        let session = try coordinator.openWriteSession(SessionOptions(identifier: "fill"))
        var changes = ChangeSet()
        changes.inserts = [
            .init(entityIndex: game, rows: try rows(game, 1...50)),
            .init(entityIndex: tag, rows: try rows(tag, 1...50)),
            .init(entityIndex: player, rows: try rows(player, 1...1000)),
        ]
        let slot = try #require(model.layouts[game].properties.first { $0.name == "tags" }).slot
        var links = ChangeSet.LinkChange(entityIndex: game, slot: slot)
        links.placed = (1...50).map { .init(owner: $0, target: 51 - $0, position: 0) }
        changes.links = [links]
        #expect(try session.apply(changes).conflicts.isEmpty)
        _ = try session.commit()
    }

    @Test func `A fetch with two prefetches is three statements, and a fault of 500 siblings one`() throws {
        try fill()
        let session = try PostgresReadSession(coordinator.store, SessionOptions(identifier: "read"))
        defer { session.end() }
        let connection = session.reader.connection
        /// Returns the round trips of the second run, since the first one prepares the statements.
        func trips(_ body: () throws -> Void) throws -> Int {
            try body()
            let before = connection.roundTrips
            try body()
            return connection.roundTrips - before
        }
        let fetch = try trips {
            let games = try session.fetch(FetchPlan(entityIndex: game))
            let owners = (0..<games.count).map { games.key(at: $0) }
            for property in model.layouts[game].properties where property.name == "players" {
                let plan = RelatedPlan(
                    entityIndex: game, slot: property.slot, owners: owners, includesRows: true)
                let links = try session.related(plan).links
                #expect(links.count == 1000)
            }
            for property in model.layouts[game].properties where property.name == "tags" {
                let plan = RelatedPlan(
                    entityIndex: game, slot: property.slot, owners: owners, includesRows: false)
                let links = try session.related(plan).links
                #expect(links.count == 50)
            }
        }
        #expect(fetch == 3)
        let faults = try trips {
            let rows = try session.rows(Array(1...500), entityIndex: player)
            #expect(rows.count == 500)
        }
        #expect(faults == 1)
    }

    @Test func `A save of 1,000 mixed changes takes at most ten round trips`() throws {
        try fill()
        let session = try PostgresWriteSession(coordinator.store, SessionOptions(identifier: "save"))
        let before = session.connection.roundTrips
        var changes = ChangeSet()
        changes.inserts = [
            .init(entityIndex: game, rows: try rows(game, 101...150)),
            .init(entityIndex: tag, rows: try rows(tag, 101...150)),
            .init(entityIndex: player, rows: try rows(player, 1001...1400)),
        ]
        changes.updates = [
            .init(
                entityIndex: player, columns: Array(model.layouts[player].columns.indices),
                rows: try rows(player, 1...400, version: 2), baseVersions: Array(repeating: 1, count: 400))
        ]
        changes.deletes = [
            .init(
                entityIndex: player, keys: Array(901...1000), baseVersions: Array(repeating: 1, count: 100)),
            .init(entityIndex: tag, keys: [1, 2], baseVersions: [1, 1]),
        ]
        #expect(try session.apply(changes).conflicts.isEmpty)
        let connection = session.connection
        _ = try session.commit()
        // Plus the one that began the transaction.
        let trips = connection.roundTrips - before + 1
        #expect(trips <= 10, "\(trips)")
        let reader = try coordinator.openReadSession(SessionOptions(identifier: "read"))
        defer { reader.end() }
        #expect(try reader.fetch(FetchPlan(entityIndex: player)).count == 1300)
        #expect(try reader.fetch(FetchPlan(entityIndex: tag)).count == 98)
    }

    @Test func `A session doesn't wait for the end of a read, and leaves nothing open`() throws {
        try fill()
        let observer = try PostgresConnection(coordinator.store.configuration)
        let session = try PostgresReadSession(coordinator.store, SessionOptions(identifier: "read"))
        let connection = session.reader.connection
        for _ in 1...3 {
            let next = try PostgresReadSession(coordinator.store, SessionOptions(identifier: "next"))
            #expect(try next.fetch(FetchPlan(entityIndex: game)).count == 50)
            next.end()
        }
        #expect(try session.fetch(FetchPlan(entityIndex: game)).count == 50)
        let process = try connection.integer("SELECT pg_backend_pid()") ?? 0
        let before = connection.roundTrips
        session.end()
        #expect(connection.roundTrips == before && !connection.isInTransaction)
        let isIdle = try eventually {
            try observer.integer(
                "SELECT count(*) FROM pg_stat_activity WHERE pid = \(process) AND state = 'idle'") == 1
        }
        #expect(isIdle)
        // The next user of the connection reads the end of the transaction first.
        #expect(try connection.integer("SELECT 7") == 7)
        try connection.execute("BEGIN")
        connection.sendReadOnlyCommit()
        try connection.sendInPipeline("SELECT 8")
        #expect(try connection.finishPipeline())
        try connection.execute("BEGIN")
        connection.sendReadOnlyCommit()
        #expect(try connection.run("SELECT 9::int8").integer(0, 0) == 9)
    }

    @Test func `A conflict in a pipeline leaves the connection usable`() throws {
        try fill()
        let session = try coordinator.openWriteSession(SessionOptions(identifier: "conflict"))
        var changes = ChangeSet()
        changes.inserts = [.init(entityIndex: game, rows: try rows(game, 1...1))]
        changes.updates = [
            .init(
                entityIndex: player, columns: [0], rows: try rows(player, 1...2, version: 2),
                baseVersions: [1, 7])
        ]
        #expect(try session.apply(changes).conflicts.count == 2)
        changes.inserts = []
        changes.updates[0].baseVersions = [1, 1]
        #expect(try session.apply(changes).conflicts.isEmpty)
        _ = try session.commit()
        let reader = try coordinator.openReadSession(SessionOptions(identifier: "read"))
        defer { reader.end() }
        let rows = try reader.rows([1, 2], entityIndex: player)
        #expect(rows.version(at: 0) == 2)
    }
}
#endif
