import ContextCore
import Foundation
import SQLiteBackend

/// What a workload plays on: the size, a folder of its own, and both sides' stores.
struct Stage {
    let options: Options
    let folder: URL

    /// A number of things at the run's scale; at least one.
    func scaled(_ count: Int) -> Int { max(1, Int((Double(count) * options.scale).rounded())) }

    /// The store under test.
    func store() async throws -> Store {
        switch options.backend {
        case .sqlite: try await sqliteStore("ours")
        case .memory: try Store.inMemory([Item.self, Game.self, Player.self])
        }
    }

    /// The two sides of a workload: C beside the object graph on SQLite; the store in memory beside the one on SQLite.
    func sides(
        before: @escaping (Store) async throws -> Void = { _ in },
        work: @escaping (Store, Stopwatch) async throws -> Int64,
        baselineBefore: @escaping (CDatabase) throws -> Void = { _ in },
        baseline: @escaping (CDatabase) throws -> Int64
    ) async throws -> Sides {
        let ours = StoreSide(store: try await store(), before: before, work: work)
        switch options.backend {
        case .sqlite:
            return Sides(
                baseline: CSide(
                    database: try CDatabase(folder: folder), before: baselineBefore, work: baseline),
                ours: ours)
        case .memory:
            return Sides(
                baseline: StoreSide(store: try await sqliteStore("reference"), before: before, work: work),
                ours: ours)
        }
    }

    private func sqliteStore(_ name: String) async throws -> Store {
        let path = folder.appendingPathComponent("\(name).sqlite").path
        return try await Store.open(
            "sqlite:\(path)", backends: [.sqlite], model: [Item.self, Game.self, Player.self])
    }
}

/// A folder for the files of one workload.
struct WorkFolder {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("storebench-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    func remove() { try? FileManager.default.removeItem(at: url) }
}
