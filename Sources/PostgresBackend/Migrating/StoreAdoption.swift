#if Postgres
import CPostgres
import ContextCore
import SQLStore

/// Makes a store of a schema that has the tables of a model and is none yet.
struct StoreAdoption {
    let model: ObjectModel
    let configuration: PostgresConfiguration

    /// Answers in what the tables differ from those of a fresh store; where there is anything, the schema stays as it was.
    func adopt() throws(StoreError) -> [String] {
        var configuration = configuration
        configuration.preparesStatements = false
        let connection = try PostgresConnection(configuration.withoutUsualDeadline)
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

    /// The tables that a fresh store would have; nothing of them is left.
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
