/// What a statement in the database's own language answered.
public struct StatementRows: Sendable, Hashable {
    /// The names of the columns; none for a statement that answers no rows.
    public var columns: [String]
    /// The rows, each with a value for every column.
    public var rows: [[StoredValue]]
    /// Whether there were more rows than were asked for.
    public var isCut: Bool
    /// How many rows the statement inserted, changed or deleted.
    public var changedRows: Int

    /// Makes an answer.
    public init(columns: [String], rows: [[StoredValue]], isCut: Bool = false, changedRows: Int = 0) {
        self.columns = columns
        self.rows = rows
        self.isCut = isCut
        self.changedRows = changedRows
    }
}
