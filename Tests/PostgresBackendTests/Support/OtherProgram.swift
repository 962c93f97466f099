#if Postgres
import ContextCore

@testable import PostgresBackend

/// Opens a connection like that of another program, which uses unqualified names of tables.
func otherProgram(_ configuration: PostgresConfiguration) throws -> PostgresConnection {
    let connection = try PostgresConnection(configuration)
    try connection.execute("SET search_path = \(configuration.quotedSchema)")
    return connection
}
#endif
