import Foundation

/// A kind of database for the stores of the studio's tests.
enum StudioPlace: String, CaseIterable, Sendable, CustomStringConvertible {
    case sqlite, postgres

    var description: String { rawValue }

    /// The kinds to test; a missing server is a failure where one is required.
    static var available: [StudioPlace] {
        allCases.filter { $0 == .sqlite || server != nil || environment["STORE_REQUIRE_POSTGRES"] == "1" }
    }

    private static let environment = ProcessInfo.processInfo.environment
    private static let server = environment["STORE_TEST_POSTGRES_URL"]

    /// Returns the address of a store that no other test uses; a file is in the folder of the studio.
    func freshURL() throws -> String {
        guard self == .postgres else { return StudioStore.url }
        guard let server = Self.server else { throw MissingServer() }
        let name = "studio_" + UUID().uuidString.prefix(8).lowercased()
        return server + (server.contains("?") ? "&" : "?") + "schema=\(name)"
    }

    /// The password of the server, which no page may show; nil if there is none.
    var password: String? { self == .postgres ? Self.server.flatMap { URL(string: $0)?.password } : nil }

    struct MissingServer: Error, CustomStringConvertible {
        var description: String { "STORE_TEST_POSTGRES_URL names no server; run scripts/check-studio.sh" }
    }
}
