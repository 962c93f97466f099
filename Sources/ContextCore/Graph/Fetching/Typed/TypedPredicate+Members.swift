// Conditions without an operator as static members: `where: \.score > 10 && .contains(\.name, "an")`.
extension TypedPredicate {
    /// Whether a text contains another text.
    public static func contains(
        _ path: KeyPath<Root, some TextAttribute>, _ text: String, _ options: TextOptions = []
    ) -> TypedPredicate { path.contains(text, options) }

    /// Whether a text begins with another text.
    public static func beginsWith(
        _ path: KeyPath<Root, some TextAttribute>, _ text: String, _ options: TextOptions = []
    ) -> TypedPredicate { path.beginsWith(text, options) }

    /// Whether a text ends with another text.
    public static func endsWith(
        _ path: KeyPath<Root, some TextAttribute>, _ text: String, _ options: TextOptions = []
    ) -> TypedPredicate { path.endsWith(text, options) }

    /// Whether a text matches a pattern in which `?` is any scalar and `*` any text.
    public static func like(
        _ path: KeyPath<Root, some TextAttribute>, _ pattern: String, _ options: TextOptions = []
    ) -> TypedPredicate { path.isLike(pattern, options) }

    /// Whether a whole text matches a regular expression.
    public static func matches(
        _ path: KeyPath<Root, some TextAttribute>, _ expression: String, _ options: TextOptions = []
    ) -> TypedPredicate { path.matches(expression, options) }

    /// Whether an attribute is one of several values.
    public static func isIn<Value: AttributeValue>(
        _ path: KeyPath<Root, Value>, _ values: some Sequence<Value>
    ) -> TypedPredicate { path.isIn(values) }

    /// Whether a relationship references an object with one of the given identifiers, or the object itself has one of
    /// them.
    public static func isIn(
        _ path: KeyPath<Root, some ObjectReference>, _ ids: some Sequence<ObjectID>
    ) -> TypedPredicate { path.isIn(ids) }

    /// Whether an optional relationship references one of several objects.
    @_disfavoredOverload
    public static func isIn<Target: ManagedObject>(
        _ path: KeyPath<Root, Target?>, _ objects: some Sequence<Target>
    ) -> TypedPredicate { path.isIn(objects) }

    /// Whether a relationship references one of several objects, or the object itself is one of them.
    @_disfavoredOverload
    public static func isIn<Target: ManagedObject>(
        _ path: KeyPath<Root, Target>, _ objects: some Sequence<Target>
    ) -> TypedPredicate { path.isIn(objects) }

    /// Whether an attribute is between two values, inclusive.
    public static func isBetween<Value: AttributeValue & Comparable>(
        _ path: KeyPath<Root, Value>, _ range: ClosedRange<Value>
    ) -> TypedPredicate { path.isBetween(range.lowerBound, and: range.upperBound) }

    /// Whether a predicate is true for at least one object of a to-many relationship.
    public static func any<Target: ManagedObject>(
        _ path: KeyPath<Root, some ToManyValue<Target>>, _ predicate: TypedPredicate<Target>
    ) -> TypedPredicate { path.any(predicate) }

    /// Whether a predicate is true for all objects of a to-many relationship; true if there are none.
    public static func all<Target: ManagedObject>(
        _ path: KeyPath<Root, some ToManyValue<Target>>, _ predicate: TypedPredicate<Target>
    ) -> TypedPredicate { path.all(predicate) }

    /// Whether a predicate is true for no object of a to-many relationship.
    public static func none<Target: ManagedObject>(
        _ path: KeyPath<Root, some ToManyValue<Target>>, _ predicate: TypedPredicate<Target>
    ) -> TypedPredicate { path.none(predicate) }
}
