#if SQLite
import ContextCore
import Testing

@testable import SQLiteBackend

/// Where all owners are asked for, the table is gone through, unless many rows have no owner.
struct AllOwnersTests {
    @Test func `A table is gone through as long as few of its rows have no owner`() throws {
        let store = try TemporaryStore()
        let game = try #require(store.model.layout(named: "Game"))
        let slot = try #require(game.property(named: "players")).slot
        func save(_ keys: ClosedRange<Int64>, owner: (Int64) -> StoredValue) throws {
            let players = keys.map { key in
                (key, ["name": StoredValue.string("p"), "score": .int(0), "game": owner(key)])
            }
            try store.save { changes, model in
                let rows = try model.rows("Player", players)
                changes.inserts = [.init(entityIndex: try model.index("Player"), rows: rows)]
            }
        }
        try store.save { changes, model in
            let games = (1...80).map { (Int64($0), ["title": StoredValue.string("\($0)")]) }
            changes.inserts = [.init(entityIndex: game.index, rows: try model.rows("Game", games))]
        }
        try save(1...200) { .int($0 % 80 + 1) }
        /// How many rows come for owners that are not all of them: those of others, too, if the table is gone through.
        func rowCount(_ owners: ClosedRange<Int64>) throws -> Int? {
            let plan = RelatedPlan(
                entityIndex: game.index, slot: slot, owners: Array(owners), ownersAreAll: true)
            var count: Int?
            try store.read { session in
                let related = try session.related(plan)
                #expect(related.links.allSatisfy { owners.contains($0.owner) })
                #expect(related.links.count == (1...200).count { owners.contains(Int64($0 % 80 + 1)) })
                count = related.rows?.count
            }
            return count
        }
        #expect(try rowCount(1...72) == 200)
        // An eighth of the owners is too many.
        try save(201...208) { _ in .null }
        #expect(try rowCount(1...72) == 200)
        try save(209...209) { _ in .null }
        #expect(try rowCount(1...72) == 184)
        // To ask for few owners is quicker one by one.
        #expect(try rowCount(1...63) == 166)
    }
}
#endif
