package import ContextCore

/// A connection to a database, used by one thread at a time.
///
/// Beginning a transaction and its savepoints is different in each backend: PostgreSQL sends these statements together with others.
package protocol SQLConnection: AnyObject {
    /// The SQL syntax of the store's statements.
    var dialect: SQLDialect { get }
    /// Whether a transaction is open, including one that has failed.
    var isInTransaction: Bool { get }
    /// Commits the open transaction.
    func commit() throws(StoreError)
    /// Rolls back the transaction, if one is open.
    func rollback()
    /// Runs a statement without parameters.
    func execute(_ sql: String) throws(StoreError)
    /// Runs a statement with parameters.
    func run(_ text: SQLText) throws(StoreError)
    /// Runs a query whose columns have the given types and returns its rows.
    func rows(_ text: SQLText, _ types: [SQLType]) throws(StoreError) -> [[StoredValue]]
}

extension SQLConnection {
    /// Runs a query without parameters whose columns are texts and returns its rows; nulls are empty texts.
    package func texts(_ sql: String, columns: Int) throws(StoreError) -> [[String]] {
        try rows(SQLText(sql, []), Array(repeating: .text, count: columns)).map { $0.map(\.textValue) }
    }
}
