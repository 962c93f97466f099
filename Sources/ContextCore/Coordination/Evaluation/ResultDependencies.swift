/// Collects the root entities of the inheritance trees on which the result of a request depends.
struct ResultDependencies {
    /// A property that a request reads in related objects.
    struct Property: Hashable {
        let rootIndex: Int
        let slot: Int
    }

    private let model: ObjectModel
    private(set) var roots: Set<Int>
    /// The root entities of related objects.
    private(set) var relatedRoots: Set<Int> = []
    /// The properties that are read in related objects, without those of the requested object itself.
    private(set) var properties: Set<Property> = []
    /// Whether the request follows to-many relationships.
    private(set) var traversesToMany = false
    /// The chains of to-one relationships from the requested object to the related objects that the request reads.
    private(set) var chains: Set<[RelationshipStep]> = []

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
        case .isEntity(let property, _): add(property.hops, scope: property.scope)
        case .exists(let collection, let condition):
            add(collection.steps, scope: collection.scope)
            add(condition)
        case .truth(let inner, _), .not(let inner): add(inner)
        case .and(let members), .or(let members): for member in members { add(member) }
        }
    }

    mutating func add(_ expression: ResolvedExpression) {
        switch expression.node {
        case .constant: break
        case .property(let property): add(property)
        case .arithmetic(_, let left, let right):
            add(left)
            add(right)
        case .function(_, let arguments): for argument in arguments { add(argument) }
        case .conditional(let condition, let first, let second):
            add(condition)
            add(first)
            add(second)
        case .aggregate(let aggregate):
            if let collection = aggregate.collection { add(collection.steps, scope: collection.scope) }
            if let filter = aggregate.filter { add(filter) }
            if let value = aggregate.value { add(value) }
        }
    }

    private mutating func add(_ property: ResolvedProperty) {
        add(property.hops, scope: property.scope)
        guard property.scope > 0 || !property.hops.isEmpty, case .column(let column) = property.target else {
            return
        }
        let entity = model.layouts[property.entityIndex]
        properties.insert(Property(rootIndex: entity.rootIndex, slot: entity.columns[column].slot))
    }

    private mutating func add(_ hops: [RelationshipStep], scope: Int) {
        for (index, hop) in hops.enumerated() {
            if hop.isToMany { traversesToMany = true }
            if scope == 0, !traversesToMany { chains.insert(Array(hops[...index])) }
            let destination = model.layouts[hop.destinationIndex].rootIndex
            roots.insert(destination)
            relatedRoots.insert(destination)
            if scope == 0, index == 0 { continue }
            properties.insert(Property(rootIndex: model.layouts[hop.sourceIndex].rootIndex, slot: hop.slot))
        }
    }
}

extension FetchPlan {
    /// Returns everything that the result depends on.
    func dependencies(in model: ObjectModel) -> ResultDependencies {
        var dependencies = ResultDependencies(entityIndex, in: model)
        if let predicate { dependencies.add(predicate) }
        for key in order { dependencies.add(key.expression) }
        return dependencies
    }
}

extension AggregatePlan {
    /// Returns the root entities of the inheritance trees on which the result depends.
    func dependencyRoots(in model: ObjectModel) -> Set<Int> {
        var dependencies = ResultDependencies(entityIndex, in: model)
        for predicate in [predicate, having].compactMap({ $0 }) { dependencies.add(predicate) }
        for expression in columns + groupBy + order.map(\.expression) { dependencies.add(expression) }
        return dependencies.roots
    }
}
