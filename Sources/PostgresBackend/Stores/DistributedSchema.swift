#if Postgres
import ContextCore
import SQLStore

/// A store's schema whose tables lie on another node than the server that the program is connected to, as in a schema that Citus distributes.
///
/// The server sends each statement about a table to the node of the schema. What is about the session alone, such as `SET` and
/// `SET CONSTRAINTS`, it does itself, so the node must be told separately.
struct DistributedSchema {
    private static let checkName = "_store_check_references"

    let connection: PostgresConnection

    private var schema: String { connection.configuration.quotedSchema }

    /// Returns whether the connection's schema is distributed, on a server that can distribute schemas.
    func isDistributed() throws(StoreError) -> Bool {
        var parameters = PostgresParameters()
        parameters.append(schema)
        let found = try connection.run(
            "SELECT EXISTS (SELECT FROM pg_catalog.pg_dist_schema WHERE schemaid = pg_catalog.to_regnamespace($1)::oid)",
            parameters)
        return found.integer(0, 0) != 0
    }

    /// Returns whether the schema has the function by which the node checks references.
    func hasCheck() throws(StoreError) -> Bool {
        var parameters = PostgresParameters()
        parameters.append(Self.signature(in: schema))
        return try connection.run("SELECT pg_catalog.to_regprocedure($1) IS NOT NULL", parameters)
            .integer(0, 0) != 0
    }

    /// Creates that function, inside a transaction that is open.
    func createCheck() throws(StoreError) {
        let functions = FunctionCreation(connection)
        try functions.becomeOwner()
        try connection.execute(
            """
            CREATE OR REPLACE FUNCTION \(Self.signature(in: schema)) RETURNS int8 LANGUAGE plpgsql VOLATILE AS $store$
            BEGIN
            SET CONSTRAINTS ALL IMMEDIATE;
            SET CONSTRAINTS ALL DEFERRED;
            RETURN 0;
            END
            $store$
            """)
        try functions.checkOwner(of: [Self.signature(in: schema)])
    }

    private static func signature(in schema: String) -> String { "\(schema).\"\(checkName)\"()" }

    /// Makes the server pass `SET LOCAL` on to the node.
    static let settings = ["SET LOCAL citus.propagate_set_commands = 'local'"]

    /// The statement that has the node check references now: it calls the function where the named row is.
    static func check(_ configuration: PostgresConfiguration) -> String {
        """
        SELECT \(signature(in: configuration.quotedSchema)) FROM \(configuration.stored(StoreNames.metadata)) \
        WHERE "name" = 'store_id'
        """
    }
}
#endif
