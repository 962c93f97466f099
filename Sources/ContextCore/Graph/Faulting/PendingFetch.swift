import Foundation

/// Evaluates requests against the store and the context's pending changes.
struct PendingFetch {
    /// The maximum number of changed objects that a query excludes; if there are more, they are removed from the result
    /// instead.
    static let maximumExclusions = 500

    let graph: ObjectGraph
    /// The source location of the fetch.
    var site: CallSite?
    let evaluator = PredicateEvaluator<ObjectSubject>(now: Date().microseconds)

    init(graph: ObjectGraph) { self.graph = graph }

    /// How to evaluate a request.
    private enum Strategy {
        /// Pending changes can't affect the result, so the store alone evaluates it.
        case stored
        /// Only the requested entity's objects `own` have pending changes that affect the result.
        case merged(own: [ManagedObject])
        /// Objects that the predicate or the order reaches through relationships have pending changes.
        case evaluatedInMemory(changed: [ManagedObject])
    }

    private func strategy(_ plan: FetchPlan) -> Strategy {
        let changed = graph.changes.objects.filter { $0.state != .unchanged }
        let dependencies = plan.dependencies(in: graph.model)
        if changed.contains(where: { reaches($0, dependencies) }) {
            return .evaluatedInMemory(changed: changed)
        }
        let root = graph.model.layouts[plan.entityIndex].rootIndex
        if !changed.contains(where: { $0.entity.rootIndex == root }) { return .stored }
        return .merged(own: changed.filter { isIncluded($0, plan) })
    }

    /// Whether pending changes can't affect the result of a plan.
    func isStored(_ plan: FetchPlan) -> Bool {
        if case .stored = strategy(plan) { true } else { false }
    }

    /// Whether a changed object may affect whether the predicate matches other objects.
    ///
    /// A new object doesn't: an object that references it has a pending change of that relationship.
    func reaches(_ object: ManagedObject, _ dependencies: ResultDependencies) -> Bool {
        let rootIndex = object.rootIndex
        guard object.state != .inserted, dependencies.relatedRoots.contains(rootIndex) else { return false }
        guard object.state == .updated, let overlay = object.overlay else { return true }
        return dependencies.properties.contains {
            $0.rootIndex == rootIndex && $0.slot < overlay.slots.count && overlay.slots[$0.slot].isDirty
        }
    }

    /// Returns the objects that match a plan, including pending changes.
    func objects(_ plan: FetchPlan, prefetching paths: [PropertyPath] = []) throws -> [ManagedObject] {
        // Reads that only the evaluation needs are exempt from the program's faulting policy.
        try graph.withoutFaultingPolicy {
            switch strategy(plan) {
            case .stored: try stored(plan, paths)
            case .merged(let own): try merged(plan, own, paths)
            case .evaluatedInMemory(let changed): try evaluatedInMemory(plan, changed, paths)
            }
        }
    }

    /// Counts the objects that match a plan, including pending changes, without loading unchanged objects if possible.
    func count(_ plan: FetchPlan) throws -> Int {
        try graph.withoutFaultingPolicy { try countMatching(plan) }
    }

    private func countMatching(_ plan: FetchPlan) throws -> Int {
        switch strategy(plan) {
        case .stored: return try graph.parent.count(plan)
        case .merged(let own):
            var all = plan
            (all.limit, all.offset) = (nil, 0)
            let mine = try matching(own.filter(exists), plan).count
            guard let others = excluding(own, from: all) else {
                return plan.window(of: mine + (try countUnchanged(all, without: own)))
            }
            return plan.window(of: mine + (try graph.parent.count(others)))
        case .evaluatedInMemory: return try objects(plan).count
        }
    }

    /// Returns the rows of an aggregation, including pending changes.
    func aggregate(_ plan: AggregatePlan) throws -> [[StoredValue]] {
        let rows = FetchPlan(
            entityIndex: plan.entityIndex, includesSubentities: plan.includesSubentities,
            predicate: plan.predicate)
        if plan.isCount { return [[.int(Int64(try count(rows)))]] }
        let touched = Set(graph.changes.objects.filter { $0.state != .unchanged }.map(\.entity.rootIndex))
        if touched.isDisjoint(with: plan.dependencyRoots(in: graph.model)) {
            return try graph.parent.aggregate(plan)
        }
        let subjects = try objects(rows).map(ObjectSubject.init)
        return try AggregateEvaluation(evaluator).resultRows(of: plan, over: subjects)
    }

    // MARK: The three strategies

    private func stored(_ plan: FetchPlan, _ paths: [PropertyPath]) throws -> [ManagedObject] {
        var whole = plan
        whole.columns = nil
        let group = RowGroup(try graph.parent.fetch(whole), site: site)
        try Prefetching(graph: graph).prefetch(
            paths, from: group, includesAllRows: plan.includesAllRows,
            entity: graph.model.layouts[plan.entityIndex])
        return graph.objects(group)
    }

    /// Excludes changed objects from the query and inserts those that match at their sorted positions.
    private func merged(
        _ plan: FetchPlan, _ own: [ManagedObject], _ paths: [PropertyPath]
    ) throws -> [ManagedObject] {
        let mine = try matching(own.filter(exists), plan)
        guard let others = excluding(own, from: plan) else {
            var wider = plan
            wider.offset = 0
            wider.limit = plan.offsetPlusLimit.map { $0.increased(by: own.count) }
            let changed = Set(own)
            let unchanged = try stored(wider, paths).filter { !changed.contains($0) }
            return plan.window(of: try merge(mine, into: unchanged, plan))
        }
        if mine.isEmpty { return try stored(others, paths) }
        // Inserted objects may shift stored objects across both bounds of the window.
        var wider = others
        wider.offset = max(0, plan.offset - mine.count)
        wider.limit = plan.limit.map { $0.increased(by: plan.offset - wider.offset) }
        var rest = plan
        rest.offset -= wider.offset
        return rest.window(of: try merge(mine, into: stored(wider, paths), plan))
    }

