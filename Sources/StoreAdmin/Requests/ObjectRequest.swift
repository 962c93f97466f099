import ContextCore

/// A fetch request that is checked against a model.
struct ObjectRequest {
    let entity: EntityLayout
    var plan: FetchPlan
    /// What a request must have in common with this one to continue it.
    let identity: RequestIdentity
    /// Whether the order of two objects stays the same while they don't change, so that a cursor can name a position in it.
    ///
    /// A sort key with the current time has other values in each request.
    let hasFixedOrder: Bool
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
        let predicate = try request.predicate.map { text in
            try TextPosition.locating(.predicate, text) {
                let predicate = try FetchPredicate(text)
                return (text: "\(predicate)", resolved: try checker.predicate(predicate))
            }
        }
        let keys = try request.order.map { text in
            try TextPosition.locating(.order, text) {
                try SortKey.keys(text).map { (key: $0, resolved: try checker.sortKey($0)) }
            }
        }
        identity = RequestIdentity(
            [
                session.token.storeID.uuidString, entity.name, predicate?.text ?? "",
                (keys ?? []).map { "\($0.key)" }.joined(separator: ", "),
            ], parts: "entity, predicate and order")
        hasFixedOrder = !(keys ?? []).contains { $0.resolved.expression.usesCurrentTime }
        plan = FetchPlan(
            entityIndex: entity.index, predicate: predicate?.resolved, order: (keys ?? []).map(\.resolved),
            limit: request.limit, offset: request.offset ?? 0)
    }

    private static func singleValue<Value>(_ inText: Value?, _ inOption: Value?, _ name: String) throws
        -> Value?
    {
        if inText != nil, inOption != nil {
            throw AdminError.usage(
                "the request has a clause “\(name)”, and --\(name) is given too.",
                hint: "Leave one of them out.")
        }
        return inText ?? inOption
    }

    /// Returns a plan that fetches the values of the given fields instead of objects.
    func values(_ fields: [String]) throws -> AggregatePlan {
        AggregatePlan(
            entityIndex: plan.entityIndex, predicate: plan.predicate,
            columns: try fields.map { field in
                try TextPosition.locating(.fields, field) {
                    try checker.expression(FetchExpression(field))
                }
            }, order: plan.order,
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
