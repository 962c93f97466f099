/// A connection for administration tools, which inspects a database without the program's model.
///
/// An inspector is used by one thread at a time. It creates nothing, and changes nothing unless ``run(_:writing:limit:)``
/// is called with `writing: true`. It can open a database that isn't a store; functions that need a store then throw
/// ``StoreError/Code/notAStore``.
public protocol StoreInspector: AnyObject {
    /// Returns the models with which the store was created and migrated, the oldest first.
    func models() throws -> [StoredModel]
    /// Returns the product, size and settings of the database.
    func databaseInfo() throws -> StoreFacts
    /// Returns all tables, including those that don't belong to the store.
    func tables() throws -> [TableFacts]
    /// Returns the structures of all tables except the store's metadata tables, and the names of views, sorted by name.
    func structures() throws -> [TableStructure]
    /// Returns a sentence for each damaged structure and each dangling reference of the database.
    func damage() throws -> [String]
    /// Runs one statement in the database's own language.
    ///
    /// - Parameters:
    ///   - statement: A single statement; several are an error.
    ///   - writing: Whether the statement may change data; otherwise the database rejects changes.
    ///   - limit: The maximum number of rows to return.
    func run(_ statement: String, writing: Bool, limit: Int?) throws -> StatementRows
    /// Closes the connection; a second call does nothing.
    func close()
}
