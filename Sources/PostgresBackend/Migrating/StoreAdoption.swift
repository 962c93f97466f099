#if Postgres
import CPostgres
import ContextCore
import SQLStore

/// Turns a schema that already has the tables of a model into a store.
struct StoreAdoption {
    let model: ObjectModel
    let configuration: PostgresConfiguration

    /// Adopts the schema, or returns the differences of its tables from those of a new store and changes nothing.
    func adopt() throws(StoreError) -> [String] {
        var configuration = configuration
        configuration.preparesStatements = false
        let connection = try PostgresConnection(configuration.withoutDefaultStatementTimeout)
        defer { connection.forceClose() }
        try connection.execute(
            "SET search_path = \(configuration.quotedSchema), pg_temp; SET row_security = off; BEGIN")
        return try StoreCreation(model, connection).adopt()
    }
}
#endif
