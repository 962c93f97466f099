/// A value that can replace a placeholder in a predicate's text or a variable in a predicate.
///
/// All attribute types, lists of them, identifiers, paths and expressions conform.
public protocol PredicateArgument {
    /// The value as an expression.
    var predicateExpression: FetchExpression { get }
}

extension PredicateArgument where Self: AttributeValue {
    public var predicateExpression: FetchExpression { .literal(storedValue) }
}

extension Optional: PredicateArgument where Wrapped: PredicateArgument {
    public var predicateExpression: FetchExpression { self?.predicateExpression ?? .literal(.null) }
}

extension Array: PredicateArgument where Element: PredicateArgument {
    public var predicateExpression: FetchExpression { .list(map(\.predicateExpression)) }
}

extension Set: PredicateArgument where Element: PredicateArgument {
    /// The elements sorted by their descriptions, so that equal sets make equal predicates.
    public var predicateExpression: FetchExpression {
        .list(map(\.predicateExpression).sorted { $0.description < $1.description })
    }
}

extension ClosedRange: PredicateArgument where Bound: PredicateArgument {
    public var predicateExpression: FetchExpression {
        .list([lowerBound.predicateExpression, upperBound.predicateExpression])
    }
}

extension StoredValue: PredicateArgument {
    public var predicateExpression: FetchExpression { .literal(self) }
}

extension ObjectID: PredicateArgument {
    public var predicateExpression: FetchExpression { .object(self) }
}

extension PropertyPath: PredicateArgument {
    public var predicateExpression: FetchExpression { .path(self) }
}

extension FetchExpression: PredicateArgument {
    public var predicateExpression: FetchExpression { self }
}
