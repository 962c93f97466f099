import ContextCore
import Foundation

#if Postgres
import PostgresBackend
#endif

/// Databases on the tests' server, which `STORE_TEST_POSTGRES_URL` names and `scripts/test` starts.
///
/// A server makes an index beside others' work only when every transaction of the database has ended that began before. Tests that do
/// so, and block a thread of Swift's pool meanwhile, have a database apart from tests whose transactions stay open until they get one.
public enum TestDatabases {
    /// The address of the one that all tests share; nil where there is no server.
    private static let shared = ProcessInfo.processInfo.environment["STORE_TEST_POSTGRES_URL"]

    /// The address of another database on that server, which may not be there.
    public static func address(of name: String) throws -> String? {
        guard let shared else { return nil }
        let url = try StoreURL(shared)
        // Who logs in may be called like the database.
        guard let place = shared.ranges(of: "/\(url.databaseName)").last else { return nil }
        return shared.replacingCharacters(in: place, with: "/\(name)")
    }

    /// The address of the database that a group of tests has for itself, made unless it is there; nil where there is no server.
    public static func own(_ group: String) -> String? {
        #if Postgres
        do {
            guard let shared, let address = try address(of: "\(StoreURL(shared).databaseName)_\(group)")
            else { return nil }
            _ = try StoreBackend.postgres.administration?.makeDatabase?(StoreURL(address))
            return address
        } catch {
            fatalError("The tests' server has no database for \(group): \(error)")
        }
        #else
        return nil
        #endif
    }
}
