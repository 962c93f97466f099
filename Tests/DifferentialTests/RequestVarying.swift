import ContextCore

/// Replaces the values of a request, as programs do, so that a store can use a cached statement for it.
struct RequestVarying {
    var values: RandomValues

    mutating func vary(_ request: RandomRequest) -> RandomRequest {
        var varied = request
        varied.predicate = request.predicate.map { vary($0) }
        switch request.kind {
        case .values(let columns, let isDistinct):
            varied.kind = .values(columns.map { vary($0) }, isDistinct: isDistinct)
        // The grouping keys are selected too, so both have to stay equal.
        case .groups(let groups, let columns, let having, let isDistinct):
            varied.kind = .groups(
                by: groups, columns, having: having.map { vary($0) }, isDistinct: isDistinct)
        case .rows, .update, .upsert, .delete: break
        }
        if request.limit != nil { varied.limit = values.random.count(0...6) }
        if request.offset > 0 { varied.offset = values.random.count(1...4) }
        return varied
    }

    private mutating func vary(_ predicate: FetchPredicate) -> FetchPredicate {
        switch predicate {
        case .constant, .isEntity: predicate
        case .comparison(let comparison):
            .comparison(
                PredicateComparison(
                    vary(comparison.left), comparison.operator,
                    comparison.operator == .matches ? comparison.right : vary(comparison.right),
                    options: comparison.options, quantifier: comparison.quantifier))
        case .quantified(let quantifier, let path, let variable, let inner):
            .quantified(quantifier, in: path, variable: variable, vary(inner))
        case .truth(let inner, let truth): .truth(vary(inner), is: truth)
        case .and(let members): .and(members.map { vary($0) })
        case .or(let members): .or(members.map { vary($0) })
        case .not(let inner): .not(vary(inner))
        }
    }

    private mutating func vary(_ expression: FetchExpression) -> FetchExpression {
        switch expression {
        case .literal(let value): .literal(vary(value))
        case .object(let id):
            .object(
                ObjectID(storeID: id.storeID, id.entityName, key: Int64(values.random.count(1...40))))
        case .list(let members): .list(members.map { vary($0) })
        case .path: expression
        case .arithmetic(let sign, let left, let right): .arithmetic(sign, vary(left), vary(right))
        case .function(let function, let arguments): .function(function, arguments.map { vary($0) })
        case .conditional(let test, let then, let otherwise):
            .conditional(vary(test), then: vary(then), else: vary(otherwise))
        case .aggregate(let aggregate): .aggregate(vary(aggregate))
        }
    }

    private mutating func vary(_ aggregate: FetchAggregate) -> FetchAggregate {
        var varied = aggregate
        if let filter = aggregate.filter {
            varied.filter = .init(variable: filter.variable, predicate: vary(filter.predicate))
        }
        return varied
    }

    private mutating func vary(_ value: StoredValue) -> StoredValue {
        if values.random.chance(30) { return value }
        return switch value {
        case .null, .composite: value
        case .bool: .bool(values.random.chance(50))
        case .int: .int(values.integer())
        case .double: .double(values.double())
        case .decimal: .decimal(values.decimal(values.random.pick([9, 38]), values.random.pick([2, 4])))
        case .string: .string(values.text())
        case .data: .data(values.data())
        case .timestamp: .timestamp(microseconds: values.moment())
        case .uuid: .uuid(values.uuid())
        }
    }
}
