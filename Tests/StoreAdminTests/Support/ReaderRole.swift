import ContextCore
import Foundation
import Testing

@testable import StoreAdmin

extension AdminBench {
    /// Creates the contents of ``ShopExport`` on the test server, as the store `owner`, and a role with read access, as the store `reader`.
    ///
    /// - Returns: The name of the role.
    func makeShopWithReader() throws -> String {
        let url = try makeShop(.postgres)
        let role = "reader_" + UUID().uuidString.prefix(8).lowercased()
        let schema = try StoreURL(url).options["schema"] ?? ""
        for statement in [
            "CREATE ROLE \(role) LOGIN PASSWORD 'reading'", "GRANT USAGE ON SCHEMA \(schema) TO \(role)",
            "GRANT SELECT ON ALL TABLES IN SCHEMA \(schema) TO \(role)",
        ] {
            let outcome = run("sql", "--write", statement)
            try #require(outcome.exit == .success, "\(outcome.problems)")
        }
        variables["OWNER"] = url
        variables["STORECTL_URL"] = nil
        variables["READER"] = try Self.readerURL(url, role)
        try write(
            #"{"stores": {"owner": {"url": {"env": "OWNER"}}, "reader": {"url": {"env": "READER"}}}}"#,
            to: "storectl.json")
        return role
    }

    /// Returns a store's URL with a role whose password is `reading`.
    static func readerURL(_ url: String, _ role: String) throws -> String {
        let written = try StoreURL(url)
        let server = written.hosts.map(\.description).joined(separator: ",")
        let settings = written.options.map { "\($0)=\($1)" }.joined(separator: "&")
        return "postgres://\(role):reading@\(server)\(written.path)?\(settings)"
    }

    func dropReader(_ role: String) {
        for statement in ["DROP OWNED BY \(role)", "DROP ROLE \(role)"] {
            _ = run("sql", "--write", statement, "-s", "owner")
        }
    }
}
