#if Postgres
import ContextCore
import Foundation
import Testing

@testable import PostgresBackend

/// The test server: `scripts/test` starts one, or `STORE_TEST_POSTGRES_URL` names one.
enum TestServer {
    /// Whether tests with a server run; if the environment requires a server, they fail without one.
    static var isExpected: Bool { url != nil || environment["STORE_REQUIRE_POSTGRES"] != nil }

    private static let environment = ProcessInfo.processInfo.environment

    private static var url: String? { environment["STORE_TEST_POSTGRES_URL"] }

    /// Returns the URL of a schema that no other test uses.
    static func freshURL() throws -> String {
        let url = try #require(url, "STORE_TEST_POSTGRES_URL names no server: run scripts/test.")
        let schema = "test_\(UUID().uuidString.prefix(8).lowercased())"
        return url + (url.contains("?") ? "&" : "?") + "schema=\(schema)"
    }

    static var password: String? { url.flatMap { try? StoreURL($0).password } }

    /// The password, which no error may contain; nil if it equals the user or the database, which errors may contain.
    static var secret: String? {
        guard let url = url.flatMap({ try? StoreURL($0) }), let password = url.password else { return nil }
        return password == url.user || password == url.databaseName ? nil : password
    }

    /// Returns the configuration of a schema that no other test uses.
    static func freshConfiguration() throws -> PostgresConfiguration {
        try PostgresConfiguration(StoreURL(freshURL()))
    }
}
#endif
