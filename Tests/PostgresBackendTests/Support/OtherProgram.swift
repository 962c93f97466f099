#if Postgres
import ContextCore

@testable import PostgresBackend

/// A connection as another program has one: it calls the store's tables by their names alone.
func otherProgram(_ configuration: PostgresConfiguration) throws -> PostgresConnection {
    let connection = try PostgresConnection(configuration)
    try connection.execute("SET search_path = \(configuration.quotedSchema)")
    return connection
}
#endif
