/// A fetch in terms of the store, checked against the model: entities are given by index, properties by slot.
public struct FetchPlan: Sendable {
    /// The index of the entity whose rows are fetched.
    public var entityIndex: Int
    /// Whether rows of subentities are included.
    public var includesSubentities: Bool
    /// The condition on rows; nil for all.
    package var predicate: ResolvedPredicate?
    /// The order, in which equal rows are sorted by key.
    package var order: [ResolvedSortKey]
    /// The maximum number of rows; a negative number counts as 0.
    public var limit: Int? { didSet { limit = limit?.clampedToZero } }
    /// The number of rows to skip; a negative number counts as 0.
    public var offset: Int { didSet { offset = offset.clampedToZero } }
    /// The columns to fetch: nil for all, empty for keys and versions only.
    public var columns: Set<Int>?
    /// The lock on the rows until the session ends; nil for none.
    ///
    /// Only write sessions get plans with a lock. They return rows in their state after they were locked. A store with a single writer
    /// has nothing to lock.
    public var lock: RowLock?
    /// What a fetch with a lock does with rows that another transaction has locked.
    public var lockWait = LockWait.untilTimeout
    /// Whether the fetch skips values stored outside of their rows, as the session's options say; never if columns are given.
    package var defersExternalValues = false

    /// Creates a plan.
    package init(
        entityIndex: Int, includesSubentities: Bool = true, predicate: ResolvedPredicate? = nil,
        order: [ResolvedSortKey] = [], limit: Int? = nil, offset: Int = 0, columns: Set<Int>? = nil
    ) {
        self.entityIndex = entityIndex
        self.includesSubentities = includesSubentities
        self.predicate = predicate
        self.order = order
        self.limit = limit?.clampedToZero
        self.offset = offset.clampedToZero
        self.columns = columns
    }
}

extension FetchPlan {
    /// Whether all rows are fetched: there is no predicate, limit, offset or lock, since a lock may skip rows.
    package var fetchesAllRows: Bool { predicate == nil && limit == nil && offset == 0 && lock == nil }

    /// Whether all rows of the entity and its subentities are fetched.
    package var includesAllRows: Bool { fetchesAllRows && includesSubentities }

    /// Returns the plan with an additional condition.
    func narrowed(by condition: ResolvedPredicate) -> FetchPlan {
        var narrowed = self
        narrowed.predicate = .conjunction([predicate, condition].compactMap { $0 })
        return narrowed
    }

    /// The number of rows up to the end of the range, including skipped ones; nil for all.
    var offsetPlusLimit: Int? {
        limit.map { limit in
            let (sum, isHuge) = limit.addingReportingOverflow(offset)
            return isHuge ? .max : sum
        }
    }
}

extension Int {
    /// The number, or 0 if it is negative: plans clamp limits and offsets, so that no store gets negative ones.
    var clampedToZero: Int { Swift.max(0, self) }
}