    /// Fetches all objects of the entity and evaluates predicate and order in memory.
    private func evaluatedInMemory(
        _ plan: FetchPlan, _ changed: [ManagedObject], _ paths: [PropertyPath]
    ) throws -> [ManagedObject] {
        let all = FetchPlan(entityIndex: plan.entityIndex, includesSubentities: plan.includesSubentities)
        let known = try stored(all, paths).filter(\.isLive)
        let inserted = changed.filter { $0.state == .inserted && isIncluded($0, plan) }
        return plan.window(of: try sorted(matching(known + inserted, plan), plan))
    }

    // MARK: Parts of a result

    /// Returns the plan without the given objects; nil if there are too many of them to list.
    func excluding(_ objects: [ManagedObject], from plan: FetchPlan) -> FetchPlan? {
        let keys = objects.map(\.key).filter { $0 > 0 }
        if keys.isEmpty { return plan }
        guard keys.count <= Self.maximumExclusions else { return nil }
        return plan.narrowed(
            by: .not(.isMember(.ownKey(plan.entityIndex), of: keys.sorted().map { .int($0) })))
    }

    /// Counts the stored objects that match a plan and were not changed.
    private func countUnchanged(_ plan: FetchPlan, without changed: [ManagedObject]) throws -> Int {
        let keys = Set(changed.map(\.key))
        var bare = plan
        bare.columns = []
        let batch = try graph.parent.fetch(bare)
        return (0..<batch.count).count { !keys.contains(batch.key(at: $0)) }
    }

    private func isIncluded(_ object: ManagedObject, _ plan: FetchPlan) -> Bool {
        let entity = graph.model.layouts[plan.entityIndex]
        return plan.includesSubentities
            ? object.entity.isKind(of: entity) : object.entity.index == plan.entityIndex
    }

    /// Whether a changed object exists; another context may have deleted an object of which this one has changed links.
    private func exists(_ object: ManagedObject) throws -> Bool {
        try object.isLive && FaultLoader(graph: graph).exists(object)
    }

    func matching(_ objects: [ManagedObject], _ plan: FetchPlan) throws -> [ManagedObject] {
        guard let predicate = plan.predicate else { return objects }
        return try objects.filter { try evaluator.isTrue(predicate, ObjectSubject(object: $0)) }
    }

    func sorted(_ objects: [ManagedObject], _ plan: FetchPlan) throws -> [ManagedObject] {
        let order = SubjectOrder(plan.order, evaluator: evaluator)
        return try order.sorted(objects.map(ObjectSubject.init)).map(\.object)
    }

    /// Merges a few objects into a sorted list.
    func merge(
        _ few: [ManagedObject], into many: [ManagedObject], _ plan: FetchPlan
    ) throws -> [ManagedObject] {
        if few.isEmpty { return many }
        let order = SubjectOrder(plan.order, evaluator: evaluator)
        var merged: [ManagedObject] = []
        merged.reserveCapacity(few.count + many.count)
        var start = 0
        for object in try sorted(few, plan) {
            let place = try order.index(
                of: ObjectSubject(object: object), in: many[start...].lazy.map(ObjectSubject.init))
            merged += many[start..<place]
            merged.append(object)
            start = place
        }
        return merged + many[start...]
    }
}

extension FetchPlan {
    /// Returns the part of a sorted list within offset and limit.
    func window(of objects: [ManagedObject]) -> [ManagedObject] {
        if offset <= 0, limit.map({ $0 >= objects.count }) ?? true { return objects }
        return Array(objects.dropFirst(max(0, offset)).prefix(limit.map { max(0, $0) } ?? .max))
    }

    /// Returns how many of the given number of objects are within offset and limit.
    func window(of count: Int) -> Int {
        min(max(0, count - max(0, offset)), limit.map { max(0, $0) } ?? .max)
    }
}

extension Int {
    /// Returns the sum, or `Int.max` if it overflows.
    func increased(by other: Int) -> Int {
        let (sum, isHuge) = addingReportingOverflow(other)
        return isHuge ? .max : sum
    }
}

extension AggregatePlan {
    /// Returns a plan that counts the rows that match a predicate.
    static func count(_ plan: FetchPlan) -> AggregatePlan {
        AggregatePlan(
            entityIndex: plan.entityIndex, includesSubentities: plan.includesSubentities,
            predicate: plan.predicate, columns: [.rowCount])
    }

    /// Whether the plan only counts rows.
    var isCount: Bool {
        columns == [.rowCount] && groupBy.isEmpty && having == nil && limit == nil && offset == 0
    }
}

extension ContextParent {
    /// Counts the rows that match a plan, within its limit and offset.
    func count(_ plan: FetchPlan) throws -> Int {
        guard case .int(let all)? = try aggregate(.count(plan)).first?.first else { return 0 }
        return plan.window(of: Int(all))
    }
}

extension ResolvedExpression {
    /// The number of rows.
    package static var rowCount: ResolvedExpression {
        ResolvedExpression(
            .aggregate(ResolvedAggregate(function: .count, collection: nil, filter: nil, value: nil)),
            type: .integer,
            isNullable: false)
    }
}
