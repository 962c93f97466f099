#if Postgres
import CPostgres
import ContextCore
import SQLStore

extension PostgresInspector: StoreMaintainer {
    func perform(_ work: StoreMaintenance) throws {
        _ = try models()
        let connection = try connection()
        for table in try tables() where table.role != .other {
            let name = qualified(table.name)
            switch work {
            case .vacuum: try connection.execute("VACUUM \(name)")
            case .analyze: try connection.execute("ANALYZE \(name)")
            case .reindex: try IndexRebuild(connection: connection, table: name).perform()
            case .checkpoint:
                throw StoreError(
                    .unsupportedRequest, "A PostgreSQL server performs checkpoints automatically.",
                    remedy: "No action is necessary.")
            }
        }
    }

    func drop() throws {
        let removal = try removalStatements()
        let connection = try connection()
        try withTablesLocked(connection) { () throws(StoreError) in
            // While it waits for its lock, all other sessions wait behind it.
            try connection.execute("SET LOCAL lock_timeout = '5s'")
            for statement in removal { try connection.execute(statement) }
            if try isEmpty(connection) { try connection.execute("DROP SCHEMA \(schema)") }
        }
    }

    /// Runs work in a transaction that locks the tables; the error of a lock timeout names the process that uses them.
    func withTablesLocked(
        _ connection: PostgresConnection, _ work: () throws(StoreError) -> Void
    ) throws(StoreError) {
        do throws(StoreError) {
            try connection.inTransaction(work)
        } catch {
            throw error.addingLockHolder(of: .tables, on: connection)
        }
    }

    var schema: String { SQLDialect.postgres.quoted(configuration.schema) }

    private func qualified(_ name: String) -> String { "\(schema).\(SQLDialect.postgres.quoted(name))" }

    var schemaParameter: PostgresParameters {
        var parameters = PostgresParameters()
        parameters.append(configuration.schema)
        return parameters
    }

    /// Returns the statements that drop the store's tables, sequences and functions.
    func removalStatements() throws -> [String] {
        _ = try models()
        let tables = try tables().filter { $0.role != .other }
        // Lock the table of models first, like transactions that begin, to avoid deadlocks with them.
        let names = tables.map(\.name).sorted { first, second in
            first == StoreNames.models && second != StoreNames.models
        }
        let locking = "LOCK TABLE \(names.map(qualified).joined(separator: ", ")) IN ACCESS EXCLUSIVE MODE"
        return (names.isEmpty ? [] : [locking]) + names.map { "DROP TABLE \(qualified($0)) CASCADE" }
            + (try sequenceAndFunctionRemoval(connection()))
    }

    /// Returns the statements that drop the store's sequences and functions, which have the prefix `_store_`.
    private func sequenceAndFunctionRemoval(_ connection: PostgresConnection) throws(StoreError) -> [String] {
        let result = try connection.run(
            """
            SELECT format('DROP SEQUENCE %I.%I', n.nspname, c.relname) FROM pg_class AS c \
            JOIN pg_namespace AS n ON n.oid = c.relnamespace \
            WHERE n.nspname = $1 AND c.relkind = 'S' AND starts_with(c.relname::text, '_store_') \
            UNION ALL \
            SELECT format('DROP %s IF EXISTS %s CASCADE', CASE WHEN p.prokind = 'a' THEN 'AGGREGATE' ELSE 'FUNCTION' END, \
            p.oid::regprocedure) \
            FROM (SELECT * FROM pg_proc ORDER BY prokind) AS p JOIN pg_namespace AS n ON n.oid = p.pronamespace \
            WHERE n.nspname = $1 AND starts_with(p.proname::text, '_store_')
            """, schemaParameter)
        return (0..<result.count).map { result.text($0, 0) }
    }

    /// Returns whether the schema is empty; false for `public`, which stays.
    private func isEmpty(_ connection: PostgresConnection) throws(StoreError) -> Bool {
        if configuration.schema == "public" { return false }
        let result = try connection.run(
            """
            SELECT NOT EXISTS (SELECT FROM pg_class WHERE relnamespace = n.oid) \
            AND NOT EXISTS (SELECT FROM pg_proc WHERE pronamespace = n.oid) \
            AND NOT EXISTS (SELECT FROM pg_type WHERE typnamespace = n.oid) \
            FROM pg_namespace AS n WHERE n.nspname = $1
            """, schemaParameter)
        return result.count > 0 && result.integer(0, 0) != 0
    }
}

/// Creates a database on a server.
struct DatabaseCreation {
    /// The database that exists on every server, to connect to before the new one exists.
    private static let maintenanceDatabase = "postgres"

    private let configuration: PostgresConfiguration

    init(_ configuration: PostgresConfiguration) {
        self.configuration = configuration
    }

    /// Creates the configuration's database unless it exists, and returns whether it did.
    func createIfMissing() throws(StoreError) -> Bool {
        do throws(StoreError) {
            _ = try PostgresConnection(configuration)
            return false
        } catch {
            guard let database = configuration.database, error.detail?.contains("SQLSTATE 3D000") == true
            else {
                throw error
            }
            var server = configuration
            server.database = Self.maintenanceDatabase
            let connection = try PostgresConnection(server)
            try connection.execute("CREATE DATABASE \(SQLDialect.postgres.quoted(database))")
            return true
        }
    }
}
#endif
