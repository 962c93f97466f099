/// A sort key for objects of one class, written with a key path.
public struct TypedSortKey<Root: ManagedObject>: Hashable, Sendable {
    /// The untyped sort key.
    public let key: SortKey

    /// Creates a typed sort key from an untyped one, without checking it.
    public init(_ key: SortKey) { self.key = key }

    /// Sorts in ascending order; nil values come first by default.
    public static func ascending<Value: AttributeValue>(
        _ path: KeyPath<Root, Value>, nullsFirst: Bool? = nil, options: TextOptions = []
    ) -> TypedSortKey {
        TypedSortKey(
            SortKey(PropertyPathCache.expression(of: path), nullsFirst: nullsFirst, options: options))
    }

    /// Sorts in descending order; nil values come last by default.
    public static func descending<Value: AttributeValue>(
        _ path: KeyPath<Root, Value>, nullsFirst: Bool? = nil, options: TextOptions = []
    ) -> TypedSortKey {
        TypedSortKey(
            SortKey(
                PropertyPathCache.expression(of: path), isDescending: true, nullsFirst: nullsFirst,
                options: options
            ))
    }

    /// Sorts by an expression, such as a count, in ascending order.
    public static func ascending<Value>(
        by expression: TypedExpression<Root, Value>, nullsFirst: Bool? = nil
    ) -> TypedSortKey {
        TypedSortKey(SortKey(expression.expression, nullsFirst: nullsFirst))
    }

    /// Sorts by an expression, such as a count, in descending order.
    public static func descending<Value>(
        by expression: TypedExpression<Root, Value>, nullsFirst: Bool? = nil
    ) -> TypedSortKey {
        TypedSortKey(SortKey(expression.expression, isDescending: true, nullsFirst: nullsFirst))
    }
}
