/// An aggregate, such as a count or sum, over related objects or over the rows of a group.
///
/// Over a to-many relationship, the text form is `players.@count`, `players.@sum.score`, or with a condition
/// `SUBQUERY(players, $x, $x.score > 10).@count`. With an empty collection the aggregate is over the rows of a group
/// (`@count`, `@sum.score`), for the *having* condition and the order of a grouped request.
public struct FetchAggregate: Hashable, Sendable {
    /// A condition that selects the objects to aggregate.
    public struct Filter: Hashable, Sendable {
        /// The name, without `$`, of the variable that stands for each object in the condition.
        public var variable: String
        /// The condition.
        public var predicate: FetchPredicate

        /// Makes a condition.
        public init(variable: String, predicate: FetchPredicate) {
            self.variable = variable
            self.predicate = predicate
        }
    }

    /// The aggregate function.
    public var function: AggregateFunction
    /// The path to the objects.
    public var collection: PropertyPath
    /// The condition that selects the objects to aggregate; nil for all.
    public var filter: Filter?
    /// The path from each object to the aggregated value; empty for `@count` of the objects.
    public var tail: [String]

    /// Makes an aggregate.
    ///
    /// Without a filter, all names of the tail but the last are moved to the collection: `players.@sum.game.rating` becomes
    /// `players.game.@sum.rating`.
    public init(
        _ function: AggregateFunction, of collection: PropertyPath, where filter: Filter? = nil,
        tail: [String] = []
    ) {
        self.function = function
        self.filter = filter
        if filter == nil, tail.count > 1 {
            self.collection = collection.appending(Array(tail.dropLast()))
            self.tail = Array(tail.suffix(1))
        } else {
            self.collection = collection
            self.tail = tail
        }
    }
}

/// A function that aggregates the values of many objects.
public enum AggregateFunction: String, Hashable, Sendable, CaseIterable, Codable {
    /// The number of objects; with a property, the number of objects whose property is not null.
    case count
    /// The sum of the values that are not null; 0 if there are none.
    case sum
    /// The mean of the values that are not null; null if there are none.
    case average = "avg"
    /// The least value; null if there are none.
    case minimum = "min"
    /// The greatest value; null if there are none.
    case maximum = "max"
}
