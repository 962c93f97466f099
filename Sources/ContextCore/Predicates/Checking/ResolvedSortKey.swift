/// A sort key, resolved against the model.
package struct ResolvedSortKey: Hashable, Sendable {
    /// The value to sort by.
    package let expression: ResolvedExpression
    /// Whether greater values come first.
    package let isDescending: Bool
    /// Whether nulls come first.
    package let nullsFirst: Bool

    package init(_ expression: ResolvedExpression, isDescending: Bool, nullsFirst: Bool) {
        self.expression = expression
        self.isDescending = isDescending
        self.nullsFirst = nullsFirst
    }
}
