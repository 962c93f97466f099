import Foundation

/// Answers requests with what the store has and what the context has changed, together.
struct PendingFetch {
    /// How many changed objects the store is told to leave out, before they are rather sorted out here.
    static let mostExclusions = 500

    let graph: ObjectGraph
    /// Where in the program the fetch was called.
    var site: CallSite?
    let evaluator = PredicateEvaluator<ObjectSubject>(now: Date().microseconds)

    init(graph: ObjectGraph) { self.graph = graph }

    /// How a request can be answered.
    private enum Way {
        /// Nothing that was changed has a word in the answer.
        case stored
        /// Only these objects, which may be in the answer themselves, were changed.
        case merged(own: [ManagedObject])
        /// Objects were changed that the predicate or the order reach through relationships.
        case evaluated(changed: [ManagedObject])
    }

    private func way(_ plan: FetchPlan) -> Way {
        let changed = graph.changes.objects.filter { $0.state != .unchanged }
        let involved = plan.involved(in: graph.model)
        if changed.contains(where: { reaches($0, involved) }) { return .evaluated(changed: changed) }
        let root = graph.model.layouts[plan.entityIndex].rootIndex
        if !changed.contains(where: { $0.entity.rootIndex == root }) { return .stored }
        return .merged(own: changed.filter { isMeant($0, plan) })
    }

    /// Whether the store's answer is the whole answer.
    func isStored(_ plan: FetchPlan) -> Bool {
        if case .stored = way(plan) { true } else { false }
    }

    /// Whether a changed object may have a word in what is true of others.
    ///
    /// A new object has none by itself: whoever leads to it has changed too, at the relationship that does.
    func reaches(_ object: ManagedObject, _ involved: InvolvedEntities) -> Bool {
        let rootIndex = object.rootIndex
        guard object.state != .inserted, involved.reached.contains(rootIndex) else { return false }
        guard object.state == .updated, let overlay = object.overlay else { return true }
        return involved.properties.contains {
            $0.rootIndex == rootIndex && $0.slot < overlay.slots.count && overlay.slots[$0.slot].isDirty
        }
    }

    /// The objects that a plan means, pending changes included.
    func objects(_ plan: FetchPlan, prefetching paths: [PropertyPath] = []) throws -> [ManagedObject] {
        // What has to be looked at for the answer is no fault of the program's.
        try graph.withoutFaultingPolicy {
            switch way(plan) {
            case .stored: try stored(plan, paths)
            case .merged(let own): try merged(plan, own, paths)
            case .evaluated(let changed): try evaluated(plan, changed, paths)
            }
        }
    }

    /// How many objects a plan means, pending changes included; none is fetched that has not been changed.
    func count(_ plan: FetchPlan) throws -> Int {
        try graph.withoutFaultingPolicy { try counted(plan) }
    }

    private func counted(_ plan: FetchPlan) throws -> Int {
        switch way(plan) {
        case .stored: return try graph.parent.count(plan)
        case .merged(let own):
            var all = plan
            (all.limit, all.offset) = (nil, 0)
            let mine = try matching(own.filter(\.isKept), plan).count
            guard let others = excluding(own, from: all) else {
                return plan.window(of: mine + (try remaining(all, without: own)))
            }
            return plan.window(of: mine + (try graph.parent.count(others)))
        case .evaluated: return try objects(plan).count
        }
    }

    /// Lines of values, pending changes included.
    func aggregate(_ plan: AggregatePlan) throws -> [[StoredValue]] {
        let rows = FetchPlan(
            entityIndex: plan.entityIndex, includesSubentities: plan.includesSubentities,
            predicate: plan.predicate)
        if plan.isCount { return [[.int(Int64(try count(rows)))]] }
        let touched = Set(graph.changes.objects.filter { $0.state != .unchanged }.map(\.entity.rootIndex))
        if touched.isDisjoint(with: plan.involvedRoots(in: graph.model)) {
            return try graph.parent.aggregate(plan)
        }
        let subjects = try objects(rows).map(ObjectSubject.init)
        return try AggregateEvaluation(evaluator).lines(of: plan, over: subjects)
    }

    // MARK: Three ways

    private func stored(_ plan: FetchPlan, _ paths: [PropertyPath]) throws -> [ManagedObject] {
        var whole = plan
        whole.columns = nil
        let group = RowGroup(try graph.parent.fetch(whole), site: site)
        try Prefetching(graph: graph).prefetch(
            paths, from: group, isOfAll: plan.isOfAll, entity: graph.model.layouts[plan.entityIndex])
        return graph.objects(group)
    }

    /// Changed objects are left out of the store's answer, and put where they belong now.
    private func merged(
        _ plan: FetchPlan, _ own: [ManagedObject], _ paths: [PropertyPath]
    ) throws -> [ManagedObject] {
        let mine = try matching(own.filter(\.isKept), plan)
        guard let others = excluding(own, from: plan) else {
            var wider = plan
            wider.offset = 0
            wider.limit = plan.window.map { $0.increased(by: own.count) }
            let changed = Set(own)
            let unchanged = try stored(wider, paths).filter { !changed.contains($0) }
            return plan.window(of: try weave(mine, into: unchanged, plan))
        }
        if mine.isEmpty { return try stored(others, paths) }
        // As many as come in may push others out at both ends.
        var wider = others
        wider.offset = max(0, plan.offset - mine.count)
        wider.limit = plan.limit.map { $0.increased(by: plan.offset - wider.offset) }
        var rest = plan
        rest.offset -= wider.offset
        return rest.window(of: try weave(mine, into: stored(wider, paths), plan))
    }

