#if SQLite
import CSQLite
import ContextCore
import SQLStore

extension SQLiteConnection: StoreCreatingConnection {
    func createTables(_ tables: [TableSchema], of mapping: StoreMapping) throws(StoreError) {
        try createTables(tables)
    }

    private func createTables(_ tables: [TableSchema]) throws(StoreError) {
        for table in tables {
            for text in SchemaStatements(.sqlite).creation(of: table) { try execute(text.sql) }
        }
    }

    func recordFormat() throws(StoreError) {
        try execute("PRAGMA user_version = \(StoreHeader.version(needsLog: false))")
        try execute("PRAGMA application_id = \(StoreHeader.applicationID)")
    }

    func liveSchema() throws(StoreError) -> PhysicalSchema { try SchemaReader(connection: self).schema() }

    func newStoreSchema(of tables: [TableSchema]) throws(StoreError) -> PhysicalSchema {
        let fresh = try SQLiteConnection(path: ":memory:", access: .readAndWrite, timeout: .zero)
        defer { fresh.close() }
        let result = SQLiteFunctions.register(on: fresh.handle)
        if result != SQLITE_OK { throw fresh.error(result) }
        try fresh.createTables(tables)
        return try fresh.liveSchema()
    }
}
#endif
