/// The result format of a statement that fetches rows.
package struct RowFormat: Sendable {
    /// The position of each column.
    package let selection: SelectedColumns
    /// Whether the statement sorts its rows.
    ///
    /// If a request wants all rows in the order of their keys, the statement has no ORDER BY: the rows mostly come in that order, and
    /// checking and sorting them costs the reader less than the database.
    package let isSorted: Bool
    /// Whether the statement passes its rows to the dialect's row-gathering function.
    package let isGathered: Bool
}
