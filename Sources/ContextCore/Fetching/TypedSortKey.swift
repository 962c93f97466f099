/// One key of an order of objects of one class, written with a key path.
public struct TypedSortKey<Root: ManagedObject>: Hashable, Sendable {
    /// The key as data.
    public let key: SortKey

    /// From small to great; what has no value comes first, unless said otherwise.
    public static func ascending<Value: AttributeValue>(
        _ path: KeyPath<Root, Value>, nullsFirst: Bool? = nil, options: TextOptions = []
    ) -> TypedSortKey {
        TypedSortKey(key: SortKey(PropertyPathCache.path(of: path), nullsFirst: nullsFirst, options: options))
    }

    /// From great to small; what has no value comes last, unless said otherwise.
    public static func descending<Value: AttributeValue>(
        _ path: KeyPath<Root, Value>, nullsFirst: Bool? = nil, options: TextOptions = []
    ) -> TypedSortKey {
        TypedSortKey(
            key: SortKey(
                PropertyPathCache.path(of: path), isDescending: true, nullsFirst: nullsFirst, options: options
            ))
    }
}
