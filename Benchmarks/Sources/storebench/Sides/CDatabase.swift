import CBaseline

/// A connection of the baseline in C, which one thread at a time uses.
final class CDatabase {
    private let handle: OpaquePointer
    private var team: (size: Int, pointer: OpaquePointer)?

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// Opens a SQLite file.
    init(path: String) throws {
        guard let handle = baseline_open(path) else {
            throw Failure(description: "The baseline's file could not be opened.")
        }
        self.handle = handle
    }

    /// Connects to a PostgreSQL server.
    init(address: String, schema: String) throws {
        guard let handle = baseline_connect(address, schema) else {
            throw Failure(description: "The baseline could not allocate memory.")
        }
        self.handle = handle
        let words = String(cString: baseline_error(handle))
        guard words.isEmpty else { throw Failure(description: words) }
    }

    deinit {
        if let team { baseline_team_close(team.pointer) }
        baseline_close(handle)
    }

    /// Calls a function of the baseline, and throws if it returns -1.
    @discardableResult
    func call(_ body: (OpaquePointer) -> Int64) throws -> Int64 {
        let result = body(handle)
        guard result >= 0 else { throw Failure(description: String(cString: baseline_error(handle))) }
        return result
    }

    /// Runs SQL on a server.
    func run(_ sql: String) throws { try call { baseline_run($0, sql) } }

    /// Returns the number of rows in a table on a server.
    func count(of table: String) throws -> Int64 {
        try call { baseline_number($0, "SELECT count(*) FROM \(table)") }
    }

    /// Opens a connection for each of a number of threads.
    func prepareTeam(of size: Int) {
        if team?.size != size { team = (size, baseline_team_open(handle, Int32(size))) }
    }

    /// Looks up rows on the threads of the prepared team.
    func lookUpByTeam(_ ids: [Int64]) throws -> Int64 {
        guard let team else { throw Failure(description: "No team was prepared.") }
        return try call { _ in baseline_look_up_team(team.pointer, ids, Int64(ids.count)) }
    }

    /// Increments rows on the threads of the prepared team, with a delay between reading and writing, and optionally with row locks.
    func incrementByTeam(_ ids: [Int64], after microseconds: Int = 0, locking: Bool = false) throws -> Int64 {
        guard let team else { throw Failure(description: "No team was prepared.") }
        return try call { _ in
            baseline_increment_team(
                team.pointer, ids, Int64(ids.count), Int64(microseconds), locking ? 1 : 0)
        }
    }

    /// Writes a row into the schema of each tenant, on the threads of the prepared team.
    func insertByTeam(_ tenants: [Int64], schemaPrefix: String) throws -> Int64 {
        guard let team else { throw Failure(description: "No team was prepared.") }
        return try call { _ in
            baseline_insert_team(team.pointer, schemaPrefix, tenants, Int64(tenants.count))
        }
    }

    /// The number of methods to write many rows at once.
    var methodCount: Int { Int(baseline_method_count(handle)) }

    /// Selects one of these methods by its index.
    func choose(method: Int) { baseline_choose_method(handle, Int32(method)) }

    /// Vacuums the tables of both sides on a server; does nothing for a file.
    func runMaintenance() throws {
        if methodCount > 1 { try call(baseline_run_maintenance) }
    }

    func fill(with rows: ItemRows) throws {
        try call(baseline_clear)
        try call { baseline_insert($0, rows.pointer, Int64(rows.count)) }
    }

    func fill(with graph: GameGraph) throws {
        try call(baseline_clear)
        try call { baseline_graph_create($0, graph.forC) }
    }
}

/// The baseline in C.
struct CSide: Side {
    let database: CDatabase
    let before: (CDatabase) throws -> Void
    let work: (CDatabase) throws -> Int64

    func prepare() async throws {
        try before(database)
        try database.call(baseline_run_maintenance)
    }

    func run(_ watch: Stopwatch) async throws -> Int64 {
        watch.start()
        defer { watch.stop() }
        return try work(database)
    }

    func stored() async throws -> Int64 {
        try database.call(baseline_fetch) &+ database.call(baseline_graph_fetch)
            &+ database.call(baseline_fetch_articles)
    }
}

/// A baseline with several methods to write rows: it tries all before the first round, and measures the fastest.
final class FastestMethod: Side {
    private let side: CSide
    private var isChosen = false

    init(_ side: CSide) { self.side = side }

    func prepare() async throws {
        if !isChosen { try await choose() }
        try await side.prepare()
    }

    func run(_ watch: Stopwatch) async throws -> Int64 { try await side.run(watch) }
    func stored() async throws -> Int64 { try await side.stored() }

    private func choose() async throws {
        isChosen = true
        var times: [Double] = []
        for method in 0..<side.database.methodCount {
            side.database.choose(method: method)
            var tries: [Double] = []
            for _ in 0..<3 where side.database.methodCount > 1 {
                try await side.prepare()
                let watch = Stopwatch()
                _ = try await side.run(watch)
                tries.append(watch.total.wall)
            }
            times.append(tries.min() ?? 0)
        }
        side.database.choose(method: times.indices.min { times[$0] < times[$1] } ?? 0)
    }
}
