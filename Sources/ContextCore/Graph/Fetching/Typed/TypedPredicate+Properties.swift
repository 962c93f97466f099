// Comparisons of two properties of the same object.

/// Whether two attributes have the same value; nil equals nil.
public func == <Root: ManagedObject, Value: AttributeValue>(
    left: KeyPath<Root, Value>, right: KeyPath<Root, Value>
) -> TypedPredicate<Root> {
    TypedPredicate(left, .equal, right.fetchExpression)
}

/// Whether two attributes have different values.
public func != <Root: ManagedObject, Value: AttributeValue>(
    left: KeyPath<Root, Value>, right: KeyPath<Root, Value>
) -> TypedPredicate<Root> {
    TypedPredicate(left, .notEqual, right.fetchExpression)
}

/// Whether an attribute is less than another one; unknown if one of them is nil.
public func < <Root: ManagedObject, Value: AttributeValue>(
    left: KeyPath<Root, Value>, right: KeyPath<Root, Value>
) -> TypedPredicate<Root> {
    TypedPredicate(left, .less, right.fetchExpression)
}

/// Whether an attribute is less than or equal to another one; unknown if one of them is nil.
public func <= <Root: ManagedObject, Value: AttributeValue>(
    left: KeyPath<Root, Value>, right: KeyPath<Root, Value>
) -> TypedPredicate<Root> {
    TypedPredicate(left, .lessOrEqual, right.fetchExpression)
}

/// Whether an attribute is greater than another one; unknown if one of them is nil.
public func > <Root: ManagedObject, Value: AttributeValue>(
    left: KeyPath<Root, Value>, right: KeyPath<Root, Value>
) -> TypedPredicate<Root> {
    TypedPredicate(left, .greater, right.fetchExpression)
}

/// Whether an attribute is greater than or equal to another one; unknown if one of them is nil.
public func >= <Root: ManagedObject, Value: AttributeValue>(
    left: KeyPath<Root, Value>, right: KeyPath<Root, Value>
) -> TypedPredicate<Root> {
    TypedPredicate(left, .greaterOrEqual, right.fetchExpression)
}
