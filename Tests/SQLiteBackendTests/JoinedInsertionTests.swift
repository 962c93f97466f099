#if SQLite
import ContextCore
import Foundation
import Testing

@testable import SQLiteBackend

/// Insertions of many rows, with statements for several rows at once.
struct JoinedInsertionTests {
    /// No multiple of the rows per statement, so the last rows are inserted one by one.
    private static let count: Int64 = 301

    private static func rows(from first: Int64 = 1) -> [(Int64, [String: StoredValue])] {
        (first..<first + count).map { key in
            var values: [String: StoredValue] = ["title": .string("Game \(key)")]
            if key % 2 == 0 { values["price"] = .decimal(Decimal(key) / 100) }
            if key % 3 == 0 { values["startedAt"] = .timestamp(microseconds: -key) }
            if key % 4 == 0 { values["data"] = .data(Data(repeating: UInt8(key % 251), count: Int(key % 7))) }
            if key % 5 == 0 { values["uuid"] = .uuid(UUID()) }
            if key % 7 == 0 { values["weight"] = .double(Double(key) / 3) }
            if key % 11 == 0 { values["huge"] = .decimal(Decimal(key) * 10_000_000_000) }
            return (key, values)
        }
    }

    @Test func `Each row has its own values`() throws {
        let store = try TemporaryStore()
        let game = try store.model.index("Game")
        let expected = Self.rows()
        let conflicts = try store.save { changes, model in
            changes.inserts = [.init(entityIndex: game, rows: try model.rows("Game", expected))]
        }
        #expect(conflicts.isEmpty)
        try store.read { session in
            let rows = try session.rows(expected.map(\.0), entityIndex: game)
            #expect(rows.count == expected.count)
            for row in 0..<rows.count {
                let values = expected[Int(rows.key(at: row)) - 1].1
                #expect(rows.version(at: row) == 1)
                for (column, layout) in store.model.layouts[game].columns.enumerated() {
                    #expect(rows.value(column, at: row) == values[layout.name] ?? .null)
                }
            }
        }
    }

    @Test func `A conflict of one row with an existing one prevents all insertions`() throws {
        let store = try TemporaryStore()
        let game = try store.model.index("Game")
        try store.save { changes, model in
            changes.inserts = [
                .init(
                    entityIndex: game, rows: try model.rows("Game", [(1000, ["title": .string("Game 200")])]))
            ]
        }
        let conflicts = try store.save { changes, model in
            changes.inserts = [.init(entityIndex: game, rows: try model.rows("Game", Self.rows()))]
        }
        #expect(conflicts.map(\.key) == [200])
        let count = try store.read { try $0.fetch(FetchPlan(entityIndex: game)).count }
        #expect(count == 1)
    }
}
#endif
