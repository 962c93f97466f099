import ContextCore

/// The common part of requests that share a statement: everything except their constants.
struct RequestShape: Hashable {
    private let entityIndex: Int
    private let includesSubentities: Bool
    private let predicate: ResolvedPredicate?
    private let order: [ResolvedSortKey]
    private let columns: Set<Int>?
    private let defersExternalValues: Bool
    private let values: [ResolvedExpression]
    private let groupBy: [ResolvedExpression]
    private let having: ResolvedPredicate?
    private let isDistinct: Bool
    private let lock: SelectStatement.Lock.Wait?
    /// The placeholder of the maximum number of rows.
    let limit: SQLBinding?
    /// The placeholder of the number of rows to skip.
    let offset: SQLBinding?

    /// Extracts the constants of a fetch.
    init(_ plan: FetchPlan, _ constants: inout RequestConstants) {
        entityIndex = plan.entityIndex
        includesSubentities = plan.includesSubentities
        predicate = plan.predicate.map { constants.shape(of: $0) }
        order = plan.order.map { constants.shape(of: $0) }
        columns = plan.columns
        defersExternalValues = plan.defersExternalValues
        values = []
        groupBy = []
        having = nil
        isDistinct = false
        lock = plan.lock.map { _ in .init(plan.lockWait) }
        limit = plan.limit.map { constants.placeholder(rows: $0) }
        offset = plan.offset > 0 ? constants.placeholder(rows: plan.offset) : nil
    }

    /// Extracts the constants of an aggregate request.
    init(_ plan: AggregatePlan, _ constants: inout RequestConstants) {
        entityIndex = plan.entityIndex
        includesSubentities = plan.includesSubentities
        predicate = plan.predicate.map { constants.shape(of: $0) }
        order = plan.order.map { constants.shape(of: $0) }
        columns = nil
        defersExternalValues = false
        values = plan.columns.map { constants.shape(of: $0) }
        groupBy = plan.groupBy.map { constants.shape(of: $0) }
        having = plan.having.map { constants.shape(of: $0) }
        isDistinct = plan.isDistinct
        lock = nil
        limit = plan.limit.map { constants.placeholder(rows: $0) }
        offset = plan.offset > 0 ? constants.placeholder(rows: plan.offset) : nil
    }

    /// Returns a fetch with placeholders for its constants; the caller adds the limits later.
    func withPlaceholders(_ plan: FetchPlan) -> FetchPlan {
        var fetch = plan
        fetch.predicate = predicate
        fetch.order = order
        (fetch.limit, fetch.offset) = (nil, 0)
        return fetch
    }

    /// Returns an aggregate request with placeholders for its constants; the caller adds the limits later.
    func withPlaceholders(_ plan: AggregatePlan) -> AggregatePlan {
        var request = plan
        request.predicate = predicate
        request.order = order
        request.columns = values
        request.groupBy = groupBy
        request.having = having
        (request.limit, request.offset) = (nil, 0)
        return request
    }
}
