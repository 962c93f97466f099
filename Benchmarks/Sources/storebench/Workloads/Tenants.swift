import ContextCore
import PostgresBackend
import SQLiteBackend

extension Workload {
    /// Opens two thousand existing stores and saves an object in each, in eight tasks with eight connections; C selects the schema and
    /// writes the row.
    static let tenants = Workload(name: "tenants-2000", bars: [.postgres: .ratio(2.5)]) { environment in
        try await environment.tenantSides(count: environment.scaled(2000), connections: 8)
    }
}

/// A fleet that opens each tenant's store and saves an object in it.
struct TenantStoreSide: Side {
    let url: String
    let tenants: [String]
    let tasks: Int
    let options: StoreOptions
    private let made = Once()

    private func fleet() throws -> StoreFleet {
        try StoreFleet(url, backends: [.sqlite, .postgres], model: [Item.self], options: options)
    }

    /// Runs a closure with the store of each tenant, in concurrent tasks, and returns the sum of the results.
    private func forEach(_ body: @escaping @Sendable (Store) async throws -> Int64) async throws -> Int64 {
        let fleet = try fleet()
        let sum = try await withThrowingTaskGroup(of: Int64.self) { group in
            for task in 0..<tasks {
                let share = tenants[tenants.count * task / tasks..<tenants.count * (task + 1) / tasks]
                group.addTask {
                    var sum: Int64 = 0
                    for tenant in share { sum += try await body(fleet.store(tenant)) }
                    return sum
                }
            }
            return try await group.reduce(0, +)
        }
        await fleet.close()
        return sum
    }

    func prepare() async throws {
        if made.first("stores") { _ = try await forEach { _ in 0 } }
    }

    func run(_ watch: Stopwatch) async throws -> Int64 {
        let values = ItemRows(count: 1).values
        watch.start()
        let result = try await forEach { store in
            try await store.insert(values)
            return 1
        }
        watch.stop()
        return result
    }

    func stored() async throws -> Int64 {
        try await forEach { store in try await store.read { Int64(try $0.count(Item.self)) } }
    }
}

/// The baseline on a server: each thread has a connection, selects the schemas of tenants and writes a row into each.
struct TenantCSide: Side {
    let database: CDatabase
    let server: DatabaseServer
    let schemaPrefix: String
    let tenants: [Int64]
    let connections: Int
    private let made = Once()

    func prepare() async throws {
        if made.first("schemas") {
            for tenant in tenants { _ = try server.connect(schema: "\(schemaPrefix)\(tenant)") }
        }
        database.prepareTeam(of: connections)
    }

    func run(_ watch: Stopwatch) async throws -> Int64 {
        watch.start()
        let result = try database.insertByTeam(tenants, schemaPrefix: schemaPrefix)
        watch.stop()
        return result
    }

    func stored() async throws -> Int64 {
        // The rows of all rounds so far.
        try tenants.reduce(0) { sum, tenant in
            sum + (try database.count(of: "\"\(schemaPrefix)\(tenant)\".item"))
        }
    }
}
