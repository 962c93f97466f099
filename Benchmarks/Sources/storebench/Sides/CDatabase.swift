import CBaseline
import Foundation

/// The baseline's database: a connection of the C functions, used from one thread at a time.
final class CDatabase {
    let path: String
    private let handle: OpaquePointer

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    init(folder: URL) throws {
        path = folder.appendingPathComponent("baseline.sqlite").path
        guard let handle = baseline_open(path, 1) else {
            throw Failure(description: "The baseline's file could not be opened.")
        }
        self.handle = handle
    }

    deinit { baseline_close(handle) }

    /// Calls one of the C functions, which answer -1 after an error.
    @discardableResult
    func call(_ body: (OpaquePointer) -> Int64) throws -> Int64 {
        let answer = body(handle)
        guard answer >= 0 else { throw Failure(description: String(cString: baseline_error(handle))) }
        return answer
    }

    func fill(with rows: ItemRows) throws {
        try call(baseline_clear)
        try call { baseline_insert($0, rows.pointer, Int64(rows.count)) }
        try call(baseline_checkpoint)
    }

    func fillGraph(games: Int, players: Int) throws {
        try call(baseline_clear)
        try call { baseline_graph_create($0, Int64(games), Int64(players)) }
        try call(baseline_checkpoint)
    }
}

/// A side that is C.
struct CSide: Side {
    let database: CDatabase
    var before: (CDatabase) throws -> Void = { _ in }
    let work: (CDatabase) throws -> Int64

    func prepare() async throws { try before(database) }

    func run(_ watch: Stopwatch) async throws -> Int64 {
        watch.start()
        defer { watch.stop() }
        return try work(database)
    }
}
