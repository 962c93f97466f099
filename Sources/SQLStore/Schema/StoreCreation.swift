package import ContextCore

/// A connection that can create a store in its open transaction.
package protocol StoreCreatingConnection: SQLConnection {
    /// Creates tables and, for those of a mapping, what their statements need.
    func createTables(_ tables: [TableSchema], of mapping: StoreMapping) throws(StoreError)
    /// Records the format of the store, after its metadata.
    func recordFormat() throws(StoreError)
    /// Runs a query that returns one integer.
    func integer(_ sql: String) throws(StoreError) -> Int64?
    /// Reads the tables of the database.
    func liveSchema() throws(StoreError) -> PhysicalSchema
    /// Reads the tables that a new store would have, without leaving any behind.
    func newStoreSchema(of tables: [TableSchema]) throws(StoreError) -> PhysicalSchema
}

/// Creates the tables and the metadata of a store in the open transaction of a connection.
package struct StoreCreation {
    private let mapping: StoreMapping
    private let connection: any StoreCreatingConnection

    package init(_ model: ObjectModel, _ connection: any StoreCreatingConnection) {
        mapping = StoreMapping(model, maximumNameLength: connection.dialect.maximumNameLength)
        self.connection = connection
    }

    /// Creates a new store.
    package func create() throws(StoreError) { try create(tables()) }

    /// Makes a store of a database that has the tables of the model already, and ends the transaction.
    ///
    /// - Returns: The differences of the tables from those of a new store; if there are any, the database is unchanged.
    package func adopt() throws(StoreError) -> [String] {
        do throws(StoreError) {
            try create(StoreTables.all)
            let differences = try differences()
            if differences.isEmpty { try connection.commit() } else { connection.rollback() }
            return differences
        } catch {
            connection.rollback()
            throw error
        }
    }

    private func tables() throws(StoreError) -> [TableSchema] {
        try SchemaBuilder(mapping, maximumNameLength: connection.dialect.maximumNameLength).storeTables()
    }

    private func create(_ tables: [TableSchema]) throws(StoreError) {
        try connection.createTables(tables, of: mapping)
        try StoreCatalog(connection: connection).insertMetadata(of: mapping)
        try connection.recordFormat()
    }

    /// Returns a sentence for each difference of the tables, or, if there is none, for each kind of row that no store of the model has.
    private func differences() throws(StoreError) -> [String] {
        let fresh = try connection.newStoreSchema(of: tables())
        let sentences = SchemaDrift(expected: fresh, live: try connection.liveSchema()).sentences
        if !sentences.isEmpty { return sentences }
        var strangers: [String] = []
        for check in EntityNumberCheck(mapping).counts {
            let rows = try connection.integer(SQLText(check.count, connection.dialect).sql) ?? 0
            if rows > 0 { strangers.append("\(rows) \(check.sentence)") }
        }
        return strangers
    }
}
