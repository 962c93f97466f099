/// The result of a statement in the database's own language.
public struct StatementRows: Sendable, Hashable {
    /// The names of the columns; empty if the statement returns no rows.
    public var columns: [String]
    /// The rows, each with a value for every column.
    public var rows: [[StoredValue]]
    /// Whether rows beyond the limit were omitted.
    public var isTruncated: Bool
    /// The number of rows that the statement inserted, changed or deleted.
    public var changedRows: Int

    /// Creates a result.
    public init(columns: [String], rows: [[StoredValue]], isTruncated: Bool = false, changedRows: Int = 0) {
        self.columns = columns
        self.rows = rows
        self.isTruncated = isTruncated
        self.changedRows = changedRows
    }
}
