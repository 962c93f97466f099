package import ContextCore

/// A connection that migrates a store, used by one thread at a time.
package protocol MigrationConnection: SQLConnection {
    /// The SQL syntax of its database.
    var migrationDialect: MigrationDialect { get }
    /// Acquires the store's migration lock and returns whether it was free; the lock is released if its process dies.
    func tryLock() throws(StoreError) -> Bool
    /// Returns a description of the process that holds the migration lock, if it is known.
    func lockHolder() -> String?
    func unlock()
    /// Begins a transaction that excludes other writers and checks foreign keys at commit at the latest.
    func begin() throws(StoreError)
    /// Returns the user-defined objects that belong to the store's tables.
    ///
    /// - Parameter own: The tables of the models in force and of the model being migrated to; may contain duplicates.
    func userDefinedObjects(besides own: [TableSchema]) throws(StoreError) -> [UserObject]
    /// Describes other user-defined objects on the given tables, one sentence each: triggers, rules, views, row security.
    func userObjectDescriptions(on own: [TableSchema]) throws(StoreError) -> [String]
    /// Returns the number of rows of a table, estimated if counting is slow, or nil if the table is missing or locked.
    func rowCount(of table: String) throws(StoreError) -> RowCount?
    /// Returns the dangling references of the given tables and of those that refer to them, or nil if the database enforces foreign keys.
    ///
    /// The descriptions don't depend on the names of tables and columns.
    func orphans(in tables: [String]) throws(StoreError) -> Set<String>?
    /// Reads the tables of the database.
    func physicalSchema() throws(StoreError) -> PhysicalSchema
    /// Reads the tables that a new store would have, without changing the database.
    func expectedSchema(for tables: [TableSchema]) throws(StoreError) -> PhysicalSchema
    /// Backs up the store into a file and returns true, or returns false if the file exists or is being created.
    func backUp(to path: String) throws(StoreError) -> Bool
    func close()
}

extension MigrationConnection {
    package var dialect: SQLDialect { migrationDialect.dialect }

    /// Counts the rows that prevent a step.
    func count(_ check: MigrationStep.Check) throws(StoreError) -> Int {
        try rows(SQLText(check.count, []), [.integer(bits: 64)]).first?[0].number ?? 0
    }
}
