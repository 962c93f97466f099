/// A predicate whose paths are resolved to columns and whose values have types.
///
/// The evaluator and the SQL compilers read only this form. Checking normalizes the tree:
///
/// - AND and OR are flat and have at least two members. NOT occurs only before leaves, ``exists(_:where:)`` and ``truth(_:is:)``:
///   De Morgan's laws hold in three-valued logic, and `NOT a < b` becomes `a >= b`.
/// - `BETWEEN` becomes two comparisons, `IN` with members that are not constants a chain of OR, `ANY`, `ALL` and `NONE` an
///   ``exists(_:where:)``, and a comparison with null an ``isNull(_:)``.
/// - `[c]` and `[d]` become ``ResolvedFunction/fold(_:)`` around values that are not constant; constants are folded in advance.
/// - Both sides of a comparison have one type; constants are converted to the type of the column.
package indirect enum ResolvedPredicate: Hashable, Sendable {
    /// A condition whose result is known in advance.
    case constant(PredicateTruth)
    /// A comparison of two values of one type.
    ///
    /// `=` and `!=` are never unknown: two nulls are equal, a null and a value are not (SQL's IS NOT DISTINCT FROM).
    /// The other operators are unknown if either side is null.
    case compare(ResolvedExpression, OrderOperator, ResolvedExpression)
    /// Whether a string begins with, ends with or contains another, byte for byte; unknown if either is null.
    case text(ResolvedExpression, SubstringTest, ResolvedExpression)
    /// Whether a string matches a pattern of `?` and `*`; unknown for null.
    case like(ResolvedExpression, LikePattern)
    /// Whether a regular expression matches a whole string; unknown for null.
    case matches(ResolvedExpression, RegularExpression)
    /// Whether the value is null; never unknown.
    case isNull(ResolvedExpression)
    /// Whether the value is one of sorted, distinct, non-null constants; never unknown, and false for null.
    case isMember(ResolvedExpression, of: [StoredValue])
    /// Whether the object's entity is one of those with these indexes in the model; false if there is no object.
    case isEntity(ResolvedProperty, indices: [Int])
    /// Whether the condition is true for an element of the collection; never unknown.
    ///
    /// The condition's scope is one deeper than that of the enclosing condition.
    case exists(ResolvedCollection, where: ResolvedPredicate)
    /// Whether a condition evaluates to a given truth value; never unknown.
    case truth(ResolvedPredicate, is: PredicateTruth)
    /// The negated condition; unknown stays unknown.
    case not(ResolvedPredicate)
    /// False if a member is false, else unknown if a member is unknown, else true.
    case and([ResolvedPredicate])
    /// True if a member is true, else unknown if a member is unknown, else false.
    case or([ResolvedPredicate])
}

/// An operator that compares two values of one type.
package enum OrderOperator: String, Hashable, Sendable, CaseIterable {
    case equal = "="
    case notEqual = "!="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
}

/// A test for a substring at a position in a string.
package enum SubstringTest: Hashable, Sendable, CaseIterable {
    case beginsWith
    case endsWith
    case contains
}
