#if SQLite
import ContextCore
import Testing

@testable import SQLiteBackend

struct KeyTests {
    private func reserve(_ store: TemporaryStore, _ count: Int) throws -> Range<Int64> {
        let game = try store.model.index("Game")
        let session = try store.coordinator.openWriteSession(SessionOptions(identifier: "keys"))
        defer { session.end() }
        let keys = try session.reserveKeys(count, rootIndex: game)
        _ = try session.commit()
        return keys
    }

    @Test func `The key of an inserted row is not allocated, even after the row is deleted`() throws {
        let store = try TemporaryStore()
        let game = try store.model.index("Game")
        #expect(try reserve(store, 1) == 1..<2)
        for key: Int64 in [5, 500] {
            try store.save { changes, model in
                changes.inserts = [
                    .init(
                        entityIndex: game, rows: try model.rows("Game", [(key, ["title": .string("\(key)")])])
                    )
                ]
            }
            try store.save { changes, _ in
                changes.deletes = [.init(entityIndex: game, keys: [key], baseVersions: [nil])]
            }
            #expect(try reserve(store, 1).lowerBound > key)
        }
        try store.reopen()
        #expect(try reserve(store, 1).lowerBound > 500)
    }

    @Test func `A key that another program used without a reservation is not allocated`() throws {
        let store = try TemporaryStore()
        #expect(try reserve(store, 1) == 1..<2)
        let other = try SQLiteConnection(path: store.path, access: .readAndWrite, timeout: .seconds(5))
        try other.execute("INSERT INTO \"game\" (\"_id\", \"_version\", \"title\") VALUES (3, 1, 'Go')")
        other.close()
        #expect(try reserve(store, 4).contains(3) == false)
    }

    @Test func `A key whose row is restored by a rollback is not allocated`() throws {
        let store = try TemporaryStore()
        let game = try store.model.index("Game")
        #expect(try reserve(store, 1) == 1..<2)
        let other = try SQLiteConnection(path: store.path, access: .readAndWrite, timeout: .seconds(5))
        try other.execute("INSERT INTO \"game\" (\"_id\", \"_version\", \"title\") VALUES (3, 1, 'Go')")
        other.close()
        let session = try store.coordinator.openWriteSession(SessionOptions(identifier: "keys"))
        var deletion = ChangeSet(author: "test")
        deletion.deletes = [.init(entityIndex: game, keys: [3], baseVersions: [nil])]
        #expect(try session.apply(deletion).conflicts.isEmpty)
        _ = try session.reserveKeys(1, rootIndex: game)
        session.end()
        #expect(try reserve(store, 3).contains(3) == false)
    }

    @Test func `A key that is used after the check is not allocated either`() throws {
        let store = try TemporaryStore()
        for key in Int64(1)...3 { #expect(try reserve(store, 1) == key..<key + 1) }
        let other = try SQLiteConnection(path: store.path, access: .readAndWrite, timeout: .seconds(5))
        try other.execute("INSERT INTO \"game\" (\"_id\", \"_version\", \"title\") VALUES (5, 1, 'Go')")
        other.close()
        #expect(try reserve(store, 3).contains(5) == false)
    }
}
#endif
