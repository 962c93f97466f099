#if Postgres
import ContextCore
import SQLStore

/// Creates the tables of a new store in the open transaction.
struct StoreCreation {
    let model: ObjectModel
    let connection: PostgresConnection
    /// Whether the tables of the entities exist already.
    var isAdoption = false

    private var configuration: PostgresConfiguration { connection.configuration }

    private var longest: Int? { SQLDialect.postgres.longestName }

    var mapping: StoreMapping { StoreMapping(model, longestName: longest) }

    func tables() throws(StoreError) -> [TableSchema] {
        try SchemaBuilder(mapping, longestName: longest).storeTables()
    }

    func create() throws(StoreError) {
        let mapping = mapping
        let tables = isAdoption ? StoreTables.all : try tables()
        // Indexes can call the functions.
        let functions = FunctionCreation(connection)
        try functions.make()
        for statement in PhysicalSchema.creation(of: tables, configuration.dialect) {
            try connection.execute(statement)
        }
        for root in mapping.roots {
            try connection.execute(
                "CREATE SEQUENCE \(configuration.stored(PostgresNames.sequence(root.number))) AS bigint")
        }
        try connection.execute(Self.historyNumbers(configuration))
        try insertMetadata(mapping)
        try functions.recordVersion()
    }

    /// Returns the statement that creates the sequence of the history's numbers if it doesn't exist.
    static func historyNumbers(_ configuration: PostgresConfiguration) -> String {
        "CREATE SEQUENCE IF NOT EXISTS \(configuration.stored(PostgresNames.historyNumbers)) AS bigint"
    }

    private func insertMetadata(_ mapping: StoreMapping) throws(StoreError) {
        let catalogue = StoreCatalogue(connection: connection)
        try catalogue.insertMetadata(of: mapping)
        try catalogue.setValue("format", String(StoreOpening.formatVersion))
        try catalogue.setValue(PostgresNames.settledHistory, "0")
    }
}
#endif
