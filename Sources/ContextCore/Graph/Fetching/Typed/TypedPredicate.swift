/// A predicate for objects of one class, written with key paths and checked by the compiler.
///
/// ```swift
/// let leaders = try context.fetch(Player.self, where: \.score > 10 && \.game?.title == "Go")
/// ```
///
/// It wraps a ``FetchPredicate``, which defines the meaning of the operators, including for nil values.
public struct TypedPredicate<Root: ManagedObject>: Hashable, Sendable, CustomStringConvertible {
    /// The untyped predicate.
    public let predicate: FetchPredicate

    /// Creates a typed predicate from an untyped one, without checking it.
    public init(_ predicate: FetchPredicate) { self.predicate = predicate }

    /// The predicate as text.
    public var description: String { predicate.description }

    /// Whether both predicates are true.
    public static func && (left: Self, right: Self) -> Self { Self(left.predicate && right.predicate) }
    /// Whether at least one predicate is true.
    public static func || (left: Self, right: Self) -> Self { Self(left.predicate || right.predicate) }
    /// Negates a predicate.
    public static prefix func ! (predicate: Self) -> Self { Self(!predicate.predicate) }
}

/// An expression for objects of one class, such as the number of objects in a relationship.
public struct TypedExpression<Root: ManagedObject, Value>: Hashable, Sendable {
    /// The untyped expression.
    public let expression: FetchExpression

    /// Creates a typed expression from an untyped one, without checking it.
    public init(_ expression: FetchExpression) { self.expression = expression }
}

extension KeyPath where Root: ManagedObject {
    /// The key path as an expression.
    var fetchExpression: FetchExpression { PropertyPathCache.expression(of: self) }
}

extension TypedPredicate {
    /// Compares the value of a key path.
    init<Value>(
        _ left: KeyPath<Root, Value>, _ order: ComparisonOperator, _ right: some PredicateArgument,
        _ options: TextOptions = []
    ) {
        self.init(.comparing(left.fetchExpression, order, right.predicateExpression, options: options))
    }

    init<Value>(
        _ left: TypedExpression<Root, Value>, _ order: ComparisonOperator, _ right: some PredicateArgument
    ) {
        self.init(.comparing(left.expression, order, right.predicateExpression))
    }
}
