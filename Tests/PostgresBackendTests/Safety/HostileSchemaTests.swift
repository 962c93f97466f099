#if Postgres
import ContextCore
import Foundation
import StoreConformance
import Testing

@testable import PostgresBackend

/// A store works in a schema in which others may create objects: none of these is ever called.
@Suite(.enabled(if: TestServer.isExpected))
struct HostileSchemaTests {
    /// Topics that use functions, operators, types and tables of every kind.
    private static let topics: Set<String> = [
        "predicates", "orders", "aggregates", "batches", "history", "members", "uniqueness", "locking",
    ]

    /// A store in the schema `public` of a new database, in which another role has created objects and can create more.
    private static let fixture = StoreFixture(
        name: "PostgreSQL among enemies",
        capabilities: [.persistent, .sharedByProcesses, .history, .concurrentReads]
    ) { place, model in
        let configuration = try configuration(place)
        try makeDatabase(place)
        let coordinator = try PostgresCoordinator(model: model, configuration)
        let pool = coordinator.store.pool
        let connections = try (0..<3).map { _ in try pool.borrow(for: "plant") }
        for connection in connections {
            try HostileObjects.plantTemporary(connection)
            pool.returnConnection(connection)
        }
        return coordinator
    } remove: { place in
        try PostgresConnection(TestServer.freshConfiguration()).execute(
            "DROP DATABASE \"\(place)\" WITH (FORCE)")
    }

    private static func configuration(_ database: String) throws -> PostgresConfiguration {
        var configuration = try TestServer.freshConfiguration()
        (configuration.database, configuration.schema, configuration.connections) = (database, "public", 12)
        return configuration
    }

    /// Creates a database, unless it exists, from a template with all hostile objects.
    private static func makeDatabase(_ name: String) throws {
        let server = try PostgresConnection(TestServer.freshConfiguration())
        let pattern = try pattern.get()
        let isThere = try server.integer("SELECT count(*) FROM pg_database WHERE datname = '\(name)'") != 0
        if !isThere { try server.execute("CREATE DATABASE \"\(name)\" TEMPLATE \"\(pattern)\"") }
    }

    private static let pattern = Result {
        let name = "hostile_\(UUID().uuidString.prefix(8).lowercased())"
        try PostgresConnection(TestServer.freshConfiguration()).execute("CREATE DATABASE \"\(name)\"")
        let connection = try PostgresConnection(configuration(name))
        try HostileObjects.plant(in: "public", connection)
        try connection.execute("GRANT ALL ON SCHEMA public TO PUBLIC")
        return name
    }

    private static let cases = ConformanceCase.cases(for: fixture).filter { topics.contains($0.topic) }

    @Test(arguments: cases)
    func `The conformance suite passes in a schema with hostile objects`(_ testCase: ConformanceCase)
        async throws
    {
        try await testCase.run(on: Self.fixture)
    }

    @Test func `A program with unqualified names calls the hostile objects`() throws {
        let server = try TestServer.freshConfiguration()
        let name = "victim_\(UUID().uuidString.prefix(8).lowercased())"
        try Self.makeDatabase(name)
        let connection = try PostgresConnection(Self.configuration(name))
        try connection.execute("SET search_path = public")
        for statement in [
            "SELECT lower('A'::varchar)", "SELECT 1::int4 + 1::numeric", "SELECT 'a'::text || 1::int4",
            "SELECT \"_store_add_integer\"(1, 2)",
        ] {
            let error = #expect(throws: StoreError.self) { try connection.execute(statement) }
            #expect(error?.detail?.contains("hostile") == true, "\(statement)")
        }
        connection.forceClose()
        try PostgresConnection(server).execute("DROP DATABASE \"\(name)\" WITH (FORCE)")
    }
}
#endif
