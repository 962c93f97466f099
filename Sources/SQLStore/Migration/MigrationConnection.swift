package import ContextCore

/// One connection by which a store is migrated, used by one thread at a time.
package protocol MigrationConnection: AnyObject {
    /// How its database spells things.
    var spelling: MigrationDialect { get }
    /// Keeps all other migrators of the store out, if none is in; it is free again when its holder dies.
    func tryLock() throws(StoreError) -> Bool
    /// Says who keeps others out, as far as that is known.
    func lockHolder() -> String?
    func unlock()
    /// Begins a transaction beside which nobody writes to the store, and in which references are looked at in the end at the latest.
    func begin() throws(StoreError)
    func commit() throws(StoreError)
    func rollback()
    /// Runs a statement without values.
    func execute(_ sql: String) throws(StoreError)
    /// Runs a statement with values.
    func run(_ text: SQLText) throws(StoreError)
    /// Runs a statement that answers rows of some types.
    func rows(_ text: SQLText, _ types: [SQLType]) throws(StoreError) -> [[StoredValue]]
    /// What isn't the store's own and goes with its tables.
    ///
    /// - Parameter own: The tables of the models that are in force, or on their way to be; one may be there several times.
    func foreignObjects(besides own: [TableSchema]) throws(StoreError) -> [ForeignObject]
    /// User-defined things on some tables beside ``foreignObjects(besides:)``, a sentence each: triggers, rules, views, row security.
    func userObjects(on own: [TableSchema]) throws(StoreError) -> [String]
    /// How many rows a table has, about, where counting would take long; nil where it isn't there, or can't be looked at at once.
    func rowCount(of table: String) throws(StoreError) -> RowCount?
    /// The references that lead nowhere, of some tables and of those that refer to them, as far as they are there; nil where the database
    /// itself refuses every such reference.
    ///
    /// Each is in words that stay the same whatever the tables and their columns are called.
    func orphans(in tables: [String]) throws(StoreError) -> Set<String>?
    /// The tables that there are.
    func physicalSchema() throws(StoreError) -> PhysicalSchema
    /// The tables that a fresh store would have; nothing of them is left.
    func physicalSchema(of tables: [TableSchema]) throws(StoreError) -> PhysicalSchema
    /// Copies the store into a file; tells whether it did, or somebody has the name or is about to.
    func backUp(to path: String) throws(StoreError) -> Bool
    func close()
}

extension MigrationConnection {
    /// Counts the rows that stand in the way of a step.
    func count(_ check: MigrationStep.Check) throws(StoreError) -> Int {
        try rows(SQLText(check.count, []), [.integer(bits: 64)]).first?[0].number ?? 0
    }
}
