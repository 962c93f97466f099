/// One key of an order, bound to the model.
package struct ResolvedSortKey: Hashable, Sendable {
    /// What is compared.
    package let expression: ResolvedExpression
    /// Whether great comes before small.
    package let isDescending: Bool
    /// Whether rows without a value come first.
    package let nullsFirst: Bool

    package init(_ expression: ResolvedExpression, isDescending: Bool, nullsFirst: Bool) {
        self.expression = expression
        self.isDescending = isDescending
        self.nullsFirst = nullsFirst
    }
}
