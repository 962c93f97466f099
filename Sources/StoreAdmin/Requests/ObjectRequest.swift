import ContextCore

/// A fetch request that is checked against a model.
struct ObjectRequest {
    let entity: EntityLayout
    var plan: FetchPlan
    private let checker: RequestChecker

    /// Parses a request's text, and combines it with the options `--where`, `--order`, `--limit` and `--offset`.
    init(_ text: String, _ arguments: ParsedArguments, session: any ReadSession, model: ObjectModel) throws {
        var request = try RequestText(text)
        request.predicate = try Self.singleValue(request.predicate, arguments["where"], "where")
        request.order = try Self.singleValue(request.order, arguments["order"], "order")
        request.limit = try Self.singleValue(request.limit, arguments.count("limit"), "limit")
        request.offset = try Self.singleValue(request.offset, arguments.count("offset"), "offset")
        entity = try model.entity(request.entityName)
        let checker = RequestChecker(entity, in: model, storeID: session.token.storeID)
        self.checker = checker
        plan = FetchPlan(
            entityIndex: entity.index,
            predicate: try request.predicate.map { try checker.predicate(FetchPredicate($0)) },
            order: try request.order.map { try SortKey.keys($0).map(checker.sortKey) } ?? [],
            limit: request.limit, offset: request.offset ?? 0)
    }

    private static func singleValue<Value>(_ inText: Value?, _ inOption: Value?, _ name: String) throws
        -> Value?
    {
        if inText != nil, inOption != nil {
            throw AdminError.usage("“\(name)” is given both in the request and as an option.")
        }
        return inText ?? inOption
    }

    /// Returns a plan that fetches the values of the given fields instead of objects.
    func values(_ fields: [String]) throws -> AggregatePlan {
        AggregatePlan(
            entityIndex: plan.entityIndex, predicate: plan.predicate,
            columns: try fields.map { try checker.expression(FetchExpression($0)) }, order: plan.order,
            limit: plan.limit, offset: plan.offset)
    }

    /// Returns the number of objects that the request fetches, with its limit and offset applied.
    func count(_ session: any ReadSession) throws -> Int {
        let count = AggregatePlan(
            entityIndex: plan.entityIndex, predicate: plan.predicate, columns: [.rowCount])
        guard case .int(let all)? = try session.aggregate(count).first?.first else { return 0 }
        return min(max(0, Int(all) - plan.offset), plan.limit ?? .max)
    }
}

extension ReadSession {
    /// Returns the number of an entity's objects.
    func count(of entity: EntityLayout, includesSubentities: Bool) throws -> Int {
        let plan = AggregatePlan(
            entityIndex: entity.index, includesSubentities: includesSubentities, columns: [.rowCount])
        guard case .int(let count)? = try aggregate(plan).first?.first else { return 0 }
        return Int(count)
    }
}