    /// Everything is looked at here.
    private func evaluated(
        _ plan: FetchPlan, _ changed: [ManagedObject], _ paths: [PropertyPath]
    ) throws -> [ManagedObject] {
        let all = FetchPlan(entityIndex: plan.entityIndex, includesSubentities: plan.includesSubentities)
        let known = try stored(all, paths).filter(\.isKept)
        let inserted = changed.filter { $0.state == .inserted && isMeant($0, plan) }
        return plan.window(of: try sorted(matching(known + inserted, plan), plan))
    }

    // MARK: Parts of an answer

    /// The plan without some objects; nil where they are too many to be named.
    func excluding(_ objects: [ManagedObject], from plan: FetchPlan) -> FetchPlan? {
        let keys = objects.map(\.key).filter { $0 > 0 }
        if keys.isEmpty { return plan }
        guard keys.count <= Self.mostExclusions else { return nil }
        return plan.narrowed(
            by: .not(.isMember(.ownKey(plan.entityIndex), of: keys.sorted().map { .int($0) })))
    }

    /// How many of the store's objects are not among those that were changed, by their keys.
    private func remaining(_ plan: FetchPlan, without changed: [ManagedObject]) throws -> Int {
        let keys = Set(changed.map(\.key))
        var bare = plan
        bare.columns = []
        let batch = try graph.parent.fetch(bare)
        return (0..<batch.count).count { !keys.contains(batch.key(at: $0)) }
    }

    private func isMeant(_ object: ManagedObject, _ plan: FetchPlan) -> Bool {
        let entity = graph.model.layouts[plan.entityIndex]
        return plan.includesSubentities
            ? object.entity.isKind(of: entity) : object.entity.index == plan.entityIndex
    }

    func matching(_ objects: [ManagedObject], _ plan: FetchPlan) throws -> [ManagedObject] {
        guard let predicate = plan.predicate else { return objects }
        return try objects.filter { try evaluator.isTrue(predicate, ObjectSubject(object: $0)) }
    }

    func sorted(_ objects: [ManagedObject], _ plan: FetchPlan) throws -> [ManagedObject] {
        let order = SubjectOrder(plan.order, evaluator: evaluator)
        return try order.sorted(objects.map(ObjectSubject.init)).map(\.object)
    }

    /// Puts a few objects where they belong among many that are in order already.
    func weave(
        _ few: [ManagedObject], into many: [ManagedObject], _ plan: FetchPlan
    ) throws -> [ManagedObject] {
        if few.isEmpty { return many }
        let order = SubjectOrder(plan.order, evaluator: evaluator)
        var woven: [ManagedObject] = []
        woven.reserveCapacity(few.count + many.count)
        var start = 0
        for object in try sorted(few, plan) {
            let place = try order.index(
                of: ObjectSubject(object: object), in: many[start...].lazy.map(ObjectSubject.init))
            woven += many[start..<place]
            woven.append(object)
            start = place
        }
        return woven + many[start...]
    }
}

extension FetchPlan {
    /// The part of an ordered answer that is wanted.
    func window(of objects: [ManagedObject]) -> [ManagedObject] {
        if offset <= 0, limit.map({ $0 >= objects.count }) ?? true { return objects }
        return Array(objects.dropFirst(max(0, offset)).prefix(limit.map { max(0, $0) } ?? .max))
    }

    /// How many of so many objects are wanted.
    func window(of count: Int) -> Int {
        min(max(0, count - max(0, offset)), limit.map { max(0, $0) } ?? .max)
    }

    /// The plan of which only those are wanted that fulfil another condition too.
    func narrowed(by condition: ResolvedPredicate) -> FetchPlan {
        var narrowed = self
        narrowed.predicate = .conjunction([predicate, condition].compactMap { $0 })
        return narrowed
    }
}

extension Int {
    /// The sum, or the greatest number where it doesn't fit.
    func increased(by other: Int) -> Int {
        let (sum, isHuge) = addingReportingOverflow(other)
        return isHuge ? .max : sum
    }
}

extension AggregatePlan {
    /// Asks how many rows fulfil a predicate.
    static func count(_ plan: FetchPlan) -> AggregatePlan {
        AggregatePlan(
            entityIndex: plan.entityIndex, includesSubentities: plan.includesSubentities,
            predicate: plan.predicate, columns: [.rowCount])
    }

    /// Whether nothing is asked but how many rows there are.
    var isCount: Bool {
        columns == [.rowCount] && groupBy.isEmpty && having == nil && limit == nil && offset == 0
    }
}

extension ContextParent {
    /// How many rows a plan means, within its limit and offset.
    func count(_ plan: FetchPlan) throws -> Int {
        guard case .int(let all)? = try aggregate(.count(plan)).first?.first else { return 0 }
        return plan.window(of: Int(all))
    }
}

extension ResolvedExpression {
    /// How many rows there are.
    package static var rowCount: ResolvedExpression {
        ResolvedExpression(
            .aggregate(ResolvedAggregate(function: .count, collection: nil, filter: nil, value: nil)),
            type: .integer,
            isNullable: false)
    }

    /// The key of the object that is asked about, or of the element in hand.
    static func ownKey(_ entityIndex: Int, scope: Int = 0) -> ResolvedExpression {
        ResolvedExpression(
            .property(ResolvedProperty(scope: scope, hops: [], entityIndex: entityIndex, target: .key)),
            type: .object(entityIndex: entityIndex), isNullable: false)
    }
}
