import ContextCore
import Foundation
import PostgresBackend
import SQLiteBackend

/// The environment of a workload: its scale, its own files and schemas, and the stores of both sides.
final class WorkloadEnvironment {
    static let model: [ManagedObject.Type] = [Item.self, Article.self, Photo.self, Game.self, Player.self]

    let backend: BackendName
    let scale: Double
    /// The options that its stores are opened with.
    private let options: StoreOptions
    private let folder: WorkFolder
    private let server: DatabaseServer?
    /// The prefix of the schemas on the server.
    private let schemaPrefix = UUID().uuidString.prefix(8).lowercased()
    private var stores: [Store] = []
    private var schemas: [String] = []

    /// Creates the environment; under a profiler, work that depends on elapsed time is turned off.
    init(backend: BackendName, scale: Double, isProfiled: Bool) throws {
        options = isProfiled ? StoreOptions(watchInterval: nil) : StoreOptions()
        self.backend = backend
        self.scale = scale
        folder = try WorkFolder()
        server = backend == .postgres ? try DatabaseServer() : nil
    }

    /// Closes everything, and removes files and tables.
    func close() async throws {
        for store in stores { await store.close() }
        folder.remove()
        guard let server, !schemas.isEmpty else { return }
        let database = try server.connect(schema: "\(schemaPrefix)_ending")
        for schema in schemas + ["\(schemaPrefix)_ending"] {
            try database.run("DROP SCHEMA \"\(schema)\" CASCADE")
        }
    }

    /// Returns a number multiplied by the scale; at least 1.
    func scaled(_ count: Int) -> Int { max(1, Int((Double(count) * scale).rounded())) }

    /// Returns the two sides of a workload: C and the object graph or, for the in-memory store, the SQLite store and the in-memory store.
    ///
    /// - Parameters:
    ///   - writes: The order of writes of the store under test.
    ///   - before: Restores the data with which a round starts.
    ///   - work: The measured work.
    ///   - baselineBefore: The same as `before`, for C.
    ///   - writesMany: Whether C has several methods for the work, of which the fastest is the baseline.
    ///   - baseline: The measured work in C.
    func sides(
        writes: StoreOptions.WriteOrder = .ordered,
        before: @escaping (Store) async throws -> Void = { _ in },
        work: @escaping (Store, Stopwatch) async throws -> Int64,
        baselineBefore: @escaping (CDatabase) throws -> Void = { _ in }, writesMany: Bool = false,
        baseline: @escaping (CDatabase) throws -> Int64
    ) async throws -> Sides {
        let store = try await store(writes)
        switch backend {
        case .sqlite, .postgres:
            let database = try database()
            let ours = StoreSide(
                store: store, before: before, runMaintenance: database.runMaintenance, work: work)
            let other = CSide(database: database, before: baselineBefore, work: baseline)
            return Sides(baseline: writesMany ? FastestMethod(other) : other, ours: ours)
        case .memory:
            let reference = try await openStore("sqlite:\(folder.path("reference.sqlite"))")
            return Sides(
                baseline: StoreSide(store: reference, before: before, work: work),
                ours: StoreSide(store: store, before: before, work: work))
        }
    }

    /// The store under test.
    private func store(_ writes: StoreOptions.WriteOrder) async throws -> Store {
        switch backend {
        case .sqlite, .postgres: return try await openStore(storeURL, writes)
        case .memory:
            let store = try Store.inMemory(Self.model)
            stores.append(store)
            return store
        }
    }

    /// The address of the store under test.
    private var storeURL: String {
        guard let server else { return "sqlite:\(folder.path("ours.sqlite"))" }
        let schema = "\(schemaPrefix)_ours"
        if !schemas.contains(schema) { schemas.append(schema) }
        return server.storeURL(schema: schema)
    }

    /// Returns other processes that write to the store under test, each with a number of tasks; nil for an in-memory store.
    ///
    /// - Parameter isHot: Whether all tasks write to one row.
    func writerCrew(tasks: Int, isHot: Bool) -> WriterCrew? {
        backend == .memory ? nil : WriterCrew(url: storeURL, tasks: tasks, isHot: isHot)
    }

    private func openStore(
        _ url: String, _ writes: StoreOptions.WriteOrder = .ordered
    ) async throws -> Store {
        var options = options
        options.writes = writes
        let store = try await Store.open(
            url, backends: [.sqlite, .postgres], model: Self.model, options: options)
        stores.append(store)
        return store
    }

    /// Returns the two sides of a workload that saves an object for each of many tenants; without a server both sides are fleets over
    /// files.
    func tenantSides(count: Int, connections: Int) async throws -> Sides {
        guard let server else {
            func files(_ name: String) -> TenantStoreSide {
                TenantStoreSide(
                    url: "sqlite:\(folder.path(name))", tenants: (0..<count).map(String.init),
                    tasks: connections, options: options)
            }
            return Sides(baseline: files("reference.sqlite"), ours: files("ours.sqlite"))
        }
        let (ours, baseline) = ("\(schemaPrefix)_tenants", "\(schemaPrefix)_tenant")
        let url = server.storeURL(schema: ours) + "&connections=\(connections)"
        let database = try database()
        let numbers = (0..<Int64(count)).map { $0 }
        for number in numbers { schemas += ["\(ours)$\(number)", "\(baseline)\(number)"] }
        return Sides(
            baseline: TenantCSide(
                database: database, server: server, schemaPrefix: baseline, tenants: numbers,
                connections: connections),
            ours: TenantStoreSide(
                url: url, tenants: numbers.map(String.init), tasks: connections, options: options))
    }

    /// The baseline's database.
    private func database() throws -> CDatabase {
        guard let server else { return try CDatabase(path: folder.path("baseline.sqlite")) }
        return try server.connect(schema: schema("baseline"))
    }

    private func schema(_ name: String) -> String {
        schemas.append("\(schemaPrefix)_\(name)")
        return "\(schemaPrefix)_\(name)"
    }
}

/// A temporary folder of this run.
struct WorkFolder {
    private let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("storebench-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    func path(_ name: String) -> String { url.appendingPathComponent(name).path }

    func remove() { try? FileManager.default.removeItem(at: url) }
}
