import ContextCore
import Foundation
import TestDatabases
import Testing

/// A kind of location for the stores of command tests.
enum TestPlace: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case sqlite, postgres

    var testDescription: String { rawValue }

    /// The available kinds on this machine.
    static var available: [TestPlace] { allCases.filter { $0 == .sqlite || server != nil } }

    /// The database on the test server that is reserved for these tests.
    static let server = TestDatabases.own("admin")

    /// Returns the address of a store that no other test uses; a file is in the folder of the calls.
    func freshURL() -> String {
        let name = "test_" + UUID().uuidString.prefix(8).lowercased()
        switch self {
        case .sqlite: return "sqlite:\(name).sqlite"
        case .postgres:
            let server = Self.server ?? ""
            return server + (server.contains("?") ? "&" : "?") + "schema=\(name)"
        }
    }
}
