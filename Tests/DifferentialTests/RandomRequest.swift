import ContextCore

/// A request in the terms of a program, which can be shortened part by part.
struct RandomRequest: CustomStringConvertible {
    /// The kind of the result.
    enum Kind {
        case rows(columns: Set<Int>?)
        case values([FetchExpression], isDistinct: Bool)
        case groups(by: [FetchExpression], [FetchExpression], having: FetchPredicate?, isDistinct: Bool)
        case update([Int: StoredValue])
        case upsert(RandomUpsert)
        case delete
    }

    let layout: EntityLayout
    var kind: Kind
    var includesSubentities: Bool
    var predicate: FetchPredicate?
    var order: [SortKey] = []
    var limit: Int?
    var offset = 0

    var description: String {
        let order = order.map { "\($0.expression)\($0.isDescending ? " desc" : "")" }
        return """
            \(kind) of \(layout.name)\(includesSubentities ? "" : " alone") \
            where \(predicate.map { "\($0)" } ?? "true") order by \(order) limit \(limit ?? -1) offset \(offset)
            """
    }

    // MARK: Plans

    func fetchPlan(_ model: ObjectModel, columns: Set<Int>?) throws -> FetchPlan {
        FetchPlan(
            entityIndex: layout.index, includesSubentities: includesSubentities,
            predicate: try predicate?.resolved(for: layout, in: model),
            order: try order.map { try $0.resolved(for: layout, in: model) }, limit: limit, offset: offset,
            columns: columns)
    }

    func valuesPlan(
        _ model: ObjectModel, _ columns: [FetchExpression], isDistinct: Bool
    ) throws -> AggregatePlan {
        let checker = RequestChecker(layout, in: model)
        return AggregatePlan(
            entityIndex: layout.index, includesSubentities: includesSubentities,
            predicate: try predicate?.resolved(for: layout, in: model),
            columns: try columns.map { try checker.expression($0) },
            order: try order.map { try checker.sortKey($0) }, isDistinct: isDistinct, limit: limit,
            offset: offset)
    }

    func groupsPlan(
        _ model: ObjectModel, by groups: [FetchExpression], _ columns: [FetchExpression],
        having: FetchPredicate?, isDistinct: Bool
    ) throws -> AggregatePlan {
        let checker = RequestChecker(layout, in: model)
        let groupBy = try groups.map { try checker.expression($0) }
        let grouped = RequestChecker(layout, in: model, groupedBy: groupBy)
        return AggregatePlan(
            entityIndex: layout.index, includesSubentities: includesSubentities,
            predicate: try predicate?.resolved(for: layout, in: model),
            columns: try columns.map { try grouped.expression($0) }, groupBy: groupBy,
            having: try having.map { try grouped.predicate($0) },
            order: try order.map { try grouped.sortKey($0) }, isDistinct: isDistinct, limit: limit,
            offset: offset)
    }

    func batchPlan(_ model: ObjectModel, _ operation: BatchPlan.Operation) throws -> BatchPlan {
        BatchPlan(
            entityIndex: layout.index, includesSubentities: includesSubentities,
            predicate: try predicate?.resolved(for: layout, in: model), operation: operation, author: "batch")
    }
}

/// A generator of requests of all kinds.
struct RandomRequests {
    var predicates: RandomPredicates
    /// The rows that the stores have, whose unique values some upserts use.
    var stored: [StoredRow] = []

    private var model: ObjectModel { predicates.model }
    var random: SeededGenerator {
        get { predicates.random }
        set { predicates.random = newValue }
    }

    /// Returns a new request, or sometimes the previous one with other values.
    mutating func request(after last: RandomRequest) -> RandomRequest {
        guard random.chance(25) else { return request() }
        var varying = RequestVarying(values: predicates.values)
        defer { predicates.values = varying.values }
        return varying.vary(last)
    }

    mutating func request() -> RandomRequest {
        let layout = random.pick(model.layouts)
        let scope = RandomPredicates.Scope(layout: layout)
        var request = RandomRequest(
            layout: layout, kind: .rows(columns: nil), includesSubentities: random.chance(80),
            predicate: random.chance(85) ? predicates.predicate(scope, depth: random.count(0...3)) : nil)
        switch random.count(0...19) {
        case 0, 1, 2: values(&request, scope)
        case 3, 4, 5: groups(&request, scope)
        case 6:
            request.kind = random.chance(50) ? .delete : .update(update(layout))
            return request
        case 7 where !layout.isAbstract:
            request.kind = .upsert(upsert(layout))
            request.predicate = nil
            return request
        default:
            if random.chance(30) {
                request.kind = .rows(columns: Set(layout.columns.indices.filter { _ in random.chance(50) }))
            }
            request.order = (0..<random.count(0...2)).map { _ in
                sortKey(predicates.expression(random.pick(ValueKind.sortable), scope, depth: 1))
            }
        }
        if random.chance(30) { request.limit = random.count(0...6) }
        if random.chance(20) { request.offset = random.count(0...4) }
        return request
    }

    private mutating func sortKey(_ expression: FetchExpression) -> SortKey {
        SortKey(
            expression, isDescending: random.chance(50),
            nullsFirst: random.chance(50) ? nil : random.chance(50))
    }

    private mutating func values(_ request: inout RandomRequest, _ scope: RandomPredicates.Scope) {
        let columns = (0..<random.count(1...3)).map { _ in
            predicates.expression(random.pick(ValueKind.allCases.filter { $0 != .object }), scope, depth: 1)
        }
        request.kind = .values(columns, isDistinct: random.chance(50))
        request.order = (0..<random.count(0...2)).map { _ in
            sortKey(
                random.chance(60)
                    ? random.pick(columns)
                    : predicates.expression(random.pick(ValueKind.sortable), scope, depth: 0))
        }
    }

    private mutating func groups(_ request: inout RandomRequest, _ scope: RandomPredicates.Scope) {
        let groups = (0..<random.count(0...2)).map { _ in
            predicates.expression(random.pick(ValueKind.sortable), scope, depth: 0)
        }
        let aggregates = (0..<random.count(1...2)).map { _ in aggregate(request.layout) }
        let columns = groups + aggregates
        let having: FetchPredicate? =
            random.chance(30)
            ? .comparing(
                .aggregate(FetchAggregate(.count, of: .itself)), .greater,
                .literal(.int(Int64(random.count(0...2)))))
            : nil
        request.kind = .groups(by: groups, columns, having: having, isDistinct: random.chance(20))
        request.order = (0..<random.count(0...2)).map { _ in sortKey(random.pick(columns)) }
    }

    private mutating func aggregate(_ layout: EntityLayout) -> FetchExpression {
        let attributes = layout.properties.filter { $0.attribute != nil }
        guard !attributes.isEmpty, random.chance(80) else {
            return .aggregate(FetchAggregate(.count, of: .itself))
        }
        return .aggregate(
            FetchAggregate(
                random.pick(AggregateFunction.allCases), of: .itself, tail: [random.pick(attributes).name]))
    }

    private mutating func update(_ layout: EntityLayout) -> [Int: StoredValue] {
        var values: [Int: StoredValue] = [:]
        for (index, column) in layout.columns.enumerated() where random.chance(30) {
            guard case .attribute(let type) = column.kind else { continue }
            values[index] = column.isOptional && random.chance(30) ? .null : predicates.values.value(of: type)
        }
        return values
    }
}

extension ValueKind {
    /// The types of sort keys.
    static let sortable = ValueKind.allCases.filter { $0 != .object }
}
