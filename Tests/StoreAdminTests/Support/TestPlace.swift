import ContextCore
import Foundation
import TestDatabases
import Testing

/// A kind of place where the tests of commands have their stores.
enum TestPlace: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case sqlite, postgres

    var testDescription: String { rawValue }

    /// Those that there are on this machine.
    static var available: [TestPlace] { allCases.filter { $0 == .sqlite || server != nil } }

    /// The database on the tests' server that these tests have for themselves.
    static let server = TestDatabases.own("admin")

    /// The address of a store that no other test uses; a file is in the folder of the calls.
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
