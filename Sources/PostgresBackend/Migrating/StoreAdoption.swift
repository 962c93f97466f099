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
        defer { connection.hangUp() }
        try connection.execute("SET search_path = \(configuration.quotedSchema), pg_temp; BEGIN")
        do throws(StoreError) {
            let differences = try make(connection)
            if differences.isEmpty { try connection.commit() } else { try connection.execute("ROLLBACK") }
            return differences
        } catch {
            if connection.isAlive, connection.isInTransaction { try? connection.execute("ROLLBACK") }
            throw error
        }
    }

    private func make(_ connection: PostgresConnection) throws(StoreError) -> [String] {
        let creation = StoreCreation(model: model, connection: connection, isAdoption: true)
        try creation.create()
        return try AdoptionCheck(
            creation.mapping, expected: try fresh(creation, connection),
            live: try SchemaReading(connection).schema(in: "current_schema()::regnamespace")
        ).differences { count throws(StoreError) in
            try connection.integer(SQLText(count, .postgres).sql)
        }
    }

    /// Returns the tables that a new store would have, and rolls back their creation.
    private func fresh(
        _ creation: StoreCreation, _ connection: PostgresConnection
    ) throws(StoreError) -> PhysicalSchema {
        try connection.execute("SAVEPOINT fresh")
        let schema = try SchemaReading(connection).freshSchema(of: creation.tables())
        try connection.execute("ROLLBACK TO SAVEPOINT fresh")
        return schema
    }
}
#endif
