/// A predicate that a model can answer: every path leads to a column, every value has a type.
///
/// Evaluator and SQL compilers read this form and no other. What checking has done to the tree:
///
/// - AND and OR are flat and have two members at least; NOT stands only before leaves (De Morgan's laws hold for three values,
///   `NOT a < b` has become `a >= b`), before ``exists(_:where:)`` and before ``truth(_:is:)``.
/// - `BETWEEN` has become two comparisons, `IN` with other than constants a chain of OR, `ANY`, `ALL` and `NONE` an
///   ``exists(_:where:)``, a comparison with null ``isNull(_:)``.
/// - `[c]` and `[d]` have become ``ResolvedFunction/fold(_:)`` around what varies; constants are folded already.
/// - Both sides of a comparison have one type; constants have been converted to the type of the column.
package indirect enum ResolvedPredicate: Hashable, Sendable {
    /// Always the same answer.
    case constant(PredicateTruth)
    /// Two values of one type in order.
    ///
    /// `=` and `!=` are never unknown: two nulls are equal, a null and a value are not (SQL's IS NOT DISTINCT FROM).
    /// The others are unknown as soon as one side is null.
    case compare(ResolvedExpression, OrderOperator, ResolvedExpression)
    /// Whether a text holds another at its beginning, at its end, or anywhere, byte for byte; unknown with a null.
    case text(ResolvedExpression, TextTest, ResolvedExpression)
    /// Whether a text fits a pattern of `?` and `*`; unknown for null.
    case like(ResolvedExpression, LikePattern)
    /// Whether a text fits a regular expression from beginning to end; unknown for null.
    case matches(ResolvedExpression, TextExpression)
    /// Whether there is no value; never unknown.
    case isNull(ResolvedExpression)
    /// Whether the value is one of some constants, none of them null, in order and each there once; never unknown, and false for null.
    case isMember(ResolvedExpression, of: [StoredValue])
    /// Whether the object is of one of the entities with these positions in the model; false where there is no object.
    case isEntity(ResolvedProperty, indices: [Int])
    /// Whether a relationship leads to an object for which the condition is true; never unknown.
    ///
    /// The condition's scope is one deeper than the collection's surroundings.
    case exists(ResolvedCollection, where: ResolvedPredicate)
    /// Whether a condition has a certain answer; never unknown.
    case truth(ResolvedPredicate, is: PredicateTruth)
    /// The opposite; unknown stays unknown.
    case not(ResolvedPredicate)
    /// False when one is false, else unknown when one is unknown, else true.
    case and([ResolvedPredicate])
    /// True when one is true, else unknown when one is unknown, else false.
    case or([ResolvedPredicate])
}

/// Names how two values of one type are compared.
package enum OrderOperator: String, Hashable, Sendable, CaseIterable {
    case equal = "="
    case notEqual = "!="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
}

/// Names where a text may hold another.
package enum TextTest: Hashable, Sendable, CaseIterable {
    case beginsWith
    case endsWith
    case contains
}
