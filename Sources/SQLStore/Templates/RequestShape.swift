import ContextCore

/// What requests have in common that one statement answers: everything but their constants.
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
    /// The mark of how many rows are wanted at the most.
    let limit: SQLBinding?
    /// The mark of how many rows are passed over first.
    let offset: SQLBinding?

    /// Takes the constants out of a fetch.
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
        limit = plan.limit.map { constants.mark(rows: $0) }
        offset = plan.offset > 0 ? constants.mark(rows: plan.offset) : nil
    }

    /// Takes the constants out of a request for values.
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
        limit = plan.limit.map { constants.mark(rows: $0) }
        offset = plan.offset > 0 ? constants.mark(rows: plan.offset) : nil
    }

    /// A fetch with marks in place of its constants; its limits come later.
    func marked(_ plan: FetchPlan) -> FetchPlan {
        var fetch = plan
        fetch.predicate = predicate
        fetch.order = order
        (fetch.limit, fetch.offset) = (nil, 0)
        return fetch
    }

    /// A request for values with marks in place of its constants; its limits come later.
    func marked(_ plan: AggregatePlan) -> AggregatePlan {
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
