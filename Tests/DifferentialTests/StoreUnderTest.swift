import ContextCore
import Foundation
import SQLiteBackend

@testable import PostgresBackend

/// The stores that have to answer as memory does.
enum StoreUnderTest: String, Sendable {
    case sqliteMemory, postgres

    private static let environment = ProcessInfo.processInfo.environment

    /// Those that are there: PostgreSQL where a server is named or demanded.
    static let present: [StoreUnderTest] =
        environment["STORE_TEST_POSTGRES_URL"] ?? environment["STORE_REQUIRE_POSTGRES"] == nil
        ? [.sqliteMemory] : [.sqliteMemory, .postgres]

    /// An open store, and what removes it.
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

    /// A moment before all others, long enough after the store's calendar begins that seconds can be taken from it.
    var firstMoment: Int64 { self == .postgres ? PostgresTimestamp.first + 12_622_780_800_000_000 : .min }
}
