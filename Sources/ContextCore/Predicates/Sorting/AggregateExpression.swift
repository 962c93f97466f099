/// What the rows of a request, or the rows of each group, come to: a column of an answer.
///
/// ```swift
/// let columns: [AggregateExpression] = [.count(), .average(of: "score", as: "mean")]
/// ```
public struct AggregateExpression: Hashable, Sendable, Codable {
    /// What is worked out.
    public var function: AggregateFunction
    /// The property that it is worked out of; the object itself where objects are counted.
    public var path: PropertyPath
    /// The column's name in the answer.
    public var name: String

    /// Makes an aggregate; unless it is named, it is called `count` or `sum(score)`.
    public init(_ function: AggregateFunction, of path: PropertyPath = .itself, as name: String? = nil) {
        self.function = function
        self.path = path
        self.name = name ?? (path.isItself ? function.rawValue : "\(function.rawValue)(\(path))")
    }

    /// The aggregate as predicates write it, for *having* and for the order of groups: `@sum.score`.
    public var expression: FetchExpression {
        .aggregate(FetchAggregate(function, of: .itself, tail: path.names))
    }

    /// Counts objects, or those that have a value of a property.
    public static func count(of path: PropertyPath = .itself, as name: String? = nil) -> AggregateExpression {
        AggregateExpression(.count, of: path, as: name)
    }

    /// Adds up a property.
    public static func sum(of path: PropertyPath, as name: String? = nil) -> AggregateExpression {
        AggregateExpression(.sum, of: path, as: name)
    }

    /// Finds the mean of a property.
    public static func average(of path: PropertyPath, as name: String? = nil) -> AggregateExpression {
        AggregateExpression(.average, of: path, as: name)
    }

    /// Finds the least value of a property.
    public static func minimum(of path: PropertyPath, as name: String? = nil) -> AggregateExpression {
        AggregateExpression(.minimum, of: path, as: name)
    }

    /// Finds the greatest value of a property.
    public static func maximum(of path: PropertyPath, as name: String? = nil) -> AggregateExpression {
        AggregateExpression(.maximum, of: path, as: name)
    }
}

/// An aggregate over a class's objects, written with a key path that the compiler checks.
public struct TypedAggregate<Root: ManagedObject>: Hashable, Sendable {
    /// The aggregate itself.
    public var aggregate: AggregateExpression

    /// Makes an aggregate on a class's objects of one that was written in another way.
    public init(_ aggregate: AggregateExpression) {
        self.aggregate = aggregate
    }

    /// Counts objects.
    public static func count(as name: String? = nil) -> TypedAggregate {
        TypedAggregate(.count(as: name))
    }

    /// Counts the objects that have a value of a property.
    public static func count<Value: AttributeValue>(
        _ keyPath: KeyPath<Root, Value>, as name: String? = nil
    ) -> TypedAggregate {
        TypedAggregate(.count(of: PropertyPathCache.path(of: keyPath), as: name))
    }

    /// Adds up a property.
    public static func sum<Value: AttributeValue>(
        _ keyPath: KeyPath<Root, Value>, as name: String? = nil
    ) -> TypedAggregate {
        TypedAggregate(.sum(of: PropertyPathCache.path(of: keyPath), as: name))
    }

    /// Finds the mean of a property.
    public static func average<Value: AttributeValue>(
        _ keyPath: KeyPath<Root, Value>, as name: String? = nil
    ) -> TypedAggregate {
        TypedAggregate(.average(of: PropertyPathCache.path(of: keyPath), as: name))
    }

    /// Finds the least value of a property.
    public static func minimum<Value: AttributeValue>(
        _ keyPath: KeyPath<Root, Value>, as name: String? = nil
    ) -> TypedAggregate {
        TypedAggregate(.minimum(of: PropertyPathCache.path(of: keyPath), as: name))
    }

    /// Finds the greatest value of a property.
    public static func maximum<Value: AttributeValue>(
        _ keyPath: KeyPath<Root, Value>, as name: String? = nil
    ) -> TypedAggregate {
        TypedAggregate(.maximum(of: PropertyPathCache.path(of: keyPath), as: name))
    }
}
