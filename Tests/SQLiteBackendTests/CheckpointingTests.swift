#if SQLite
import RandomSeeds
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
        #expect(size < 3 * LogSizes().worthwhile)
    }

    /// Overlapping readers: each begins before the previous one ends, so that one is active at any time.
    @Test func `The log stays short despite permanent readers`() throws {
        let store = try TemporaryStore {
            $0.testHooks.logSizes.worthwhile = 256 << 10
            $0.testHooks.logSizes.urgent = 1 << 20
        }
        let coordinator = store.coordinator
        let isDone = Guarded(false)
        let group = DispatchGroup()
        for number in 0..<3 {
            DispatchQueue.global().async(group: group) {
                var random = SeededRandom(seed: UInt64(number))
                while !isDone.withLock({ $0 }) {
                    let session = try? coordinator.openReadSession(SessionOptions(identifier: "reader"))
                    usleep(UInt32.random(in: 20_000...60_000, using: &random))
                    session?.end()
                }
            }
        }
        let data = StoredValue.data(Data(repeating: 7, count: 64 << 10))
        var longest = 0
        for key in Int64(1)...400 {
            try store.save { changes, model in
                changes.inserts = [
                    .init(
                        entityIndex: try model.index("Game"),
                        rows: try model.rows("Game", [(key, ["title": .string("\(key)"), "data": data])]))
                ]
            }
            let attributes = try FileManager.default.attributesOfItem(atPath: store.path + "-wal")
            longest = max(longest, attributes[.size] as? Int ?? .max)
        }
        isDone.withLock { $0 = true }
        group.wait()
        #expect(longest < 8 << 20)
    }
}
#endif
