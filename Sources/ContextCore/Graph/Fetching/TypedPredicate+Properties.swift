// Two properties of the same object compared.

/// Whether two attributes have the same value; two missing values are equal.
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

/// Whether an attribute is less than another; unknown where one is missing.
public func < <Root: ManagedObject, Value: AttributeValue>(
    left: KeyPath<Root, Value>, right: KeyPath<Root, Value>
) -> TypedPredicate<Root> {
    TypedPredicate(left, .less, right.fetchExpression)
}

/// Whether an attribute is no greater than another; unknown where one is missing.
public func <= <Root: ManagedObject, Value: AttributeValue>(
    left: KeyPath<Root, Value>, right: KeyPath<Root, Value>
) -> TypedPredicate<Root> {
    TypedPredicate(left, .lessOrEqual, right.fetchExpression)
}

/// Whether an attribute is greater than another; unknown where one is missing.
public func > <Root: ManagedObject, Value: AttributeValue>(
    left: KeyPath<Root, Value>, right: KeyPath<Root, Value>
) -> TypedPredicate<Root> {
    TypedPredicate(left, .greater, right.fetchExpression)
}

/// Whether an attribute is no less than another; unknown where one is missing.
public func >= <Root: ManagedObject, Value: AttributeValue>(
    left: KeyPath<Root, Value>, right: KeyPath<Root, Value>
) -> TypedPredicate<Root> {
    TypedPredicate(left, .greaterOrEqual, right.fetchExpression)
}
