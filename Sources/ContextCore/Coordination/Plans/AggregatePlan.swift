/// A query for values instead of rows: aggregates of all rows or of groups, and values of properties.
public struct AggregatePlan: Sendable {
    /// The index of the entity whose rows are read.
    public var entityIndex: Int
    /// Whether rows of subentities are included.
    public var includesSubentities: Bool
    /// The condition on rows; nil for all.
    package var predicate: ResolvedPredicate?
    /// The result columns.
    ///
    /// An aggregate without a collection aggregates the rows, or the rows of a group.
    package var columns: [ResolvedExpression]
    /// The grouping expressions; empty if there are no groups.
    package var groupBy: [ResolvedExpression]
    /// The condition on groups.
    package var having: ResolvedPredicate?
    /// The order of the result.
    package var order: [ResolvedSortKey]
    /// Whether duplicate result rows are removed.
    public var isDistinct: Bool
    /// The maximum number of result rows; a negative number counts as 0.
    public var limit: Int? { didSet { limit = limit?.clampedToZero } }
    /// The number of result rows to skip; a negative number counts as 0.
    public var offset: Int { didSet { offset = offset.clampedToZero } }

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
        self.limit = limit?.clampedToZero
        self.offset = offset.clampedToZero
    }
}
