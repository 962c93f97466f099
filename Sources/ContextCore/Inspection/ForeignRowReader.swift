/// A connection that reads the rows of a database that another program created, one row at a time.
///
/// It sees one state of the database, and changes neither the database nor a file beside it. One thread at a time uses it.
package protocol ForeignRowReader: AnyObject {
    /// Runs a query, and passes its rows to a closure.
    ///
    /// - Parameters:
    ///   - query: A query in the database's language.
    ///   - parameters: The values of its parameters, which it writes in the way of the database: `?1`, `?2` and so on for SQLite.
    ///   - body: Receives the values of each row, by their types in the database. A text that isn't valid Unicode is passed as data.
    func forEachRow(
        of query: String, _ parameters: [StoredValue], _ body: ([StoredValue]) throws -> Void
    ) throws
    /// Closes the connection, and removes temporary files; a second call does nothing.
    func close()
}

extension ForeignRowReader {
    /// Returns all rows of a query.
    package func rows(_ query: String, _ parameters: StoredValue...) throws -> [[StoredValue]] {
        var rows: [[StoredValue]] = []
        try forEachRow(of: query, parameters) { rows.append($0) }
        return rows
    }
}
