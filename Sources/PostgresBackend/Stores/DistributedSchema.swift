#if Postgres
import ContextCore
import SQLStore

/// A store's schema that Citus distributes: its tables are on another node than the server that the program is connected to.
///
/// The server forwards each statement about a table to the node. It executes session commands such as `SET` and `SET CONSTRAINTS`
/// itself, so they need other means to take effect on the node.
struct DistributedSchema {
    private static let checkName = "_store_check_references"

    let connection: PostgresConnection

    private var schema: String { connection.configuration.quotedSchema }

    /// Returns whether the connection's schema is distributed; fails on a server without Citus.
    func isDistributed() throws(StoreError) -> Bool {
        var parameters = PostgresParameters()
        parameters.append(schema)
        let found = try connection.run(
            "SELECT EXISTS (SELECT FROM pg_catalog.pg_dist_schema WHERE schemaid = pg_catalog.to_regnamespace($1)::oid)",
            parameters)
        return found.integer(0, 0) != 0
    }

    /// Returns whether the schema has the function that checks deferred foreign keys on the node.
    func hasCheckFunction() throws(StoreError) -> Bool {
        var parameters = PostgresParameters()
        parameters.append(Self.signature(in: schema))
        return try connection.run("SELECT pg_catalog.to_regprocedure($1) IS NOT NULL", parameters)
            .integer(0, 0) != 0
    }

    /// Creates the function that checks deferred foreign keys on the node, in the open transaction.
    func createCheckFunction() throws(StoreError) {
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

    /// The statements that make the server forward `SET LOCAL` to the node.
    static let settings = ["SET LOCAL citus.propagate_set_commands = 'local'"]

    /// Returns the statement that checks deferred foreign keys on the node: it calls the function for a row, which is evaluated there.
    static func check(_ configuration: PostgresConfiguration) -> String {
        """
        SELECT \(signature(in: configuration.quotedSchema)) FROM \(configuration.stored(StoreNames.metadata)) \
        WHERE "name" = 'store_id'
        """
    }
}
#endif
