#if Postgres
import ContextCore
import SQLStore

extension PostgresConnection: StoreCreatingConnection {
    func createTables(_ tables: [TableSchema], of mapping: StoreMapping) throws(StoreError) {
        // Indexes can call the functions.
        try FunctionCreation(self).createFunctions()
        for statement in PhysicalSchema.creation(of: tables, dialect) { try execute(statement) }
        for root in mapping.roots {
            try execute(
                "CREATE SEQUENCE \(configuration.stored(PostgresNames.sequence(root.number))) AS bigint")
        }
        try createHistoryNumbers()
    }

    /// Creates the sequence of the history's numbers if it doesn't exist.
    func createHistoryNumbers() throws(StoreError) {
        try execute(
            "CREATE SEQUENCE IF NOT EXISTS \(configuration.stored(PostgresNames.historySequence)) AS bigint")
    }

    func recordFormat() throws(StoreError) {
        let catalog = StoreCatalog(connection: self)
        try catalog.setValue(OpeningMetadata.formatKey, String(StoreOpening.formatVersion))
        try catalog.setValue(PostgresNames.gaplessHistoryEnd, "0")
        try FunctionCreation(self).recordVersion()
    }

    func liveSchema() throws(StoreError) -> PhysicalSchema {
        try SchemaReader(connection: self).schema(in: "current_schema()::regnamespace")
    }

    func newStoreSchema(of tables: [TableSchema]) throws(StoreError) -> PhysicalSchema {
        try execute("SAVEPOINT fresh")
        let schema = try SchemaReader(connection: self).newStoreSchema(of: tables)
        try execute("ROLLBACK TO SAVEPOINT fresh")
        return schema
    }
}
#endif
