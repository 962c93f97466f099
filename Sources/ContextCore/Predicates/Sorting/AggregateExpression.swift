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
