#if Postgres
import ContextCore
import SQLStore

/// The replacement of a store: the new store is created in a staging schema, whose tables are then moved in one transaction.
extension PostgresInspector: StoreReplacer {
    func prepareStagingArea() throws -> [String: String] {
        let connection = try connection()
        var parameters = PostgresParameters()
        parameters.append(Self.lockClassID)
        parameters.append(configuration.schema)
        let lock = try connection.run(
            "SELECT pg_catalog.pg_try_advisory_lock($1::int4, pg_catalog.hashtext($2))", parameters)
        guard lock.integer(0, 0) != 0 else {
            throw StoreError(
                .busy, "Another process is replacing the store.",
                remedy: "Wait until it has finished.")
        }
        try connection.inTransaction { () throws(StoreError) in
            try dropStagingSchema(connection)
            try connection.execute("CREATE SCHEMA \(quotedStagingSchema)")
            try connection.execute("COMMENT ON SCHEMA \(quotedStagingSchema) IS \(Self.stagingComment)")
        }
        return ["schema": stagingSchema]
    }

    func replaceFromStagingArea() throws {
        let removal = try removalStatementsIfStoreExists()
        let connection = try connection()
        try withTablesLocked(connection) { () throws(StoreError) in
            // While it waits for its lock, all other sessions wait behind it.
            try connection.execute("SET LOCAL lock_timeout = '5s'")
            // Processes with the old store open read the history after the commit, and detect the new store.
            if !removal.isEmpty, configuration.notifies { try notifyOfReplacement(on: connection) }
            for statement in removal { try connection.execute(statement) }
            let known = try connection.run(
                "SELECT count(*) FROM pg_catalog.pg_namespace WHERE nspname = $1", schemaParameter)
            if known.integer(0, 0) == 0 { try connection.execute("CREATE SCHEMA \(schema)") }
            for statement in try moveStatements(connection) { try connection.execute(statement) }
            // The bodies of the functions contain the schema's name.
            try FunctionCreation(connection).createFunctions()
            try connection.execute("DROP SCHEMA \(quotedStagingSchema)")
        }
    }

    /// Notifies processes that have the old store open; skips a damaged store without an identifier.
    private func notifyOfReplacement(on connection: PostgresConnection) throws(StoreError) {
        let replaced: UUID
        do throws(StoreError) {
            replaced = try connection.withRollbackOnFailure { () throws(StoreError) in
                try StoreCatalog(connection: connection).storeID()
            }
        } catch {
            if connection.isAlive { return }
            throw error
        }
        try connection.execute(NotificationChannel(storeID: replaced).notifyStatement)
    }

    func removeStagingArea() throws {
        let connection = try connection()
        try connection.inTransaction { () throws(StoreError) in try dropStagingSchema(connection) }
    }

    // MARK: The staging schema

    /// The name of the schema in which the new store is created.
    var stagingSchema: String {
        var names = NameAllocation(maximumLength: SQLDialect.postgres.maximumNameLength)
        return names.allocate(configuration.schema + "_restoring$")
    }

    private var quotedStagingSchema: String { SQLDialect.postgres.quoted(stagingSchema) }

    /// The comment that distinguishes a staging schema from a user-defined schema with the same name.
    private static let stagingComment = "'A store that is to take the place of another'"

    /// The first half of the advisory lock's key, which other programs are unlikely to use; the second half identifies the schema.
    private static let lockClassID: Int64 = 0x436F_6E76

    private var stagingSchemaParameter: PostgresParameters {
        var parameters = PostgresParameters()
        parameters.append(stagingSchema)
        return parameters
    }

    /// Drops the staging schema that a killed process has left.
    ///
    /// - Throws: `StoreError.Code.configuration` if the schema isn't a staging schema.
    private func dropStagingSchema(_ connection: PostgresConnection) throws(StoreError) {
        let found = try connection.run(
            """
            SELECT coalesce(pg_catalog.obj_description(oid, 'pg_namespace') = \(Self.stagingComment), false) \
            FROM pg_catalog.pg_namespace WHERE nspname = $1
            """, stagingSchemaParameter)
        if found.count == 0 { return }
        guard found.integer(0, 0) != 0 else {
            throw StoreError(
                .configuration, "The schema \(stagingSchema) exists, but wasn't left by a restore.",
                remedy:
                    "Rename or drop the schema. A restore creates the new store in a schema with this name before it replaces the old one."
            )
        }
        try connection.execute("DROP SCHEMA \(quotedStagingSchema) CASCADE")
    }

    // MARK: Replacing

    private func removalStatementsIfStoreExists() throws -> [String] {
        do {
            return try removalStatements()
        } catch StoreError.Code.notAStore {
            return []
        }
    }

    /// Returns the statements that move all tables, sequences and functions out of the staging schema.
    private func moveStatements(_ connection: PostgresConnection) throws(StoreError) -> [String] {
        var parameters = stagingSchemaParameter
        parameters.append(configuration.schema)
        let result = try connection.run(
            """
            SELECT format('ALTER %s %I.%I SET SCHEMA %I', CASE c.relkind WHEN 'S' THEN 'SEQUENCE' ELSE 'TABLE' END, \
            n.nspname, c.relname, $2) FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace \
            WHERE n.nspname = $1 AND c.relkind IN ('r', 'S') \
            UNION ALL \
            SELECT format('ALTER ROUTINE %s SET SCHEMA %I', p.oid::regprocedure, $2) \
            FROM pg_proc AS p JOIN pg_namespace AS n ON n.oid = p.pronamespace WHERE n.nspname = $1
            """, parameters)
        return (0..<result.count).map { result.text($0, 0) }
    }
}
#endif
