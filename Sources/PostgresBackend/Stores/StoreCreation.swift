#if Postgres
import ContextCore
import Foundation
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
        try StoreTables.all + SchemaBuilder(mapping, longestName: longest).tables()
    }

    func create() throws(StoreError) {
        let mapping = mapping
        let tables = isAdoption ? StoreTables.all : try tables()
        // Indexes can call the functions.
        let functions = FunctionCreation(connection)
        try functions.make()
        // Foreign keys follow when all tables exist, since entities can refer to each other.
        for table in tables {
            try run(SchemaStatements(configuration.dialect).creation(of: table.withoutReferences))
        }
        for table in tables {
            try run(table.references(configuration.dialect).map { SQLText($0, configuration.dialect) })
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

    private func run(_ statements: [SQLText]) throws(StoreError) {
        for statement in statements { try connection.execute(statement.sql) }
    }

    private func insertMetadata(_ mapping: StoreMapping) throws(StoreError) {
        for entity in mapping.entities {
            var parameters = PostgresParameters()
            parameters.append(Int64(entity.number))
            parameters.append(entity.layout.name)
            try connection.run(
                "INSERT INTO \(configuration.stored(StoreNames.entities)) (\"number\", \"name\") VALUES ($1, $2)",
                parameters)
        }
        var parameters = PostgresParameters()
        parameters.append(model.fingerprint)
        parameters.append(model.fileText)
        try connection.run(
            "INSERT INTO \(configuration.stored(StoreNames.models)) (\"number\", \"fingerprint\", \"model\") VALUES (1, $1, $2)",
            parameters)
        let catalogue = StoreCatalogue(connection: connection)
        try catalogue.setValue("store_id", UUID().uuidString)
        try catalogue.setValue("format", String(StoreOpening.formatVersion))
        try catalogue.setValue(PostgresNames.settledHistory, "0")
    }
}

extension TableSchema {
    /// Returns the statements that add the table's foreign keys.
    fileprivate func references(_ dialect: SQLDialect) -> [SQLFragment] {
        columns.compactMap { column in
            guard let reference = column.reference else { return nil }
            return """
                ALTER TABLE \(stored: name) ADD FOREIGN KEY (\(name: column.name)) \
                \(SchemaStatements(dialect).reference(reference))
                """
        }
    }
}
#endif
