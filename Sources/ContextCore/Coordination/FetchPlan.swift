/// A fetch in the store's terms: entities by position, properties by slot, everything checked against the model.
public struct FetchPlan: Sendable {
    /// The entity whose rows are wanted.
    public var entityIndex: Int
    /// Whether rows of its subentities count too.
    public var includesSubentities: Bool
    /// What a row must fulfil.
    package var predicate: ResolvedPredicate?
    /// The order; ties are broken by key, so that it is total.
    package var order: [ResolvedSortKey]
    /// How many rows at the most.
    public var limit: Int?
    /// How many rows to pass over first.
    public var offset: Int
    /// The columns wanted: nil for all, empty for keys and versions only.
    public var columns: Set<Int>?

    /// Plans a fetch.
    package init(
        entityIndex: Int, includesSubentities: Bool = true, predicate: ResolvedPredicate? = nil,
        order: [ResolvedSortKey] = [], limit: Int? = nil, offset: Int = 0, columns: Set<Int>? = nil
    ) {
        self.entityIndex = entityIndex
        self.includesSubentities = includesSubentities
        self.predicate = predicate
        self.order = order
        self.limit = limit
        self.offset = offset
        self.columns = columns
    }
}
