#if SQLite
import ContextCore
import SQLStore

/// Creates the tables of a new store in an open transaction.
struct StoreCreation {
    let model: ObjectModel
    let connection: SQLiteConnection
    /// Whether the tables of the entities exist already.
    var isAdoption = false

    var mapping: StoreMapping { StoreMapping(model, longestName: nil) }

    func tables() throws(StoreError) -> [TableSchema] {
        try SchemaBuilder(mapping, longestName: nil).storeTables()
    }

    func create() throws(StoreError) {
        let tables = isAdoption ? StoreTables.all : try tables()
        for table in tables {
            for statement in SchemaStatements(.sqlite).creation(of: table) {
                try connection.execute(statement.sql)
            }
        }
        try StoreCatalogue(connection: connection).insertMetadata(of: mapping)
        try connection.execute("PRAGMA user_version = \(StoreHeader.version(needsLog: false))")
        try connection.execute("PRAGMA application_id = \(StoreHeader.applicationID)")
    }
}
#endif
