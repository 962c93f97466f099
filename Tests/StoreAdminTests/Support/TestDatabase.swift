import ContextCore
import Foundation
import TestDatabases
import Testing

@testable import PostgresBackend

/// A database of its own on the tests' server, for what waits for everybody else's transactions in a database.
///
/// It isn't there until somebody makes it, and goes with this.
final class TestDatabase {
    let url: String
    private let name = "made_" + UUID().uuidString.prefix(8).lowercased()
    private let server: PostgresConfiguration

    /// Nil where there is no server.
    init?() throws {
        guard let server = TestPlace.server, let url = try TestDatabases.address(of: name) else { return nil }
        self.url = url
        self.server = try PostgresConfiguration(StoreURL(server))
    }

    func make() throws { try PostgresConnection(server).execute("CREATE DATABASE \"\(name)\"") }

    /// A connection of the test's own.
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
