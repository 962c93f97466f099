/// A connection for administration tools, which inspects a database without the program's model.
///
/// An inspector is used by one thread at a time. It creates nothing, and changes nothing unless ``run(_:writing:limit:)``
/// is called with `writing: true`. It can open a database that isn't a store; functions that need a store then throw
/// ``StoreError/Code/notAStore``.
public protocol StoreInspector: AnyObject {
    /// Returns the models with which the store was made and migrated, oldest first.
    func models() throws -> [StoredModel]
    /// Returns the product, size and settings of the database.
    func facts() throws -> StoreFacts
    /// Returns the tables, those of the store and all others.
    func tables() throws -> [TableFacts]
    /// Returns the structure of tables and the names of views, sorted by name and without the store's metadata tables.
    func structures() throws -> [TableStructure]
    /// Returns damage of the database's structures and dangling references, a sentence each.
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
