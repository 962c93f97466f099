#if SQLite
import ContextCore
import Foundation
import RandomSeeds
import Testing

@testable import SQLiteBackend

/// Randomly damaged files: every request succeeds or throws, and never traps.
///
/// `STORE_DAMAGE_ROUNDS` is the number of rounds, and `STORE_DAMAGE_SEED` the first seed.
struct DamagedFileTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let rounds = environment["STORE_DAMAGE_ROUNDS"].flatMap { UInt64($0) } ?? 60
    private static let seed = environment["STORE_DAMAGE_SEED"].flatMap { UInt64($0) } ?? 1

    /// Returns the bytes of a store with objects, whose log is in the file.
    private func whole(_ store: TemporaryStore) throws -> [UInt8] {
        let graphs = SavedGraphs(model: store.model)
        for number in 1...5 { try graphs.save(number, to: store.coordinator) }
        store.coordinator.close()
        let connection = try SQLiteConnection(path: store.path, access: .readAndWrite, timeout: .zero)
        _ = try connection.text("PRAGMA journal_mode = delete")
        connection.close()
        return try Array(Data(contentsOf: URL(filePath: store.path)))
    }

    private func damaged(_ bytes: [UInt8], _ random: inout SeededRandom) -> [UInt8] {
        var bytes = bytes
        // Most of the damage is in the contents of pages, some of it in the header and the schema.
        let isNearStart = Int.random(in: 0..<4, using: &random) == 0
        for _ in 0..<Int.random(in: 1...40, using: &random) {
            let place = Int.random(in: 0..<(isNearStart ? 4096 : bytes.count), using: &random)
            bytes[place] =
                Bool.random(using: &random) ? .random(in: 0...255, using: &random) : bytes[place] ^ 0x80
        }
        if Int.random(in: 0..<10, using: &random) == 0 {
            bytes.removeLast(Int.random(in: 0..<bytes.count, using: &random))
        }
        return bytes
    }

    /// Reads everything in the store: every value of every row, members of some owners, the metadata and the history.
    ///
    /// - Returns: The errors, one for each request that failed.
    private func readEverything(_ path: String, _ model: ObjectModel) -> [any Error] {
        var errors: [any Error] = []
        func attempt(_ request: () throws -> Void) {
            do { try request() } catch { errors.append(error) }
        }
        attempt {
            let coordinator = try SQLiteCoordinator(
                model: model, SQLiteConfiguration(path: path, mode: .write))
            defer { coordinator.close() }
            attempt { _ = try coordinator.metadata() }
            let session = try coordinator.openReadSession(SessionOptions(identifier: "damaged"))
            defer { session.end() }
            attempt { _ = try session.history(HistoryRequest()) }
            for layout in model.layouts where !layout.isAbstract {
                attempt { readAll(try session.fetch(FetchPlan(entityIndex: layout.index)), model) }
                attempt {
                    readAll(try session.rows([1, 2, 1000, 1001], entityIndex: layout.index), model)
                }
                for property in layout.properties
                where property.relationship?.description.isToMany == true {
                    let plan = RelatedPlan(
                        entityIndex: layout.index, slot: property.slot, owners: [1, 2, 1000, 1001])
                    attempt {
                        if let rows = try session.related(plan).rows { readAll(rows, model) }
                    }
                }
            }
        }
        return errors
    }

    private func readAll(_ batch: RowBatch, _ model: ObjectModel) {
        for row in 0..<batch.count {
            for column in model.layouts[batch.entityIndex(at: row)].columns.indices {
                _ = batch.value(column, at: row)
            }
        }
    }

    @Test func `Requests to a damaged file succeed or throw`() throws {
        let store = try TemporaryStore()
        let bytes = try whole(store)
        let folder = try TemporaryFolder()
        for seed in Self.seed..<Self.seed + Self.rounds {
            var random = SeededRandom(seed: seed)
            let path = folder.url.appendingPathComponent("\(seed).sqlite").path
            try Data(damaged(bytes, &random)).write(to: URL(filePath: path))
            for error in readEverything(path, store.model) where !(error is StoreError) {
                Issue.record("STORE_DAMAGE_SEED=\(seed): \(type(of: error)) \(error)")
            }
            for file in ["", "-wal", "-shm", "-journal"] {
                try? FileManager.default.removeItem(atPath: path + file)
            }
        }
    }
}
#endif
