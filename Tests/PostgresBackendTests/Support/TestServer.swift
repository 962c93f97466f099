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

    /// What no error may tell.
    static var password: String? { url.flatMap { try? StoreURL($0).password } }

    /// The configuration of a schema that no other test uses.
    static func freshConfiguration() throws -> PostgresConfiguration {
        try PostgresConfiguration(StoreURL(freshURL()))
    }
}
#endif
