#if SQLite
import CSQLite
import ContextCore
import Testing

@testable import SQLiteBackend

/// A request for all owners scans the table, unless many rows have no owner.
struct AllOwnersTests {
    @Test func `A table is scanned as long as few of its rows have no owner`() throws {
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
        /// Checks the members of the owners, and returns the number of rows that SQLite scans for them; 0 if it uses the index.
        func passedRows(_ owners: ClosedRange<Int64>) throws -> Int32? {
            let plan = RelatedPlan(
                entityIndex: game.index, slot: slot, owners: Array(owners), ownersAreAll: true)
            var expected: [Int64] = []
            for owner in owners { expected += (1...200).filter { $0 % 80 + 1 == owner } }
            try store.read { session in
                let related = try session.related(plan)
                #expect(related.links.map(\.target) == expected)
                #expect(related.rows.map { rows in (0..<rows.count).map(rows.key) } == expected)
            }
            return try store.passedRows(of: "player")
        }
        #expect(try passedRows(1...72) == 199)
        // With an eighth of the rows, these are too many.
        try save(201...208) { _ in .null }
        #expect(try passedRows(1...72) == 207)
        try save(209...209) { _ in .null }
        #expect(try passedRows(1...72) == 0)
        // A few owners are found faster by the index.
        #expect(try passedRows(1...63) == 0)
    }
}

extension TemporaryStore {
    /// Returns the number of rows of a table that the reader has scanned since the last call; nil if it has not scanned the table.
    fileprivate func passedRows(of table: String) throws -> Int32? {
        let readers = coordinator.store.readers
        let connection = try readers.borrow()
        defer { readers.returnConnection(connection) }
        var count: Int32?
        var statement = sqlite3_next_stmt(connection.handle, nil)
        while let current = statement {
            let steps = sqlite3_stmt_status(current, SQLITE_STMTSTATUS_FULLSCAN_STEP, 1)
            if let text = sqlite3_sql(current), String(cString: text).contains("\"\(table)\"") {
                count = (count ?? 0) + steps
            }
            statement = sqlite3_next_stmt(connection.handle, current)
        }
        return count
    }
}
#endif
