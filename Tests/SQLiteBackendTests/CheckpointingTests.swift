#if SQLite
import ContextCore
import Foundation
import Testing

@testable import SQLiteBackend

struct CheckpointingTests {
    @Test func `The log stays short, however much is written`() throws {
        let store = try TemporaryStore()
        let data = StoredValue.data(Data(repeating: 7, count: 1 << 20))
        for key in Int64(1)...24 {
            let conflicts = try store.save { changes, model in
                changes.inserts = [
                    .init(
                        entityIndex: try model.index("Game"),
                        rows: try model.rows("Game", [(key, ["title": .string("\(key)"), "data": data])]))
                ]
            }
            #expect(conflicts.isEmpty)
        }
        let attributes = try FileManager.default.attributesOfItem(atPath: store.path + "-wal")
        let size = try #require(attributes[.size] as? Int)
        #expect(size < 3 * Checkpointing.worthwhile)
    }
}
#endif
