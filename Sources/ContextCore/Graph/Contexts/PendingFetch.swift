import Foundation

/// Answers requests with what the store has and what the context has changed, together.
struct PendingFetch {
    let graph: ObjectGraph
    private let evaluator = PredicateEvaluator<ObjectSubject>(now: Date().microseconds)

    init(graph: ObjectGraph) { self.graph = graph }

    /// The objects that a plan means, pending changes included.
    func objects(_ plan: FetchPlan, prefetching paths: [PropertyPath] = []) throws -> [ManagedObject] {
        // What has to be looked at for the answer is no fault of the program's.
        try graph.withoutFaultingPolicy { try found(plan, paths) }
    }

    private func found(_ plan: FetchPlan, _ paths: [PropertyPath]) throws -> [ManagedObject] {
        let changed = graph.changes.objects.filter { $0.state != .unchanged }
        let involved = plan.involved(in: graph.model)
        if changed.contains(where: { reaches($0, involved) }) { return try evaluated(plan, changed, paths) }
        let own = graph.model.layouts[plan.entityIndex].rootIndex
        if changed.contains(where: { $0.entity.rootIndex == own }) { return try merged(plan, changed, paths) }
        return try stored(plan, paths)
    }

    /// Whether a changed object may have a word in what is true of others.
    ///
    /// A new object has none by itself: whoever leads to it has changed too, at the relationship that does.
    private func reaches(_ object: ManagedObject, _ involved: InvolvedEntities) -> Bool {
        let rootIndex = object.entity.rootIndex
        guard object.state != .inserted, involved.reached.contains(rootIndex) else { return false }
        guard object.state == .updated, let overlay = object.overlay else { return true }
        return involved.properties.contains {
            $0.rootIndex == rootIndex && $0.slot < overlay.slots.count && overlay.slots[$0.slot].isDirty
        }
    }

    /// Lines of values, pending changes included.
    func aggregate(_ plan: AggregatePlan) throws -> [[StoredValue]] {
        let touched = Set(graph.changes.objects.filter { $0.state != .unchanged }.map(\.entity.rootIndex))
        if touched.isDisjoint(with: plan.involvedRoots(in: graph.model)) {
            return try graph.parent.aggregate(plan)
        }
        let rows = FetchPlan(
            entityIndex: plan.entityIndex, includesSubentities: plan.includesSubentities,
            predicate: plan.predicate)
        return try graph.withoutFaultingPolicy {
            let subjects = try found(rows, []).map(ObjectSubject.init)
            return try AggregateEvaluation(evaluator).lines(of: plan, over: subjects)
        }
    }

    // MARK: Three ways

    /// Nothing that was changed has a word in the answer.
    private func stored(_ plan: FetchPlan, _ paths: [PropertyPath]) throws -> [ManagedObject] {
        var whole = plan
        whole.columns = nil
        let group = RowGroup(try graph.parent.fetch(whole))
        try Prefetching(graph: graph).prefetch(
            paths, from: group, entity: graph.model.layouts[plan.entityIndex])
        return (0..<Int32(group.batch.count)).map { graph.object(group, $0) }
    }

    /// Only objects that may be in the answer themselves were changed: they are taken out of the store's answer, and put where
    /// they belong now.
    private func merged(
        _ plan: FetchPlan, _ changed: [ManagedObject], _ paths: [PropertyPath]
    ) throws -> [ManagedObject] {
        let own = changed.filter { isMeant($0, plan) }
        var wider = plan
        wider.offset = 0
        // Each of them whose row the store still has may take up a place there that it gives up here.
        wider.limit = plan.window.map { window in
            let (sum, isHuge) = window.addingReportingOverflow(
                own.count { $0.state == .updated || $0.state == .deleted })
            return isHuge ? .max : sum
        }
        let unchanged = try stored(wider, paths).filter { $0.state == .unchanged }
        return try sorted(unchanged + matching(own.filter(\.isKept), plan), plan)
    }

    /// Objects that the predicate or the order reach through relationships were changed: everything is looked at here.
    private func evaluated(
        _ plan: FetchPlan, _ changed: [ManagedObject], _ paths: [PropertyPath]
    ) throws -> [ManagedObject] {
        let all = FetchPlan(entityIndex: plan.entityIndex, includesSubentities: plan.includesSubentities)
        let known = try stored(all, paths).filter(\.isKept)
        let inserted = changed.filter { $0.state == .inserted && isMeant($0, plan) }
        return try sorted(matching(known + inserted, plan), plan)
    }

    private func isMeant(_ object: ManagedObject, _ plan: FetchPlan) -> Bool {
        let entity = graph.model.layouts[plan.entityIndex]
        return plan.includesSubentities
            ? object.entity.isKind(of: entity) : object.entity.index == plan.entityIndex
    }

    private func matching(_ objects: [ManagedObject], _ plan: FetchPlan) throws -> [ManagedObject] {
        guard let predicate = plan.predicate else { return objects }
        return try objects.filter { try evaluator.isTrue(predicate, ObjectSubject(object: $0)) }
    }

    private func sorted(_ objects: [ManagedObject], _ plan: FetchPlan) throws -> [ManagedObject] {
        let order = SubjectOrder(plan.order, evaluator: evaluator)
        let sorted = try order.sorted(objects.map(ObjectSubject.init)).map(\.object)
        return Array(sorted.dropFirst(plan.offset).prefix(plan.limit ?? .max))
    }
}
