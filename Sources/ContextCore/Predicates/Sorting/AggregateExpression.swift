/// An aggregate as a column of a result, over all rows or over the rows of each group.
///
/// ```swift
/// let columns: [AggregateExpression] = [.count(), .average(of: "score", as: "mean")]
/// ```
public struct AggregateExpression: Hashable, Sendable, Codable {
    /// The aggregate function.
    public var function: AggregateFunction
    /// The aggregated property; ``PropertyPath/itself`` to count objects.
    public var path: PropertyPath
    /// The column's name in the result.
    public var name: String

    /// Makes an aggregate; the default name is like `count` or `sum(score)`.
    public init(_ function: AggregateFunction, of path: PropertyPath = .itself, as name: String? = nil) {
        self.function = function
        self.path = path
        self.name = name ?? (path.isItself ? function.rawValue : "\(function.rawValue)(\(path))")
    }

    /// The aggregate as an expression for *having* and for the order of groups: `@sum.score`.
    public var expression: FetchExpression {
        .aggregate(FetchAggregate(function, of: .itself, tail: path.names))
    }

    /// Counts the objects, or those whose property is not null.
    public static func count(of path: PropertyPath = .itself, as name: String? = nil) -> AggregateExpression {
        AggregateExpression(.count, of: path, as: name)
    }

    /// Sums a property.
    public static func sum(of path: PropertyPath, as name: String? = nil) -> AggregateExpression {
        AggregateExpression(.sum, of: path, as: name)
    }

    /// Computes the mean of a property.
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
