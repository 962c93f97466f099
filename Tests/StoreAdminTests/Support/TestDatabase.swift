import ContextCore
import Foundation
import TestDatabases
import Testing

@testable import PostgresBackend

/// A separate database on the test server, for operations that wait for all transactions in a database.
///
/// It is created when it is first needed, and removed with this object.
final class TestDatabase {
    let url: String
    private let name = "made_" + UUID().uuidString.prefix(8).lowercased()
    private let server: PostgresConfiguration

    /// Nil if there is no server.
    init?() throws {
        guard let server = TestPlace.server, let url = try TestDatabases.address(of: name) else { return nil }
        self.url = url
        self.server = try PostgresConfiguration(StoreURL(server))
    }

    func make() throws { try PostgresConnection(server).execute("CREATE DATABASE \"\(name)\"") }

    /// Opens a connection to the database.
    func connection() throws -> PostgresConnection {
        try PostgresConnection(PostgresConfiguration(StoreURL(url)))
    }

    deinit {
        do {
            try PostgresConnection(server).execute("DROP DATABASE IF EXISTS \"\(name)\" WITH (FORCE)")
        } catch {
            Issue.record("The database \(name) is left: \(error)")
        }
    }
}
