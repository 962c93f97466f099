import ContextCore
import Foundation

#if Postgres
import PostgresBackend
#endif

/// Databases on the test server, which `STORE_TEST_POSTGRES_URL` names and `scripts/test` starts.
///
/// A server creates an index concurrently only after all earlier transactions of the database have ended. Tests that do so, and block a
/// thread of the cooperative pool, use a separate database from tests whose transactions stay open until they get a thread.
public enum TestDatabases {
    /// The address of the shared database; nil if there is no server.
    private static let shared = ProcessInfo.processInfo.environment["STORE_TEST_POSTGRES_URL"]

    /// Returns the address of another database on that server, which may not exist.
    public static func address(of name: String) throws -> String? {
        guard let shared else { return nil }
        let url = try StoreURL(shared)
        // The user name may equal the database name.
        guard let place = shared.ranges(of: "/\(url.databaseName)").last else { return nil }
        return shared.replacingCharacters(in: place, with: "/\(name)")
    }

    /// Returns the address of the database that is reserved for a group of tests, and creates it if necessary; nil if there is no server.
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
