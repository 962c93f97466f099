/// How great a predicate may be, so that every store can answer it.
///
/// The tightest of the stores' own limits is SQLite's parser, which takes about 31 levels of conditions and 12 of subqueries.
package enum PredicateLimits {
    /// Levels of a tree as it was written, which is walked before it is flattened.
    static let writtenDepth = 200
    /// Levels of conditions and values within each other, once chains are flat.
    package static let depth = 30
    /// Levels of subqueries and quantifiers within each other.
    package static let subqueries = 10
    /// Comparisons in all; the members of a list count as one.
    package static let terms = 500

    static var tooDeep: StoreError {
        StoreError(
            .unsupportedRequest, "The predicate is nested more than \(depth) levels deep.",
            remedy: "Split the request, or flatten the predicate.")
    }

    static func check(_ predicate: ResolvedPredicate) throws {
        try check(PredicateSize(predicate))
    }

    static func check(_ expression: ResolvedExpression) throws {
        try check(PredicateSize(expression))
    }

    private static func check(_ size: PredicateSize) throws {
        if size.depth > depth { throw tooDeep }
        if size.subqueries > subqueries {
            throw StoreError(
                .unsupportedRequest,
                "The predicate has more than \(subqueries) subqueries within each other.",
                remedy: "Split the request, or fetch part of it first.")
        }
        if size.terms > terms {
            throw StoreError(
                .unsupportedRequest, "The predicate has \(size.terms) comparisons; \(terms) is the most.",
                remedy: "Use IN with a list in the place of many comparisons with =.")
        }
    }
}

/// How great a checked predicate is.
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
