// Aggregates over all objects of a request or over each group: for columns, for `having` and for the order of groups.
extension TypedExpression {
    private init(_ function: AggregateFunction, of path: PropertyPath = .itself) {
        self.init(AggregateExpression(function, of: path).expression)
    }

    /// The number of objects.
    public static func count() -> TypedExpression where Value == Int { TypedExpression(.count) }

    /// The number of objects whose property is not nil.
    public static func count<Part: AttributeValue>(_ path: KeyPath<Root, Part>) -> TypedExpression
    where Value == Int {
        TypedExpression(.count, of: PropertyPathCache.path(of: path))
    }

    /// The sum of a property; zero if there are no objects.
    public static func sum(_ path: KeyPath<Root, Value>) -> TypedExpression where Value: AttributeValue {
        TypedExpression(.sum, of: PropertyPathCache.path(of: path))
    }

    /// The sum of the values of an optional property; zero if there are none.
    public static func sum(_ path: KeyPath<Root, Value?>) -> TypedExpression where Value: AttributeValue {
        TypedExpression(.sum, of: PropertyPathCache.path(of: path))
    }

    /// The average of a property; nil if there are no values.
    public static func average<Part: AttributeValue>(_ path: KeyPath<Root, Part>) -> TypedExpression
    where Value == Double? {
        TypedExpression(.average, of: PropertyPathCache.path(of: path))
    }

    /// The minimum of a property; nil if there are no values.
    public static func minimum<Part: AttributeValue>(_ path: KeyPath<Root, Part>) -> TypedExpression
    where Value == Part? {
        TypedExpression(.minimum, of: PropertyPathCache.path(of: path))
    }

    /// The minimum of an optional property; nil if there are no values.
    public static func minimum<Part: AttributeValue>(_ path: KeyPath<Root, Part?>) -> TypedExpression
    where Value == Part? {
        TypedExpression(.minimum, of: PropertyPathCache.path(of: path))
    }

    /// The maximum of a property; nil if there are no values.
    public static func maximum<Part: AttributeValue>(_ path: KeyPath<Root, Part>) -> TypedExpression
    where Value == Part? {
        TypedExpression(.maximum, of: PropertyPathCache.path(of: path))
    }

    /// The maximum of an optional property; nil if there are no values.
    public static func maximum<Part: AttributeValue>(_ path: KeyPath<Root, Part?>) -> TypedExpression
    where Value == Part? {
        TypedExpression(.maximum, of: PropertyPathCache.path(of: path))
    }
}
