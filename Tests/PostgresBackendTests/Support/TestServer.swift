#if Postgres
import ContextCore
import Foundation
import Testing

@testable import PostgresBackend

/// The server that tests use: `scripts/test` starts one, or `STORE_TEST_POSTGRES_URL` names one.
enum TestServer {
    /// Whether tests that need a server run: where one is demanded they do, and fail without one.
    static var isExpected: Bool { url != nil || environment["STORE_REQUIRE_POSTGRES"] != nil }

    private static let environment = ProcessInfo.processInfo.environment

    private static var url: String? { environment["STORE_TEST_POSTGRES_URL"] }

    /// The address of a schema that no other test uses.
    static func freshURL() throws -> String {
        let url = try #require(url, "STORE_TEST_POSTGRES_URL names no server: run scripts/test.")
        let schema = "test_\(UUID().uuidString.prefix(8).lowercased())"
        return url + (url.contains("?") ? "&" : "?") + "schema=\(schema)"
    }

    static var password: String? { url.flatMap { try? StoreURL($0).password } }

    /// What no error may tell: the password, unless it is also the name of the user or the database, which errors tell.
    static var secret: String? {
        guard let url = url.flatMap({ try? StoreURL($0) }), let password = url.password else { return nil }
        return password == url.user || password == url.databaseName ? nil : password
    }

    /// The configuration of a schema that no other test uses.
    static func freshConfiguration() throws -> PostgresConfiguration {
        try PostgresConfiguration(StoreURL(freshURL()))
    }
}
#endif
