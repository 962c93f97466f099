/// What many objects come to.
///
/// Over a to-many relationship it reads `players.@count`, `players.@sum.score`, or with a condition
/// `SUBQUERY(players, $x, $x.score > 10).@count`. With an empty collection it is about the rows of a group
/// (`@count`, `@sum.score`), which only the *having* of a grouped request has.
public struct FetchAggregate: Hashable, Sendable {
    /// A condition on the objects that are taken into account.
    public struct Filter: Hashable, Sendable {
        /// The name, without `$`, by which the condition calls the object in hand.
        public var variable: String
        /// The condition.
        public var predicate: FetchPredicate

        /// Makes a condition.
        public init(variable: String, predicate: FetchPredicate) {
            self.variable = variable
            self.predicate = predicate
        }
    }

    /// What is worked out.
    public var function: AggregateFunction
    /// The path to the objects.
    public var collection: PropertyPath
    /// Which of them count; nil for all.
    public var filter: Filter?
    /// The path from each of them to the value; empty for `@count` of the objects themselves.
    public var tail: [String]

    /// Makes an aggregate.
    ///
    /// Without a filter, all names but the last belong to the collection: the value of `players.@sum.game.rating` is that of
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

/// Names what is worked out over many objects.
public enum AggregateFunction: String, Hashable, Sendable, CaseIterable, Codable {
    /// How many objects there are; with a property, how many have a value there.
    case count
    /// The sum of the values that there are; 0 when there are none.
    case sum
    /// The mean of the values that there are; null when there are none.
    case average = "avg"
    /// The least value; null when there are none.
    case minimum = "min"
    /// The greatest value; null when there are none.
    case maximum = "max"
}
