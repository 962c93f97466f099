/// Collects the inheritance trees whose objects have a word in an answer, by their roots.
struct InvolvedEntities {
    private let model: ObjectModel
    private(set) var roots: Set<Int>

    init(_ entityIndex: Int, in model: ObjectModel) {
        self.model = model
        roots = [model.layouts[entityIndex].rootIndex]
    }

    mutating func add(_ predicate: ResolvedPredicate) {
        switch predicate {
        case .constant: break
        case .compare(let left, _, let right), .text(let left, _, let right):
            add(left)
            add(right)
        case .like(let expression, _), .matches(let expression, _), .isNull(let expression),
            .isMember(let expression, _):
            add(expression)
        case .isEntity(let property, _): add(property.hops)
        case .exists(let collection, let condition):
            add(collection.steps)
            add(condition)
        case .truth(let inner, _), .not(let inner): add(inner)
        case .and(let members), .or(let members): for member in members { add(member) }
        }
    }

    mutating func add(_ expression: ResolvedExpression) {
        switch expression.node {
        case .constant: break
        case .property(let property): add(property.hops)
        case .arithmetic(_, let left, let right):
            add(left)
            add(right)
        case .function(_, let arguments): for argument in arguments { add(argument) }
        case .conditional(let condition, let first, let second):
            add(condition)
            add(first)
            add(second)
        case .aggregate(let aggregate):
            add(aggregate.collection?.steps ?? [])
            if let filter = aggregate.filter { add(filter) }
            if let value = aggregate.value { add(value) }
        }
    }

    private mutating func add(_ hops: [ResolvedHop]) {
        for hop in hops { roots.insert(model.layouts[hop.destinationIndex].rootIndex) }
    }
}

extension FetchPlan {
    /// The inheritance trees whose objects have a word in the answer.
    func involvedRoots(in model: ObjectModel) -> Set<Int> {
        var involved = InvolvedEntities(entityIndex, in: model)
        if let predicate { involved.add(predicate) }
        for key in order { involved.add(key.expression) }
        return involved.roots
    }
}

extension AggregatePlan {
    /// The inheritance trees whose objects have a word in the answer.
    func involvedRoots(in model: ObjectModel) -> Set<Int> {
        var involved = InvolvedEntities(entityIndex, in: model)
        for predicate in [predicate, having].compactMap({ $0 }) { involved.add(predicate) }
        for expression in columns + groupBy + order.map(\.expression) { involved.add(expression) }
        return involved.roots
    }
}
