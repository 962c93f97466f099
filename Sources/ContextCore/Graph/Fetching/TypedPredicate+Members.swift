// Conditions that have no operator, for where the class is known: `where: \.score > 10 && .contains(\.name, "an")`.
extension TypedPredicate {
    /// Whether a text holds another.
    public static func contains(
        _ path: KeyPath<Root, some TextAttribute>, _ text: String, _ options: TextOptions = []
    ) -> TypedPredicate { path.contains(text, options) }

    /// Whether a text begins with another.
    public static func beginsWith(
        _ path: KeyPath<Root, some TextAttribute>, _ text: String, _ options: TextOptions = []
    ) -> TypedPredicate { path.beginsWith(text, options) }

    /// Whether a text ends with another.
    public static func endsWith(
        _ path: KeyPath<Root, some TextAttribute>, _ text: String, _ options: TextOptions = []
    ) -> TypedPredicate { path.endsWith(text, options) }

    /// Whether a text fits a pattern in which `?` is any scalar and `*` any text.
    public static func like(
        _ path: KeyPath<Root, some TextAttribute>, _ pattern: String, _ options: TextOptions = []
    ) -> TypedPredicate { path.isLike(pattern, options) }

    /// Whether a whole text fits a regular expression.
    public static func matches(
        _ path: KeyPath<Root, some TextAttribute>, _ expression: String, _ options: TextOptions = []
    ) -> TypedPredicate { path.matches(expression, options) }

    /// Whether an attribute is one of several values.
    public static func isIn<Value: AttributeValue>(
        _ path: KeyPath<Root, Value>, _ values: some Sequence<Value>
    ) -> TypedPredicate { path.isIn(values) }

    /// Whether an attribute lies between two values, both included.
    public static func isBetween<Value: AttributeValue & Comparable>(
        _ path: KeyPath<Root, Value>, _ range: ClosedRange<Value>
    ) -> TypedPredicate { path.isBetween(range.lowerBound, and: range.upperBound) }

    /// Whether a predicate is true of at least one of the objects that a relationship leads to.
    public static func any<Target: ManagedObject>(
        _ path: KeyPath<Root, some ToManyValue<Target>>, _ predicate: TypedPredicate<Target>
    ) -> TypedPredicate { path.any(predicate) }

    /// Whether a predicate is true of all of the objects that a relationship leads to, as it is when there are none.
    public static func all<Target: ManagedObject>(
        _ path: KeyPath<Root, some ToManyValue<Target>>, _ predicate: TypedPredicate<Target>
    ) -> TypedPredicate { path.all(predicate) }

    /// Whether a predicate is true of none of the objects that a relationship leads to.
    public static func none<Target: ManagedObject>(
        _ path: KeyPath<Root, some ToManyValue<Target>>, _ predicate: TypedPredicate<Target>
    ) -> TypedPredicate { path.none(predicate) }
}
