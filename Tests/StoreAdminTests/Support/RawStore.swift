import ContextCore

@testable import PostgresBackend
@testable import SQLiteBackend

/// A direct connection to a store's database that doesn't check foreign keys.
struct RawStore {
    private let execution: (String) throws -> Void
    private let counting: (String) throws -> Int64?

    /// - Parameters:
    ///   - url: The store's address; a file is in the folder.
    init(_ url: String, in folder: String) throws {
        let url = try StoreURL(url)
        guard url.description.hasPrefix("sqlite") else {
            let configuration = try PostgresConfiguration(url)
            let connection = try PostgresConnection(configuration)
            try connection.execute("SET session_replication_role = replica")
            try connection.execute("SET search_path = \(configuration.quotedSchema), pg_temp")
            execution = { try connection.execute($0) }
            counting = { try connection.integer($0) }
            return
        }
        // By default, a connection of SQLite doesn't check foreign keys.
        let connection = try SQLiteConnection(
            path: folder + "/" + url.description.dropFirst("sqlite:".count), access: .readAndWrite,
            timeout: .seconds(60))
        execution = { try connection.execute($0) }
        counting = { try connection.integer($0) }
    }

    func execute(_ statements: [String]) throws { for statement in statements { try execution(statement) } }

    func count(_ query: String) throws -> Int64? { try counting("SELECT (\(query))") }
}
