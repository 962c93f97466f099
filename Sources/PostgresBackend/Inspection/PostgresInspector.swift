#if Postgres
import CPostgres
import ContextCore
import SQLStore

/// Inspects a schema of a PostgreSQL database, with or without a store.
///
/// It has one connection, which one thread at a time may use.
final class PostgresInspector: StoreInspector {
    let configuration: PostgresConfiguration
    private var open: PostgresConnection?

    /// Connects to the server, without creating a store.
    init(_ configuration: PostgresConfiguration) throws(StoreError) {
        var configuration = configuration.withoutDefaultStatementTimeout
        // Statements run once or twice, and an undeclared pooler would lose prepared ones.
        configuration.preparesStatements = false
        self.configuration = configuration
        open = try PostgresConnection(configuration)
    }

    /// Uses a connection that is open, and leaves its transaction as it is.
    init(_ connection: PostgresConnection) {
        configuration = connection.configuration
        open = connection
    }

    func connection() throws(StoreError) -> PostgresConnection {
        if let open { return open }
        throw StoreError(.closed, "The inspector is closed.", remedy: "Create another inspector.")
    }

    /// Whether the schema contains a store.
    func hasStore() throws(StoreError) -> Bool {
        var parameters = PostgresParameters()
        parameters.append(configuration.stored(StoreNames.metadata))
        let known = try connection().run("SELECT pg_catalog.to_regclass($1) IS NOT NULL", parameters)
        return known.integer(0, 0) != 0
    }

    func models() throws -> [StoredModel] {
        let connection = try connection()
        guard try hasStore() else {
            throw StoreError.missingStoreError(schema: configuration.schema)
        }
        let result = try connection.run(
            """
            SELECT "number", "fingerprint", "model" FROM \(configuration.stored(StoreNames.models)) ORDER BY "number"
            """)
        return (0..<result.count).map { row in
            StoredModel(
                number: Int(result.integer(row, 0)), fingerprint: result.text(row, 1),
                fileText: result.text(row, 2))
        }
    }

    func databaseInfo() throws -> StoreFacts {
        let connection = try connection()
        let names = [
            "server_encoding", "max_connections", "shared_buffers", "synchronous_commit", "fsync",
            "full_page_writes", "default_transaction_isolation", "TimeZone",
        ]
        var settings: [StoreFacts.Setting] = []
        for name in names {
            let result = try connection.run("SELECT current_setting('\(name)')")
            settings.append(.init(name, result.text(0, 0)))
        }
        let place = try connection.run(
            """
            SELECT current_database()::text, current_user::text, pg_is_in_recovery(), \
            coalesce((SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()), false), \
            current_setting('server_version')
            """)
        settings.append(.init("database", place.text(0, 0)))
        settings.append(.init("schema", configuration.schema))
        settings.append(.init("user", place.text(0, 1)))
        settings.append(.init("standby", place.integer(0, 2) != 0 ? "on" : "off"))
        settings.append(.init("tls", place.integer(0, 3) != 0 ? "on" : "off"))
        // Distributions append their name to the number.
        let version = place.text(0, 4).split(separator: " ").first.map(String.init) ?? ""
        return StoreFacts(
            product: "PostgreSQL", version: version, bytes: try bytes(connection), settings: settings)
    }

    private func bytes(_ connection: PostgresConnection) throws(StoreError) -> Int64 {
        let result = try connection.run(
            """
            SELECT coalesce(sum(pg_total_relation_size(c.oid)), 0)::bigint FROM pg_class AS c \
            JOIN pg_namespace AS n ON n.oid = c.relnamespace WHERE n.nspname = $1 AND c.relkind IN ('r', 'm')
            """, schemaParameter)
        return result.integer(0, 0)
    }

    func damage() throws -> [String] {
        let connection = try connection()
        let indexes = try connection.run(
            """
            SELECT i.relname::text FROM pg_index AS x JOIN pg_class AS i ON i.oid = x.indexrelid \
            JOIN pg_namespace AS n ON n.oid = i.relnamespace \
            WHERE n.nspname = $1 AND NOT (x.indisvalid AND x.indisready) ORDER BY 1
            """, schemaParameter)
        let constraints = try connection.run(
            """
            SELECT c.conname::text, t.relname::text FROM pg_constraint AS c JOIN pg_class AS t ON t.oid = c.conrelid \
            JOIN pg_namespace AS n ON n.oid = c.connamespace \
            WHERE n.nspname = $1 AND NOT c.convalidated ORDER BY 1
            """, schemaParameter)
        return (0..<indexes.count).map { "The index \(indexes.text($0, 0)) was never finished." }
            + (0..<constraints.count).map {
                "The constraint \(constraints.text($0, 0)) of table \(constraints.text($0, 1)) was never validated."
            }
    }

    func run(_ statement: String, writing: Bool, limit: Int?) throws -> StatementRows {
        let connection = try connection()
        if !writing {
            return try ReadingStatement(connection: connection, configuration: configuration)
                .run(statement, limit: limit)
        }
        // Statements of users don't qualify the store's tables.
        try connection.execute("BEGIN; SET LOCAL search_path = \(configuration.quotedSchema), pg_temp")
        do throws(StoreError) {
            let result = try connection.runText(statement, limit: limit)
            try connection.execute("COMMIT")
            return result
        } catch {
            if connection.isInTransaction { try? connection.execute("ROLLBACK") }
            throw error
        }
    }

    func close() { open = nil }
}
#endif
