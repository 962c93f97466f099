// What all objects of a request, or those of each group, come to: for columns, for *having* and for the order of groups.
extension TypedExpression {
    private init(_ function: AggregateFunction, of path: PropertyPath = .itself) {
        self.init(AggregateExpression(function, of: path).expression)
    }

    /// Counts objects.
    public static func count() -> TypedExpression where Value == Int { TypedExpression(.count) }

    /// Counts the objects that have a value of a property.
    public static func count<Part: AttributeValue>(_ path: KeyPath<Root, Part>) -> TypedExpression
    where Value == Int {
        TypedExpression(.count, of: PropertyPathCache.path(of: path))
    }

    /// Adds up a property; the sum of nothing is zero.
    public static func sum(_ path: KeyPath<Root, Value>) -> TypedExpression where Value: AttributeValue {
        TypedExpression(.sum, of: PropertyPathCache.path(of: path))
    }

    /// Adds up a property, as far as there are values; the sum of nothing is zero.
    public static func sum(_ path: KeyPath<Root, Value?>) -> TypedExpression where Value: AttributeValue {
        TypedExpression(.sum, of: PropertyPathCache.path(of: path))
    }

    /// Finds the mean of a property; nil where there are no values.
    public static func average<Part: AttributeValue>(_ path: KeyPath<Root, Part>) -> TypedExpression
    where Value == Double? {
        TypedExpression(.average, of: PropertyPathCache.path(of: path))
    }

    /// Finds the least value of a property; nil where there are no values.
    public static func minimum<Part: AttributeValue>(_ path: KeyPath<Root, Part>) -> TypedExpression
    where Value == Part? {
        TypedExpression(.minimum, of: PropertyPathCache.path(of: path))
    }

    /// Finds the least value of a property; nil where there are no values.
    public static func minimum<Part: AttributeValue>(_ path: KeyPath<Root, Part?>) -> TypedExpression
    where Value == Part? {
        TypedExpression(.minimum, of: PropertyPathCache.path(of: path))
    }

    /// Finds the greatest value of a property; nil where there are no values.
    public static func maximum<Part: AttributeValue>(_ path: KeyPath<Root, Part>) -> TypedExpression
    where Value == Part? {
        TypedExpression(.maximum, of: PropertyPathCache.path(of: path))
    }

    /// Finds the greatest value of a property; nil where there are no values.
    public static func maximum<Part: AttributeValue>(_ path: KeyPath<Root, Part?>) -> TypedExpression
    where Value == Part? {
        TypedExpression(.maximum, of: PropertyPathCache.path(of: path))
    }
}
