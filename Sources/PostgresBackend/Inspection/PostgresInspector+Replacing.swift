#if Postgres
import ContextCore
import SQLStore

/// A store is made in a schema beside that of another, whose place its tables take in one transaction.
extension PostgresInspector: StoreReplacer {
    func preparePlace() throws -> [String: String] {
        let connection = try connection()
        var parameters = PostgresParameters()
        parameters.append(Self.lockSpace)
        parameters.append(configuration.schema)
        let lock = try connection.run(
            "SELECT pg_catalog.pg_try_advisory_lock($1::int4, pg_catalog.hashtext($2))", parameters)
        guard lock.integer(0, 0) != 0 else {
            throw StoreError(
                .busy, "Somebody else is about to replace the store.",
                remedy: "Wait until they have finished.")
        }
        try connection.inTransaction { () throws(StoreError) in
            try remove(connection)
            try connection.execute("CREATE SCHEMA \(quotedPlace)")
            try connection.execute("COMMENT ON SCHEMA \(quotedPlace) IS \(Self.placeMark)")
        }
        return ["schema": place]
    }

    func replaceFromPlace() throws {
        let removal = try removalIfThere()
        let connection = try connection()
        try takingTables(connection) { () throws(StoreError) in
            // A removal that waits makes everybody else wait behind it.
            try connection.execute("SET LOCAL lock_timeout = '5s'")
            // Programs that have the old store open look at the commit, and find another one.
            if !removal.isEmpty, configuration.notifies { try announceReplacement(on: connection) }
            for statement in removal { try connection.execute(statement) }
            let known = try connection.run(
                "SELECT count(*) FROM pg_catalog.pg_namespace WHERE nspname = $1", schemaParameter)
            if known.integer(0, 0) == 0 { try connection.execute("CREATE SCHEMA \(schema)") }
            for statement in try moves(connection) { try connection.execute(statement) }
            // They call each other by the schema's name.
            try FunctionCreation(connection).make()
            try connection.execute("DROP SCHEMA \(quotedPlace)")
        }
    }

    /// Notifies programs that have the old store open; a damaged store that doesn't say who it is can be replaced all the same.
    private func announceReplacement(on connection: PostgresConnection) throws(StoreError) {
        let replaced: UUID
        do throws(StoreError) {
            replaced = try connection.surviving { () throws(StoreError) in
                try StoreCatalogue(connection: connection).storeID()
            }
        } catch {
            if connection.isAlive { return }
            throw error
        }
        try connection.execute(NotificationChannel(storeID: replaced).notifying)
    }

    func removePlace() throws {
        let connection = try connection()
        try connection.inTransaction { () throws(StoreError) in try remove(connection) }
    }

    // MARK: The place

    /// The schema in which a store is made.
    var place: String {
        var names = NameAllocation(longest: SQLDialect.postgres.longestName)
        return names.allocate(configuration.schema + "_restoring")
    }

    private var quotedPlace: String { SQLDialect.postgres.quoted(place) }

    /// The comment that tells the schema from one of another program that is called alike, in quotes.
    static let placeMark = "'A store that is to take the place of another'"

    /// Any number that others are unlikely to lock by; the second half is the schema's.
    private static let lockSpace: Int64 = 0x436F_6E76

    private var placeParameter: PostgresParameters {
        var parameters = PostgresParameters()
        parameters.append(place)
        return parameters
    }

    /// Removes what somebody has left who was killed, and nothing else.
    private func remove(_ connection: PostgresConnection) throws(StoreError) {
        let found = try connection.run(
            """
            SELECT coalesce(pg_catalog.obj_description(oid, 'pg_namespace') = \(Self.placeMark), false) \
            FROM pg_catalog.pg_namespace WHERE nspname = $1
            """, placeParameter)
        if found.count == 0 { return }
        guard found.integer(0, 0) != 0 else {
            throw StoreError(
                .configuration, "There is a schema \(place), which is no store's.",
                remedy:
                    "Give it another name: a store is made in a schema of this name before it replaces another."
            )
        }
        try connection.execute("DROP SCHEMA \(quotedPlace) CASCADE")
    }

    // MARK: Replacing

    private func removalIfThere() throws -> [String] {
        do {
            return try removal()
        } catch StoreError.Code.notAStore {
            return []
        }
    }

    /// The statements that move everything out of the place.
    private func moves(_ connection: PostgresConnection) throws(StoreError) -> [String] {
        var parameters = placeParameter
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
