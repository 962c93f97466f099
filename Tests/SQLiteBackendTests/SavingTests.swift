#if SQLite
import ContextCore
import Foundation
import Testing

@testable import SQLiteBackend

struct SavingTests {
    @Test func `Saved values are fetched unchanged`() throws {
        let store = try TemporaryStore()
        let values: [String: StoredValue] = [
            "title": .string("Gö\u{308} 囲碁"), "price": .decimal(Decimal(string: "-1234567.89") ?? 0),
            "startedAt": .timestamp(microseconds: -1), "data": .data(Data()),
            "uuid": .uuid(UUID()), "weight": .double(.infinity),
            "huge": .decimal(Decimal(string: "-1234567890123456789012345678.0123456789") ?? 0),
        ]
        let conflicts = try store.save { changes, model in
            changes.inserts = [
                .init(entityIndex: try model.index("Game"), rows: try model.rows("Game", [(7, values)]))
            ]
        }
        #expect(conflicts.isEmpty)
        try store.read { session in
            let game = try #require(store.model.layout(named: "Game"))
            let rows = try session.rows([7], entityIndex: game.index)
            #expect(rows.count == 1)
            for (column, layout) in game.columns.enumerated() {
                #expect(rows.value(column, at: 0) == values[layout.name] ?? .null, "\(layout.name)")
            }
            #expect(try session.rows([7, 8, 7], entityIndex: game.index).count == 1)
            #expect(try session.fetch(FetchPlan(entityIndex: game.index)).count == 1)
        }
    }

    @Test func `Two rows may swap their unique values in one save`() throws {
        let store = try TemporaryStore()
        let game = try store.model.index("Game")
        try store.save { changes, model in
            changes.inserts = [
                .init(
                    entityIndex: game,
                    rows: try model.rows(
                        "Game", [(1, ["title": .string("Go")]), (2, ["title": .string("Chess")])]))
            ]
        }
        let title = try #require(store.model.layouts[game].columns.firstIndex { $0.name == "title" })
        let conflicts = try store.save { changes, model in
            changes.updates = [
                .init(
                    entityIndex: game, columns: [title],
                    rows: try model.rows(
                        "Game", version: 2, [(1, ["title": .string("Chess")]), (2, ["title": .string("Go")])]),
                    baseVersions: [1, 1])
            ]
        }
        #expect(conflicts.isEmpty)
        try store.read { session in
            let rows = try session.rows([1], entityIndex: game)
            #expect(rows.value(title, at: 0) == .string("Chess"))
            #expect(rows.version(at: 0) == 2)
        }
    }

    @Test func `A uniqueness violation names both rows, and nothing is saved`() throws {
        let store = try TemporaryStore()
        let game = try store.model.index("Game")
        try store.save { changes, model in
            changes.inserts = [
                .init(entityIndex: game, rows: try model.rows("Game", [(1, ["title": .string("Go")])]))
            ]
        }
        let conflicts = try store.save { changes, model in
            changes.inserts = [
                .init(
                    entityIndex: game,
                    rows: try model.rows(
                        "Game", [(2, ["title": .string("Chess")]), (3, ["title": .string("Go")])]))
            ]
        }
        #expect(
            conflicts == [
                RowConflict(entityIndex: game, key: 3, reason: .duplicate(constraint: ["title"], otherKey: 1))
            ])
        let count = try store.read { try $0.rows([1, 2, 3], entityIndex: game).count }
        #expect(count == 1)
    }

    @Test func `A stale update reports the stored version`() throws {
        let store = try TemporaryStore()
        let player = try store.model.index("Player")
        let values: [String: StoredValue] = ["name": .string("Ann"), "score": .int(1)]
        try store.save { changes, model in
            changes.inserts = [.init(entityIndex: player, rows: try model.rows("Player", [(1, values)]))]
        }
        let conflicts = try store.save { changes, model in
            changes.updates = [
                .init(
                    entityIndex: player, columns: [1],
                    rows: try model.rows("Player", version: 8, [(1, values)]),
                    baseVersions: [7])
            ]
            changes.deletes = [.init(entityIndex: player, keys: [9], baseVersions: [1])]
        }
        #expect(
            conflicts == [
                RowConflict(entityIndex: player, key: 1, reason: .changed(storedVersion: 1)),
                RowConflict(entityIndex: player, key: 9, reason: .deleted),
            ])
    }

    @Test func `A dangling reference is reported with its row and property`() throws {
        let store = try TemporaryStore()
        let player = try store.model.index("Player")
        let conflicts = try store.save { changes, model in
            let values: [String: StoredValue] = ["name": .string("Ann"), "score": .int(1), "game": .int(99)]
            changes.inserts = [.init(entityIndex: player, rows: try model.rows("Player", [(1, values)]))]
        }
        #expect(
            conflicts == [
                RowConflict(entityIndex: player, key: 1, reason: .missingReference(property: "game"))
            ])
    }

    @Test func `Related rows are grouped by owner, in their order`() throws {
        let store = try TemporaryStore()
        let (game, player) = (try store.model.index("Game"), try store.model.index("Player"))
        let players = try #require(store.model.layouts[game].property(named: "players")).slot
        try store.save { changes, model in
            changes.inserts = [
                .init(
                    entityIndex: game,
                    rows: try model.rows(
                        "Game", [(1, ["title": .string("Go")]), (2, ["title": .string("Chess")])])),
                .init(
                    entityIndex: player,
                    rows: try model.rows(
                        "Player",
                        (1...4).map {
                            (
                                Int64($0),
                                ["name": .string("P\($0)"), "score": .int(0), "game": .int($0 % 2 + 1)]
                            )
                        }
                    )),
            ]
            changes.links = [
                .init(
                    entityIndex: game, slot: players,
                    placed: [
                        .init(owner: 1, target: 2, position: 20), .init(owner: 1, target: 4, position: 10),
                        .init(owner: 2, target: 1, position: 1), .init(owner: 2, target: 3, position: 2),
                    ], removed: [])
            ]
        }
        try store.read { session in
            let related = try session.related(
                RelatedPlan(entityIndex: game, slot: players, owners: [2, 1, 5]))
            #expect(related.links.map(\.target) == [1, 3, 4, 2])
            #expect(related.links.map(\.owner) == [2, 2, 1, 1])
            #expect(related.rows?.count == 4)
        }
    }
}
#endif
