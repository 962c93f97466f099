import ContextCore

/// A row of another program's table that can't be imported.
struct RejectedTableRow {
    let table: TableStructure
    /// The key that its object would have; nil for a link.
    let key: Int64?
    /// Where the database has a row without a primary key, such as `rowid 3`.
    let address: String?
    /// The columns that identify the row if ``key`` doesn't.
    let keyColumns: [String]
    /// The values of the table's columns.
    let values: [StoredValue]
    /// The reasons as clauses, which name properties and no values.
    let reasons: [String]

    /// The row in messages, which have no values: its address, or the key of its object; nil for a link.
    var number: String? { address ?? key.map(String.init) }

    /// The values that identify the row in the table, for the file of rejected rows: `author_id 7, book_id 10`, or its address.
    var identity: String? {
        if keyColumns.isEmpty { return address }
        return zip(table.columns, values).filter { keyColumns.contains($0.0.name) }
            .map { "\($0.name) \(ValueText.cell($1).text)" }.joined(separator: ", ")
    }
}
