// The operators of typed predicates. Few overloads, each for key paths of managed objects, keep long predicates quick to type-check.

/// Whether an attribute equals a value; nil equals nil.
public func == <Root: ManagedObject, Value: AttributeValue>(
    left: KeyPath<Root, Value>, right: Value
) -> TypedPredicate<Root> {
    TypedPredicate(left, .equal, right)
}

/// Whether an optional relationship references an object, or nil.
public func == <Root: ManagedObject, Target: ManagedObject>(
    left: KeyPath<Root, Target?>, right: Target?
) -> TypedPredicate<Root> {
    TypedPredicate(left, .equal, right)
}

/// Whether a relationship references an object.
public func == <Root: ManagedObject, Target: ManagedObject>(
    left: KeyPath<Root, Target>, right: Target
) -> TypedPredicate<Root> {
    TypedPredicate(left, .equal, right)
}

/// Whether an expression equals a value.
public func == <Root: ManagedObject, Value: PredicateArgument>(
    left: TypedExpression<Root, Value>, right: Value
) -> TypedPredicate<Root> {
    TypedPredicate(left, .equal, right)
}

/// Whether an attribute differs from a value; nil differs from any other value.
public func != <Root: ManagedObject, Value: AttributeValue>(
    left: KeyPath<Root, Value>, right: Value
) -> TypedPredicate<Root> {
    TypedPredicate(left, .notEqual, right)
}

/// Whether an optional relationship doesn't reference an object, or isn't nil.
public func != <Root: ManagedObject, Target: ManagedObject>(
    left: KeyPath<Root, Target?>, right: Target?
) -> TypedPredicate<Root> {
    TypedPredicate(left, .notEqual, right)
}

/// Whether a relationship doesn't reference an object.
public func != <Root: ManagedObject, Target: ManagedObject>(
    left: KeyPath<Root, Target>, right: Target
) -> TypedPredicate<Root> {
    TypedPredicate(left, .notEqual, right)
}

/// Whether an expression differs from a value.
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

/// Whether an attribute is less than a value; unknown if the attribute is nil.
public func < <Root: ManagedObject, Value: AttributeValue & Comparable>(
    left: KeyPath<Root, Value?>, right: Value
) -> TypedPredicate<Root> {
    TypedPredicate(left, .less, right)
}

/// Whether an expression is less than a value.
public func < <Root: ManagedObject, Value: PredicateArgument & Comparable>(
    left: TypedExpression<Root, Value>, right: Value
) -> TypedPredicate<Root> {
    TypedPredicate(left, .less, right)
}

/// Whether an attribute is less than or equal to a value.
public func <= <Root: ManagedObject, Value: AttributeValue & Comparable>(
    left: KeyPath<Root, Value>, right: Value
) -> TypedPredicate<Root> {
    TypedPredicate(left, .lessOrEqual, right)
}

/// Whether an attribute is less than or equal to a value; unknown if the attribute is nil.
public func <= <Root: ManagedObject, Value: AttributeValue & Comparable>(
    left: KeyPath<Root, Value?>, right: Value
) -> TypedPredicate<Root> {
    TypedPredicate(left, .lessOrEqual, right)
}

/// Whether an expression is less than or equal to a value.
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

/// Whether an attribute is greater than a value; unknown if the attribute is nil.
public func > <Root: ManagedObject, Value: AttributeValue & Comparable>(
    left: KeyPath<Root, Value?>, right: Value
) -> TypedPredicate<Root> {
    TypedPredicate(left, .greater, right)
}

/// Whether an expression is greater than a value.
public func > <Root: ManagedObject, Value: PredicateArgument & Comparable>(
    left: TypedExpression<Root, Value>, right: Value
) -> TypedPredicate<Root> {
    TypedPredicate(left, .greater, right)
}

/// Whether an attribute is greater than or equal to a value.
public func >= <Root: ManagedObject, Value: AttributeValue & Comparable>(
    left: KeyPath<Root, Value>, right: Value
) -> TypedPredicate<Root> {
    TypedPredicate(left, .greaterOrEqual, right)
}

/// Whether an attribute is greater than or equal to a value; unknown if the attribute is nil.
public func >= <Root: ManagedObject, Value: AttributeValue & Comparable>(
    left: KeyPath<Root, Value?>, right: Value
) -> TypedPredicate<Root> {
    TypedPredicate(left, .greaterOrEqual, right)
}

/// Whether an expression is greater than or equal to a value.
public func >= <Root: ManagedObject, Value: PredicateArgument & Comparable>(
    left: TypedExpression<Root, Value>, right: Value
) -> TypedPredicate<Root> {
    TypedPredicate(left, .greaterOrEqual, right)
}

/// Whether an attribute is between two values, inclusive.
public func ~= <Root: ManagedObject, Value: AttributeValue & Comparable>(
    range: ClosedRange<Value>, path: KeyPath<Root, Value>
) -> TypedPredicate<Root> {
    TypedPredicate(path, .between, range)
}

/// Whether an attribute is at least the lower bound and less than the upper one.
public func ~= <Root: ManagedObject, Value: AttributeValue & Comparable>(
    range: Range<Value>, path: KeyPath<Root, Value>
) -> TypedPredicate<Root> {
    TypedPredicate(path, .greaterOrEqual, range.lowerBound) && TypedPredicate(path, .less, range.upperBound)
}

/// Whether an attribute is greater than or equal to a value, as in `10... ~= \.score`.
public func ~= <Root: ManagedObject, Value: AttributeValue & Comparable>(
    range: PartialRangeFrom<Value>, path: KeyPath<Root, Value>
) -> TypedPredicate<Root> {
    TypedPredicate(path, .greaterOrEqual, range.lowerBound)
}

/// Whether an attribute is less than or equal to a value, as in `...10 ~= \.score`.
public func ~= <Root: ManagedObject, Value: AttributeValue & Comparable>(
    range: PartialRangeThrough<Value>, path: KeyPath<Root, Value>
) -> TypedPredicate<Root> {
    TypedPredicate(path, .lessOrEqual, range.upperBound)
}

/// Whether an attribute is less than a value, as in `..<10 ~= \.score`.
public func ~= <Root: ManagedObject, Value: AttributeValue & Comparable>(
    range: PartialRangeUpTo<Value>, path: KeyPath<Root, Value>
) -> TypedPredicate<Root> {
    TypedPredicate(path, .less, range.upperBound)
}

/// Whether an attribute is one of several values.
public func ~= <Root: ManagedObject, Value: AttributeValue>(
    values: [Value], path: KeyPath<Root, Value>
) -> TypedPredicate<Root> {
    TypedPredicate(path, .in, values)
}
