// The operators of typed predicates. Few overloads, each bound to key paths of managed objects, keep long predicates quick to check.

/// Whether an attribute has a value; two missing values are equal.
public func == <Root: ManagedObject, Value: AttributeValue>(
    left: KeyPath<Root, Value>, right: Value
) -> TypedPredicate<Root> {
    TypedPredicate(left, .equal, right)
}

/// Whether a relationship leads to an object, or to nothing.
public func == <Root: ManagedObject, Target: ManagedObject>(
    left: KeyPath<Root, Target?>, right: Target?
) -> TypedPredicate<Root> {
    TypedPredicate(left, .equal, right)
}

/// Whether a relationship leads to an object, or to nothing.
public func == <Root: ManagedObject, Target: ManagedObject>(
    left: KeyPath<Root, Target>, right: Target
) -> TypedPredicate<Root> {
    TypedPredicate(left, .equal, right)
}

/// Whether what is worked out is a value.
public func == <Root: ManagedObject, Value: PredicateArgument>(
    left: TypedExpression<Root, Value>, right: Value
) -> TypedPredicate<Root> {
    TypedPredicate(left, .equal, right)
}

/// Whether an attribute has another value.
public func != <Root: ManagedObject, Value: AttributeValue>(
    left: KeyPath<Root, Value>, right: Value
) -> TypedPredicate<Root> {
    TypedPredicate(left, .notEqual, right)
}

/// Whether a relationship leads elsewhere.
public func != <Root: ManagedObject, Target: ManagedObject>(
    left: KeyPath<Root, Target?>, right: Target?
) -> TypedPredicate<Root> {
    TypedPredicate(left, .notEqual, right)
}

/// Whether a relationship leads elsewhere.
public func != <Root: ManagedObject, Target: ManagedObject>(
    left: KeyPath<Root, Target>, right: Target
) -> TypedPredicate<Root> {
    TypedPredicate(left, .notEqual, right)
}

/// Whether what is worked out is not a value.
public func != <Root: ManagedObject, Value: PredicateArgument>(
    left: TypedExpression<Root, Value>, right: Value
) -> TypedPredicate<Root> {
    TypedPredicate(left, .notEqual, right)
}

/// Whether an attribute is less than a value.
public func < <Root: ManagedObject, Value: AttributeValue & Comparable>(
    left: KeyPath<Root, Value>, right: Value
) -> TypedPredicate<Root> {
    TypedPredicate(left, .less, right)
}

/// Whether an attribute is less than a value; unknown where there is none.
public func < <Root: ManagedObject, Value: AttributeValue & Comparable>(
    left: KeyPath<Root, Value?>, right: Value
) -> TypedPredicate<Root> {
    TypedPredicate(left, .less, right)
}

/// Whether what is worked out is less than a value.
public func < <Root: ManagedObject, Value: PredicateArgument & Comparable>(
    left: TypedExpression<Root, Value>, right: Value
) -> TypedPredicate<Root> {
    TypedPredicate(left, .less, right)
}

/// Whether an attribute is no greater than a value.
public func <= <Root: ManagedObject, Value: AttributeValue & Comparable>(
    left: KeyPath<Root, Value>, right: Value
) -> TypedPredicate<Root> {
    TypedPredicate(left, .lessOrEqual, right)
}

/// Whether an attribute is no greater than a value; unknown where there is none.
public func <= <Root: ManagedObject, Value: AttributeValue & Comparable>(
    left: KeyPath<Root, Value?>, right: Value
) -> TypedPredicate<Root> {
    TypedPredicate(left, .lessOrEqual, right)
}

/// Whether what is worked out is no greater than a value.
public func <= <Root: ManagedObject, Value: PredicateArgument & Comparable>(
    left: TypedExpression<Root, Value>, right: Value
) -> TypedPredicate<Root> {
    TypedPredicate(left, .lessOrEqual, right)
}

/// Whether an attribute is greater than a value.
public func > <Root: ManagedObject, Value: AttributeValue & Comparable>(
    left: KeyPath<Root, Value>, right: Value
) -> TypedPredicate<Root> {
    TypedPredicate(left, .greater, right)
}

/// Whether an attribute is greater than a value; unknown where there is none.
public func > <Root: ManagedObject, Value: AttributeValue & Comparable>(
    left: KeyPath<Root, Value?>, right: Value
) -> TypedPredicate<Root> {
    TypedPredicate(left, .greater, right)
}

/// Whether what is worked out is greater than a value.
public func > <Root: ManagedObject, Value: PredicateArgument & Comparable>(
    left: TypedExpression<Root, Value>, right: Value
) -> TypedPredicate<Root> {
    TypedPredicate(left, .greater, right)
}

/// Whether an attribute is no less than a value.
public func >= <Root: ManagedObject, Value: AttributeValue & Comparable>(
    left: KeyPath<Root, Value>, right: Value
) -> TypedPredicate<Root> {
    TypedPredicate(left, .greaterOrEqual, right)
}

/// Whether an attribute is no less than a value; unknown where there is none.
public func >= <Root: ManagedObject, Value: AttributeValue & Comparable>(
    left: KeyPath<Root, Value?>, right: Value
) -> TypedPredicate<Root> {
    TypedPredicate(left, .greaterOrEqual, right)
}

/// Whether what is worked out is no less than a value.
public func >= <Root: ManagedObject, Value: PredicateArgument & Comparable>(
    left: TypedExpression<Root, Value>, right: Value
) -> TypedPredicate<Root> {
    TypedPredicate(left, .greaterOrEqual, right)
}

/// Whether an attribute lies between two values, both included.
public func ~= <Root: ManagedObject, Value: AttributeValue & Comparable>(
    range: ClosedRange<Value>, path: KeyPath<Root, Value>
) -> TypedPredicate<Root> {
    TypedPredicate(path, .between, range)
}

/// Whether an attribute is one of several values.
public func ~= <Root: ManagedObject, Value: AttributeValue>(
    values: [Value], path: KeyPath<Root, Value>
) -> TypedPredicate<Root> {
    TypedPredicate(path, .in, values)
}
