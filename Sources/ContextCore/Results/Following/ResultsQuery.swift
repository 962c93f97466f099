/// What a controller's results are: which objects, in which order, in which sections.
struct ResultsQuery {
    let entity: EntityLayout
    /// The request in the store's terms; its order begins with the section.
    let plan: FetchPlan
    /// Which of the rows that the request means are held; nil for all of them.
    var window: Range<Int>?
    /// What makes the sections, the first key of the order; nil where there are none.
    let section: ResolvedSortKey?
    /// What orders the rows of a section.
    let order: [ResolvedSortKey]
    /// What is fetched along, so that the order costs no request an object.
    let prefetching: [PropertyPath]
    /// What has a word in whether an object is among the results.
    let membership: InvolvedEntities
    /// What has a word in where it stands.
    let standing: InvolvedEntities

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
        var membership = InvolvedEntities(entity.index, in: context.model)
        if let predicate = plan.predicate { membership.add(predicate) }
        var standing = InvolvedEntities(entity.index, in: context.model)
        for key in plan.order { standing.add(key.expression) }
        self.entity = entity
        self.plan = plan
        self.membership = membership
        self.standing = standing
        let model = context.model
        prefetching =
            request.prefetching
            + standing.chains.map { chain in
                PropertyPath(chain.map { model.layouts[$0.sourceIndex].properties[$0.slot].name })
            }
    }

    /// Whether an object that is among the results may push others out of them.
    var isLimited: Bool { plan.limit != nil || plan.offset > 0 || window != nil }

    /// The request for the rows that are held.
    var windowPlan: FetchPlan {
        guard let window else { return plan }
        var part = plan
        part.offset = max(0, plan.offset).increased(by: window.lowerBound)
        part.limit = min(window.count, plan.limit.map { max(0, $0 - window.lowerBound) } ?? .max)
        return part
    }

    /// Whether what has changed can't be traced back to single rows, so that the request has to be run again.
    func isUntraceable(_ notices: GraphNotices) -> Bool {
        if notices.isEverything { return true }
        if isLimited, !notices.roots.isDisjoint(with: membership.roots.union(standing.roots)) { return true }
        if membership.leadsToMany, reaches(membership, notices) { return true }
        // Those who hold a member that others have moved are not named in what they have changed.
        return standing.leadsToMany && !standing.reached.isDisjoint(with: notices.merged.keys)
    }

    /// Whether something has changed that relationships lead to, and that is looked at there.
    private func reaches(_ involved: InvolvedEntities, _ notices: GraphNotices) -> Bool {
        if !involved.reached.isDisjoint(with: notices.merged.keys) { return true }
        return notices.objects.contains { object, slots in
            let rootIndex = object.rootIndex
            guard involved.reached.contains(rootIndex) else { return false }
            return slots == .all
                || involved.properties.contains { $0.rootIndex == rootIndex && slots.contains(slot: $0.slot) }
        }
    }

    /// A request of all objects that lead to changed ones which have a word in whether these are among the results; nil when there
    /// can be none.
    func suspects(_ notices: GraphNotices, in model: ObjectModel) -> FetchPlan? {
        guard !membership.leadsToMany, reaches(membership, notices) else { return nil }
        let conditions = membership.chains.compactMap { chain -> ResolvedPredicate? in
            guard let last = chain.last, let column = last.column else { return nil }
            let keys = notices.keys(rootIndex: model.layouts[last.destinationIndex].rootIndex)
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
