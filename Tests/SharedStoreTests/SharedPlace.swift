import ContextCore
import Foundation
import SQLiteBackend
import Testing

@testable import PostgresBackend

/// A location of a store that several processes share, for each backend that supports it.
struct SharedPlace: Sendable, CustomStringConvertible {
    let description: String
    let url: String

    /// The available backends; PostgreSQL if a server is configured.
    static var kinds: [String] {
        var kinds = ["SQLite"]
        if server != nil || environment["STORE_REQUIRE_POSTGRES"] != nil { kinds.append("PostgreSQL") }
        return kinds
    }

    private static let environment = ProcessInfo.processInfo.environment
    private static var server: String? { environment["STORE_TEST_POSTGRES_URL"] }

    /// Creates an unused location.
    init(_ kind: String) throws {
        description = kind
        let name = "shared_\(UUID().uuidString.prefix(8).lowercased())"
        if kind == "SQLite" {
            let folder = FileManager.default.temporaryDirectory.appendingPathComponent(name)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            url = "sqlite:\(folder.path)/store.sqlite"
        } else {
            let server = try #require(
                Self.server, "STORE_TEST_POSTGRES_URL names no server: run scripts/test.")
            url = server + (server.contains("?") ? "&" : "?") + "schema=\(name)"
        }
    }

    func open() async throws -> Store {
        try await Store.open(url, backends: [.sqlite, .postgres], model: SharedModel.classes)
    }

    /// Removes the files of the store; stores on the test server are removed with the server.
    func remove() {
        guard let path = url.split(separator: ":").last, url.hasPrefix("sqlite:") else { return }
        try? FileManager.default.removeItem(
            at: URL(filePath: String(path)).deletingLastPathComponent())
    }
}

extension SharedPlace {
    /// Makes the server terminate one of the connections to the store, if there is a server.
    func endConnection() {
        #if Postgres
        guard !url.hasPrefix("sqlite:"), let store = try? StoreURL(url),
            let configuration = try? PostgresConfiguration(store),
            let connection = try? PostgresConnection(configuration)
        else { return }
        _ = try? connection.integer(
            """
            SELECT pg_terminate_backend(pid)::int FROM pg_stat_activity \
            WHERE query LIKE '%\(configuration.schema)%' AND pid <> pg_backend_pid() ORDER BY random() LIMIT 1
            """)
        #endif
    }
}
