/// One key of an order of objects of one class, written with a key path.
public struct TypedSortKey<Root: ManagedObject>: Hashable, Sendable {
    /// The key as data.
    public let key: SortKey

    /// Takes a key to be about objects of a class.
    public init(_ key: SortKey) { self.key = key }

    /// From small to great; what has no value comes first, unless said otherwise.
    public static func ascending<Value: AttributeValue>(
        _ path: KeyPath<Root, Value>, nullsFirst: Bool? = nil, options: TextOptions = []
    ) -> TypedSortKey {
        TypedSortKey(
            SortKey(PropertyPathCache.expression(of: path), nullsFirst: nullsFirst, options: options))
    }

    /// From great to small; what has no value comes last, unless said otherwise.
    public static func descending<Value: AttributeValue>(
        _ path: KeyPath<Root, Value>, nullsFirst: Bool? = nil, options: TextOptions = []
    ) -> TypedSortKey {
        TypedSortKey(
            SortKey(
                PropertyPathCache.expression(of: path), isDescending: true, nullsFirst: nullsFirst,
                options: options
            ))
    }

    /// From small to great by what is worked out, such as a count.
    public static func ascending<Value>(
        by expression: TypedExpression<Root, Value>, nullsFirst: Bool? = nil
    ) -> TypedSortKey {
        TypedSortKey(SortKey(expression.expression, nullsFirst: nullsFirst))
    }

    /// From great to small by what is worked out, such as a count.
    public static func descending<Value>(
        by expression: TypedExpression<Root, Value>, nullsFirst: Bool? = nil
    ) -> TypedSortKey {
        TypedSortKey(SortKey(expression.expression, isDescending: true, nullsFirst: nullsFirst))
    }
}
