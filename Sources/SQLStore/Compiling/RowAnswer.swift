/// What a statement that fetches rows answers.
package struct RowAnswer: Sendable {
    /// Where each column stands.
    package let selection: SelectedColumns
    /// Whether rows come in the order that was asked for.
    ///
    /// Where all rows are wanted in the order of their keys, the statement has no order: they mostly come so, and to find out, and
    /// to put them right, is less work for who has them than for a database.
    package let isSorted: Bool
    /// Whether rows go to the dialect's gathering function.
    package let isGathered: Bool
}
