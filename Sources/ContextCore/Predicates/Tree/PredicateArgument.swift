/// A value that can be put into a predicate's text, or in a variable's place.
///
/// All types of attributes are such values, and so are lists of them, paths and expressions.
public protocol PredicateArgument {
    /// The value as a piece of a predicate.
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
    /// The elements in the order of their texts, so that equal sets make equal predicates.
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
