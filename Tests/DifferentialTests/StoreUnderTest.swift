import ContextCore
import Foundation
import SQLiteBackend

@testable import PostgresBackend

/// The backends that are compared with the in-memory store.
enum StoreUnderTest: String, Sendable {
    case sqliteMemory, postgres

    private static let environment = ProcessInfo.processInfo.environment

    /// The available backends: PostgreSQL if a server is configured or required.
    static let present: [StoreUnderTest] =
        environment["STORE_TEST_POSTGRES_URL"] ?? environment["STORE_REQUIRE_POSTGRES"] == nil
        ? [.sqliteMemory] : [.sqliteMemory, .postgres]

    /// Opens a store, and returns it with a function that removes it.
    func open(_ model: ObjectModel) throws -> (any StoreCoordinator, remove: () throws -> Void) {
        switch self {
        case .sqliteMemory: return (try SQLiteCoordinator(model: model, SQLiteConfiguration(path: nil)), {})
        case .postgres:
            var configuration = try PostgresConfiguration(
                StoreURL(Self.environment["STORE_TEST_POSTGRES_URL"] ?? ""))
            configuration.schema = "differential_\(UUID().uuidString.prefix(8).lowercased())"
            configuration.connections = 2
            let schema = configuration.schema
            let coordinator = try PostgresCoordinator(model: model, configuration)
            return (
                coordinator,
                { [configuration] in
                    try PostgresConnection(configuration).execute("DROP SCHEMA \"\(schema)\" CASCADE")
                }
            )
        }
    }

    /// The earliest timestamp for tests, late enough after the start of the store's calendar that seconds can be subtracted.
    var firstMoment: Int64 { self == .postgres ? PostgresTimestamp.earliest + 12_622_780_800_000_000 : .min }
}
