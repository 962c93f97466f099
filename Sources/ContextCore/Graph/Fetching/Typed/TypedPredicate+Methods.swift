// Conditions without an operator as methods of key paths.
extension KeyPath where Root: ManagedObject, Value: AttributeValue {
    /// Whether the attribute is one of several values.
    public func isIn(_ values: some Sequence<Value>) -> TypedPredicate<Root> {
        TypedPredicate(self, .in, Array(values))
    }
}

extension KeyPath where Root: ManagedObject, Value: AttributeValue & Comparable {
    /// Whether the attribute is between two values, inclusive.
    public func isBetween(_ lowerBound: Value, and upperBound: Value) -> TypedPredicate<Root> {
        TypedPredicate(self, .between, [lowerBound, upperBound])
    }
}

/// A text attribute, optional or not.
public protocol TextAttribute {}

extension String: TextAttribute {}
extension String?: TextAttribute {}

extension KeyPath where Root: ManagedObject, Value: TextAttribute {
    /// Whether the text contains another text.
    public func contains(_ text: String, _ options: TextOptions = []) -> TypedPredicate<Root> {
        TypedPredicate(self, .contains, text, options)
    }

    /// Whether the text begins with another text.
    public func beginsWith(_ text: String, _ options: TextOptions = []) -> TypedPredicate<Root> {
        TypedPredicate(self, .beginsWith, text, options)
    }

    /// Whether the text ends with another text.
    public func endsWith(_ text: String, _ options: TextOptions = []) -> TypedPredicate<Root> {
        TypedPredicate(self, .endsWith, text, options)
    }

    /// Whether the text matches a pattern in which `?` is any scalar and `*` any text.
    public func isLike(_ pattern: String, _ options: TextOptions = []) -> TypedPredicate<Root> {
        TypedPredicate(self, .like, pattern, options)
    }

    /// Whether the whole text matches a regular expression.
    public func matches(_ expression: String, _ options: TextOptions = []) -> TypedPredicate<Root> {
        TypedPredicate(self, .matches, expression, options)
    }

    /// Whether the text equals another text under the given options.
    public func equals(_ text: String, _ options: TextOptions) -> TypedPredicate<Root> {
        TypedPredicate(self, .equal, text, options)
    }
}

/// The type of a to-many relationship: `Set` or `Array` of managed objects.
public protocol ToManyValue<Target> {
    /// The class of the relationship's objects.
    associatedtype Target
}

extension Set: ToManyValue where Element: ManagedObject { public typealias Target = Element }
extension Array: ToManyValue where Element: ManagedObject { public typealias Target = Element }

extension KeyPath where Root: ManagedObject, Value: ToManyValue, Value.Target: ManagedObject {
    /// Whether the predicate is true for at least one of the objects.
    public func any(_ predicate: TypedPredicate<Value.Target>) -> TypedPredicate<Root> {
        quantified(.any, predicate)
    }
    /// Whether the predicate is true for all of the objects; true if there are none.
    public func all(_ predicate: TypedPredicate<Value.Target>) -> TypedPredicate<Root> {
        quantified(.all, predicate)
    }
    /// Whether the predicate is true for none of the objects.
    public func none(_ predicate: TypedPredicate<Value.Target>) -> TypedPredicate<Root> {
        quantified(.no, predicate)
    }

    /// Whether the relationship contains an object.
    public func contains(_ object: Value.Target) -> TypedPredicate<Root> {
        TypedPredicate(self, .contains, object)
    }

    /// The number of objects.
    public var count: TypedExpression<Root, Int> { aggregate(.count, []) }

    /// The number of objects that match a predicate.
    public func count(where predicate: TypedPredicate<Value.Target>) -> TypedExpression<Root, Int> {
        let variable = "each"
        let filter = FetchAggregate.Filter(
            variable: variable, predicate: predicate.predicate.rebased(variable: variable))
        return TypedExpression(
            .aggregate(FetchAggregate(.count, of: PropertyPathCache.path(of: self), where: filter)))
    }

    /// The sum of an attribute over the objects.
    public func sum<Number>(of attribute: KeyPath<Value.Target, Number>) -> TypedExpression<Root, Number> {
        aggregate(.sum, PropertyPathCache.path(of: attribute).names)
    }

    /// The average of an attribute over the objects.
    public func average<Number>(of attribute: KeyPath<Value.Target, Number>) -> TypedExpression<Root, Double>
    {
        aggregate(.average, PropertyPathCache.path(of: attribute).names)
    }

    /// The minimum of an attribute over the objects.
    public func minimum<Number>(of attribute: KeyPath<Value.Target, Number>) -> TypedExpression<Root, Number>
    {
        aggregate(.minimum, PropertyPathCache.path(of: attribute).names)
    }

    /// The maximum of an attribute over the objects.
    public func maximum<Number>(of attribute: KeyPath<Value.Target, Number>) -> TypedExpression<Root, Number>
    {
        aggregate(.maximum, PropertyPathCache.path(of: attribute).names)
    }

    private func quantified(
        _ quantifier: Quantifier, _ predicate: TypedPredicate<Value.Target>
    ) -> TypedPredicate<Root> {
        let variable = "each"
        let inner = predicate.predicate.rebased(variable: variable)
        return TypedPredicate(
            .quantified(quantifier, in: PropertyPathCache.path(of: self), variable: variable, inner))
    }

    private func aggregate<Result>(
        _ function: AggregateFunction, _ tail: [String]
    ) -> TypedExpression<Root, Result> {
        TypedExpression(
            .aggregate(FetchAggregate(function, of: PropertyPathCache.path(of: self), tail: tail)))
    }
}

extension FetchPredicate {
    /// Returns the predicate with paths that begin at a variable instead of the object.
    fileprivate func rebased(variable: String) -> FetchPredicate {
        let rewriter = PathRewriter { path, _ in
            .path(path.variable == nil ? PropertyPath(path.names, of: variable) : path)
        }
        // Replacing paths with paths never throws.
        return (try? rewriter.rewrite(self)) ?? self
    }
}
