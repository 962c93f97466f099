/// A predicate about objects of one class, written with key paths and checked by the compiler.
///
/// ```swift
/// let leaders = try context.fetch(Player.self, where: \.score > 10 && \.game?.title == "Go")
/// ```
///
/// It is a ``FetchPredicate`` that knows its class. What the operators mean, with values that are missing too, is what the evaluator
/// of ``FetchPredicate`` says.
public struct TypedPredicate<Root: ManagedObject>: Hashable, Sendable, CustomStringConvertible {
    /// The predicate as data.
    public let predicate: FetchPredicate

    /// Takes a predicate to be about objects of a class.
    public init(_ predicate: FetchPredicate) { self.predicate = predicate }

    /// The predicate as text.
    public var description: String { predicate.description }

    /// Whether both are true.
    public static func && (left: Self, right: Self) -> Self { Self(left.predicate && right.predicate) }
    /// Whether at least one is true.
    public static func || (left: Self, right: Self) -> Self { Self(left.predicate || right.predicate) }
    /// The opposite.
    public static prefix func ! (predicate: Self) -> Self { Self(!predicate.predicate) }
}

/// A value about objects of one class that is worked out, such as how many objects a relationship holds.
public struct TypedExpression<Root: ManagedObject, Value>: Hashable, Sendable {
    /// The expression as data.
    public let expression: FetchExpression

    /// Takes an expression to be about objects of a class.
    public init(_ expression: FetchExpression) { self.expression = expression }
}

extension KeyPath where Root: ManagedObject {
    /// The key path as an expression.
    var fetchExpression: FetchExpression { PropertyPathCache.expression(of: self) }
}

extension TypedPredicate {
    /// Compares what a key path leads to.
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
