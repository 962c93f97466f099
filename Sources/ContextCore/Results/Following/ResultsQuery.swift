/// The resolved request of a results controller: objects, order and sections.
struct ResultsQuery {
    let entity: EntityLayout
    /// The fetch plan of the request; its order starts with the section.
    let plan: FetchPlan
    /// The range of the request's rows that are loaded; nil for all of them.
    var window: Range<Int>?
    /// The sort key of the sections, which comes first in the plan's order; nil without sections.
    let section: ResolvedSortKey?
    /// The sort keys within a section.
    let order: [ResolvedSortKey]
    /// The relationships to prefetch, including those of the sort keys, which would otherwise cost a request for each object.
    let prefetching: [PropertyPath]
    /// The entities and properties that decide whether an object is among the results.
    let membership: ResultDependencies
    /// The entities and properties that decide an object's section and position.
    let positionDependencies: ResultDependencies

    /// - Throws: ``StoreError/Code/unsupportedRequest`` or ``StoreError/Code/unknownProperty``.
    init<Object: ManagedObject>(
        _ request: FetchRequest<Object>, sections: FetchExpression?, window: Range<Int>? = nil,
        in context: ObjectContext
    ) throws {
        self.window = window
        var (entity, plan) = try context.plan(request)
        section = try sections.map { expression in
            let key = try SortKey(expression).resolved(for: entity, in: context.model)
            if let first = plan.order.first, first.expression == key.expression { return first }
            plan.order.insert(key, at: 0)
            return key
        }
        order = Array(section == nil ? plan.order[...] : plan.order.dropFirst())
        var membership = ResultDependencies(entity.index, in: context.model)
        if let predicate = plan.predicate { membership.add(predicate) }
        var positionDependencies = ResultDependencies(entity.index, in: context.model)
        for key in plan.order { positionDependencies.add(key.expression) }
        self.entity = entity
        self.plan = plan
        self.membership = membership
        self.positionDependencies = positionDependencies
        let model = context.model
        prefetching =
            request.prefetching
            + positionDependencies.chains.map { chain in
                PropertyPath(chain.map { model.layouts[$0.sourceIndex].properties[$0.slot].name })
            }
    }

    /// Whether a new result may displace other objects from the results, because of a limit, an offset or a window.
    var isLimited: Bool { plan.limit != nil || plan.offset > 0 || window != nil }

    /// The plan that fetches the rows in the window.
    var windowPlan: FetchPlan {
        guard let window else { return plan }
        var part = plan
        part.offset = max(0, plan.offset).increased(by: window.lowerBound)
        part.limit = min(window.count, plan.limit.map { max(0, $0 - window.lowerBound) } ?? .max)
        return part
    }

    /// Whether the request must run again, because the affected rows can't be determined from the changes.
    func requiresRun(_ changes: GraphChanges) -> Bool {
        if changes.isUnknown { return true }
        if isLimited, !changes.roots.isDisjoint(with: membership.roots.union(positionDependencies.roots)) {
            return true
        }
        if membership.traversesToMany, hasRelatedChanges(membership, changes) { return true }
        // A merged change of a to-many relationship doesn't name all owners of the moved members.
        return positionDependencies.traversesToMany
            && !positionDependencies.relatedRoots.isDisjoint(with: changes.merged.keys)
    }

    /// Whether objects that are reached through relationships have changed in one of the given properties.
    private func hasRelatedChanges(_ dependencies: ResultDependencies, _ changes: GraphChanges) -> Bool {
        if !dependencies.relatedRoots.isDisjoint(with: changes.merged.keys) { return true }
        return changes.objects.contains { object, slots in
            let rootIndex = object.rootIndex
            guard dependencies.relatedRoots.contains(rootIndex) else { return false }
            return slots == .all
                || dependencies.properties.contains {
                    $0.rootIndex == rootIndex && slots.contains(slot: $0.slot)
                }
        }
    }

    /// Returns a plan that fetches the objects that refer to changed objects through relationships of the predicate, and so may have become
    /// results; nil if there are none.
    func candidatePlan(_ changes: GraphChanges, in model: ObjectModel) -> FetchPlan? {
        guard !membership.traversesToMany, hasRelatedChanges(membership, changes) else { return nil }
        let conditions = membership.chains.compactMap { chain -> ResolvedPredicate? in
            guard let last = chain.last, let column = last.column else { return nil }
            let keys = changes.keys(rootIndex: model.layouts[last.destinationIndex].rootIndex)
            if keys.isEmpty { return nil }
            let reference = ResolvedExpression(
                .property(
                    ResolvedProperty(
                        scope: 0, hops: Array(chain.dropLast()), entityIndex: last.sourceIndex,
                        target: .column(column))),
                type: .object(entityIndex: last.destinationIndex), isNullable: true)
            return .isMember(reference, of: keys.sorted().map { .int($0) })
        }
        if conditions.isEmpty { return nil }
        return FetchPlan(
            entityIndex: plan.entityIndex, includesSubentities: plan.includesSubentities,
            predicate: .disjunction(conditions))
    }
}
