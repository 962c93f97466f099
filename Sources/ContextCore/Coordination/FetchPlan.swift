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
    /// How many rows at the most; a negative number counts as 0.
    public var limit: Int? { didSet { limit = limit?.notNegative } }
    /// How many rows to pass over first; a negative number counts as 0.
    public var offset: Int { didSet { offset = offset.notNegative } }
    /// The columns wanted: nil for all, empty for keys and versions only.
    public var columns: Set<Int>?
    /// How the rows are to be kept from everybody else until the session ends; nil for not at all.
    ///
    /// Only write sessions are given such plans. They answer rows as they are once they are locked. A store in which nobody can
    /// change anything beside a write session has nothing to do for it.
    public var lock: RowLock?
    /// What is done about rows that somebody else has locked.
    public var lockWait = LockWait.patiently
    /// Whether a fetch skips values stored outside of their rows, as a session's options say; never where columns are named.
    package var defersExternalValues = false

    /// Plans a fetch.
    package init(
        entityIndex: Int, includesSubentities: Bool = true, predicate: ResolvedPredicate? = nil,
        order: [ResolvedSortKey] = [], limit: Int? = nil, offset: Int = 0, columns: Set<Int>? = nil
    ) {
        self.entityIndex = entityIndex
        self.includesSubentities = includesSubentities
        self.predicate = predicate
        self.order = order
        self.limit = limit?.notNegative
        self.offset = offset.notNegative
        self.columns = columns
    }
}

extension FetchPlan {
    /// Whether no row of those that it is about is left out; what passes over locked rows leaves some out.
    package var isWhole: Bool { predicate == nil && limit == nil && offset == 0 && lock == nil }

    /// Whether it asks for all rows of its entity and of its subentities.
    package var isOfAll: Bool { isWhole && includesSubentities }

    /// How many rows there are up to the window's end, those that are passed over included; nil for all.
    var window: Int? {
        limit.map { limit in
            let (sum, isHuge) = limit.addingReportingOverflow(offset)
            return isHuge ? .max : sum
        }
    }
}

extension Int {
    /// The number, or 0 for a negative one: what a plan makes of limits and offsets, so that no store sees others.
    var notNegative: Int { Swift.max(0, self) }
}
