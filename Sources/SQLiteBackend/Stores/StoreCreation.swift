#if SQLite
import ContextCore
import Foundation
import SQLStore

/// Creates the tables of a new store in an open transaction.
struct StoreCreation {
    let model: ObjectModel
    let connection: SQLiteConnection
    /// Whether the tables of the entities exist already.
    var isAdoption = false

    var mapping: StoreMapping { StoreMapping(model, longestName: nil) }

    func tables() throws(StoreError) -> [TableSchema] {
        try StoreTables.all + SchemaBuilder(mapping, longestName: nil).tables()
    }

    func create() throws(StoreError) {
        let mapping = mapping
        let tables = isAdoption ? StoreTables.all : try tables()
        for table in tables {
            for statement in SchemaStatements(.sqlite).creation(of: table) {
                try connection.execute(statement.sql)
            }
        }
        for entity in mapping.entities {
            try insert("INSERT INTO \"_store_entities\" (\"number\", \"name\") VALUES (?1, ?2)") {
                (statement) throws(StoreError) in
                statement.bind(1, Int64(entity.number))
                try statement.bind(2, entity.layout.name)
            }
        }
        try insert(
            "INSERT INTO \"_store_models\" (\"number\", \"fingerprint\", \"model\") VALUES (1, ?1, ?2)"
        ) {
            (statement) throws(StoreError) in
            try statement.bind(1, model.fingerprint)
            try statement.bind(2, model.fileText)
        }
        try StoreCatalogue(connection: connection).setValue("store_id", UUID().uuidString)
        try connection.execute("PRAGMA user_version = \(StoreHeader.version(needsLog: false))")
        try connection.execute("PRAGMA application_id = \(StoreHeader.applicationID)")
    }

    private func insert(
        _ sql: String, _ bind: (SQLiteStatement) throws(StoreError) -> Void
    ) throws(StoreError) {
        let statement = try connection.statement(sql)
        defer { statement.reset() }
        try bind(statement)
        try statement.run()
    }
}
#endif
