/// The limits on the size of a predicate that every store can evaluate.
///
/// The tightest limit is that of SQLite's parser, which accepts about 31 levels of conditions and 12 of subqueries.
package enum PredicateLimits {
    /// The maximum depth of a predicate before chains of AND and OR are flattened.
    static let maximumUnflattenedDepth = 200
    /// The maximum depth of nested conditions and values after chains are flattened.
    package static let maximumDepth = 30
    /// The maximum depth of nested subqueries and quantifiers.
    package static let maximumSubqueryDepth = 10
    /// The maximum number of comparisons; an IN with a list of constants counts as one.
    package static let maximumTerms = 500

    static var depthError: StoreError {
        StoreError(
            .unsupportedRequest, "The predicate is nested more than \(maximumDepth) levels deep.",
            remedy: "Simplify the predicate, or split the request.")
    }

    static func check(_ predicate: ResolvedPredicate) throws {
        try check(PredicateSize(predicate))
    }

    static func check(_ expression: ResolvedExpression) throws {
        try check(PredicateSize(expression))
    }

    private static func check(_ size: PredicateSize) throws {
        if size.depth > maximumDepth { throw depthError }
        if size.subqueries > maximumSubqueryDepth {
            throw StoreError(
                .unsupportedRequest,
                "The predicate nests more than \(maximumSubqueryDepth) subqueries.",
                remedy: "Split the request, or fetch part of it first.")
        }
        if size.terms > maximumTerms {
            throw StoreError(
                .unsupportedRequest,
                "The predicate has \(size.terms) comparisons; the limit is \(maximumTerms).",
                remedy: "Use IN with a list instead of many comparisons with =.")
        }
    }
}

/// The size of a resolved predicate.
private struct PredicateSize {
    var depth = 1
    var subqueries = 0
    var terms = 0

    init(_ predicate: ResolvedPredicate) {
        switch predicate {
        case .constant: break
        case .compare(let left, _, let right), .text(let left, _, let right):
            terms = 1
            add(PredicateSize(left))
            add(PredicateSize(right))
        case .like(let value, _), .matches(let value, _), .isNull(let value), .isMember(let value, _):
            terms = 1
            add(PredicateSize(value))
        case .isEntity: terms = 1
        case .exists(_, where: let inner):
            terms = 1
            add(PredicateSize(inner), subqueries: 1)
        case .truth(let inner, is: _), .not(let inner): add(PredicateSize(inner))
        case .and(let members), .or(let members): for member in members { add(PredicateSize(member)) }
        }
    }

    init(_ expression: ResolvedExpression) {
        switch expression.node {
        case .constant, .property: depth = 0
        case .arithmetic(_, let left, let right):
            add(PredicateSize(left))
            add(PredicateSize(right))
        case .function(_, let arguments): for argument in arguments { add(PredicateSize(argument)) }
        case .conditional(let test, then: let first, else: let second):
            add(PredicateSize(test))
            add(PredicateSize(first))
            add(PredicateSize(second))
        case .aggregate(let aggregate):
            let level = aggregate.collection == nil ? 0 : 1
            subqueries = level
            if let filter = aggregate.filter { add(PredicateSize(filter), subqueries: level) }
            if let value = aggregate.value { add(PredicateSize(value), subqueries: level) }
        }
    }

    private mutating func add(_ inner: PredicateSize, subqueries level: Int = 0) {
        depth = max(depth, inner.depth + 1)
        subqueries = max(subqueries, inner.subqueries + level)
        terms += inner.terms
    }
}
