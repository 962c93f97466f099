/// Asks for values instead of rows: aggregates over all rows or over groups of them, and plain values of properties.
public struct AggregatePlan: Sendable {
    /// The entity whose rows are looked at.
    public var entityIndex: Int
    /// Whether rows of its subentities count too.
    public var includesSubentities: Bool
    /// Which rows; nil for all.
    package var predicate: ResolvedPredicate?
    /// What is worked out.
    ///
    /// An aggregate without a collection is one over the rows, or over the rows of a group.
    package var columns: [ResolvedExpression]
    /// What the rows of a group have in common; empty where there are no groups.
    package var groupBy: [ResolvedExpression]
    /// Which groups count.
    package var having: ResolvedPredicate?
    /// The order of the answer.
    package var order: [ResolvedSortKey]
    /// Whether equal lines of the answer count once.
    public var isDistinct: Bool
    /// How many lines at the most; a negative number counts as 0.
    public var limit: Int? { didSet { limit = limit?.notNegative } }
    /// How many lines to pass over first; a negative number counts as 0.
    public var offset: Int { didSet { offset = offset.notNegative } }

    package init(
        entityIndex: Int, includesSubentities: Bool = true, predicate: ResolvedPredicate? = nil,
        columns: [ResolvedExpression], groupBy: [ResolvedExpression] = [], having: ResolvedPredicate? = nil,
        order: [ResolvedSortKey] = [], isDistinct: Bool = false, limit: Int? = nil, offset: Int = 0
    ) {
        self.entityIndex = entityIndex
        self.includesSubentities = includesSubentities
        self.predicate = predicate
        self.columns = columns
        self.groupBy = groupBy
        self.having = having
        self.order = order
        self.isDistinct = isDistinct
        self.limit = limit?.notNegative
        self.offset = offset.notNegative
    }
}
