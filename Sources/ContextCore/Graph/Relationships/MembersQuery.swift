/// Queries the members of one to-many relationship and loads no more members than necessary.
struct MembersQuery {
    let owner: ManagedObject
    private let slot: Int
    private let relationship: RelationshipLayout

    init(_ owner: ManagedObject, slot: Int) {
        guard let relationship = owner.entity.properties[slot].relationship else {
            programmingError(
                "\(owner.entity.name).\(owner.entity.properties[slot].name) is not a relationship.")
        }
        self.owner = owner
        self.slot = slot
        self.relationship = relationship
    }

    private var graph: ObjectGraph { owner.graph }
    /// The entity of the members.
    var destination: EntityLayout { graph.model.layouts[relationship.destinationIndex] }
    private var pending: PendingFetch { PendingFetch(graph: graph) }

    /// The members in order, if the relationship is loaded.
    var loadedMembers: [ManagedObject]? {
        guard let state, state.isCurrent else { return owner.state == .detached ? [] : nil }
        let members = state.orderedMembers
        return members.filter(\.isLive)
    }

    private var state: ToManyState? {
        if case .collection(let state)? = owner.overlay?.slots[slot] { return state }
        return owner.state == .inserted ? graph.collection(of: owner, slot: slot) : nil
    }

    // MARK: Queries

    func count(_ plan: FetchPlan) throws -> Int {
        try prepareToRead()
        if let loadedMembers { return plan.window(of: try pending.matching(loadedMembers, plan).count) }
        if reachesChanges(plan) { return try objects(plan).count }
        guard relationship.isManyToMany else { return try pending.count(plan.narrowed(by: membership)) }
        let (changed, rest) = try changedMembers(plan)
        return plan.window(of: changed.count + (try countInParent(rest)))
    }

    func objects(_ plan: FetchPlan) throws -> [ManagedObject] {
        try prepareToRead()
        if let loadedMembers { return plan.window(of: try filteredAndSorted(loadedMembers, plan)) }
        if reachesChanges(plan) {
            _ = graph.loadedCollection(of: owner, slot: slot)
            try graph.throwDeferredError()
            return plan.window(of: try filteredAndSorted(self.loadedMembers ?? [], plan))
        }
        if relationship.description.isOrdered, plan.order.isEmpty { return try membersInOwnOrder(plan) }
        guard relationship.isManyToMany else { return try pending.objects(plan.narrowed(by: membership)) }
        return try objectsWithPendingChanges(plan)
    }

    func contains(_ member: ManagedObject) throws -> Bool {
        try prepareToRead()
        guard member.graph === graph, member.isLive else { return false }
        if let state, state.isCurrent { return state.members.contains(member) }
        guard owner.state != .detached else { return false }
        guard relationship.isManyToMany else {
            let found = relationship.inverseSlot.flatMap { graph.target(of: member, slot: $0) }
            try graph.throwDeferredError()
            return found === owner
        }
        if state?.added.contains(member) == true { return true }
        if state?.removed.contains(member) == true || member.key < 0 { return false }
        let keys = ResolvedPredicate.isMember(.ownKey(destination.index), of: [.int(member.key)])
        return try countInParent(FetchPlan(entityIndex: destination.index, predicate: keys)) == 1
    }

    private func prepareToRead() throws {
        try graph.prepareToRead()
        if graph.reportsToObservation { graph.reportAccess(to: owner, slot: slot) }
    }

    /// Whether a predicate or an order reaches objects with unsaved changes.
    private func reachesChanges(_ plan: FetchPlan) -> Bool {
        let relatedRoots = plan.dependencies(in: graph.model).relatedRoots
        if relatedRoots.isEmpty { return false }
        return graph.changes.objects.contains {
            $0.state != .unchanged && relatedRoots.contains($0.entity.rootIndex)
        }
    }

    /// Returns the members that match a plan, in the plan's order, or in the given order if the plan has none.
    private func filteredAndSorted(_ members: [ManagedObject], _ plan: FetchPlan) throws -> [ManagedObject] {
        let matching = try pending.matching(members, plan)
        return plan.order.isEmpty ? matching : try pending.sorted(matching, plan)
    }

    // MARK: Stored members

    /// Fetches the objects that refer to the owner in the parent, whatever this context has changed.
    func storedMembers() throws -> [ManagedObject] {
        let plan = FetchPlan(entityIndex: destination.index, predicate: membership)
        return graph.objects(RowGroup(try graph.parent.fetch(plan)))
    }

    /// The condition that an object's inverse references the owner.
    private var membership: ResolvedPredicate {
        let owner = ResolvedExpression.constant(
            .int(owner.key), type: .object(entityIndex: relationship.sourceIndex))
        guard let slot = relationship.inverseSlot else { return .constant(.false) }
        let column = destination.properties[slot].columns.first
        if let column {
            let reference = ResolvedProperty(
                scope: 0, hops: [], entityIndex: destination.index, target: .column(column))
            let value = ResolvedExpression(.property(reference), type: owner.type, isNullable: true)
            return .compare(value, .equal, owner)
        }
        let back = RelationshipStep(
            sourceIndex: destination.index, slot: slot, destinationIndex: relationship.sourceIndex,
            column: nil,
            isOptional: false)
        return .exists(
            ResolvedCollection(scope: 0, steps: [back]),
            where: .compare(.ownKey(relationship.sourceIndex, scope: 1), .equal, owner))
    }

    private func countInParent(_ plan: FetchPlan) throws -> Int {
        if let query = try makeParentQuery() { return try query.count(plan) }
        return try graph.parent.count(plan.narrowed(by: membership))
    }

    private func fetchFromParent(_ plan: FetchPlan) throws -> RowBatch {
        if let above = graph.parent as? ParentContextAdapter, let query = try makeParentQuery() {
            return try above.makeRows(query.objects(plan))
        }
        return try graph.parent.fetch(plan.narrowed(by: membership))
    }

    /// Returns the same query in the parent context, which may have pending changes; nil if the parent is the store or
    /// has no such object.
    private func makeParentQuery() throws -> MembersQuery? {
        guard let above = graph.parent as? ParentContextAdapter else { return nil }
        return try above.object(owner.key, owner.entity).map { MembersQuery($0, slot: slot) }
    }

    // MARK: Many-to-many relationships with pending changes

    /// Returns the changed objects that are members and match a plan, and the plan for all other members.
    private func changedMembers(_ plan: FetchPlan) throws -> (members: [ManagedObject], rest: FetchPlan) {
        let changed = graph.changes.objects.filter {
            $0.state != .unchanged && $0.entity.isKind(of: destination)
        }
        let own = Array(Set(changed).union(state?.added ?? []).union(state?.removed ?? []))
        let matching = try pending.matching(try members(of: own.filter(\.isLive)), plan)
        var rest = plan
        (rest.limit, rest.offset) = (nil, 0)
        let keys = own.map(\.key).filter { $0 > 0 }.sorted()
        if !keys.isEmpty {
            rest = rest.narrowed(by: .not(.isMember(.ownKey(destination.index), of: keys.map { .int($0) })))
        }
        return (matching, rest)
    }

    /// Returns the changed objects that are members.
    private func members(of objects: [ManagedObject]) throws -> [ManagedObject] {
        let open = objects.filter { !isDeterminedByChanges($0) }
        var fetchedKeys: Set<Int64> = []
        if !open.isEmpty {
            let keys = open.map(\.key).sorted().map { StoredValue.int($0) }
            var plan = FetchPlan(
                entityIndex: destination.index, predicate: .isMember(.ownKey(destination.index), of: keys))
            plan.columns = []
            let batch = try fetchFromParent(plan)
            fetchedKeys = Set((0..<batch.count).map(batch.key(at:)))
        }
        return objects.filter {
            isDeterminedByChanges($0) ? state?.added.contains($0) == true : fetchedKeys.contains($0.key)
        }
    }

    /// Whether pending changes alone determine if an object is a member.
    private func isDeterminedByChanges(_ object: ManagedObject) -> Bool {
        object.key < 0 || state?.added.contains(object) == true || state?.removed.contains(object) == true
    }

    /// Returns the stored members that match a plan, merged with those that have pending changes.
    private func objectsWithPendingChanges(_ plan: FetchPlan) throws -> [ManagedObject] {
        let (changed, rest) = try changedMembers(plan)
        var wider = rest
        wider.offset = max(0, plan.offset - changed.count)
        wider.limit = plan.limit.map { $0.increased(by: plan.offset - wider.offset) }
        var window = plan
        window.offset -= wider.offset
        let group = RowGroup(try fetchFromParent(wider))
        let others = graph.objects(group)
        return window.window(of: try pending.merge(changed, into: others, plan))
    }

    // MARK: Ordered relationships

    /// Returns the members in the relationship's own order.
    ///
    /// Of members outside the page, only the keys are read.
    private func membersInOwnOrder(_ plan: FetchPlan) throws -> [ManagedObject] {
        let keys = try keysInOrder()
        guard plan.predicate == nil else {
            let places = Dictionary(keys.enumerated().map { ($1, $0) }) { first, _ in first }
            var all = plan
            all.order = [ResolvedSortKey(.ownKey(destination.index), isDescending: false, nullsFirst: true)]
            (all.limit, all.offset) = (nil, 0)
            let found = try objects(all).sorted { places[$0.key] ?? .max < places[$1.key] ?? .max }
            return plan.window(of: found)
        }
        let wanted = keys.dropFirst(max(0, plan.offset)).prefix(plan.limit.map { max(0, $0) } ?? .max)
        let missing = wanted.filter {
            graph.identities.object($0, rootIndex: destination.rootIndex)?.isFault ?? true
        }
        let group = RowGroup(
            missing.isEmpty
                ? .empty(graph.model) : try graph.parent.rows(missing, entityIndex: destination.index))
        let fetched = graph.objects(group)
        return withExtendedLifetime(fetched) {
            wanted.compactMap { graph.identities.object($0, rootIndex: destination.rootIndex) }
        }
    }

    /// Returns the members' keys in order: the stored order with pending changes.
    private func keysInOrder() throws -> [Int64] {
        let plan = RelatedPlan(
            entityIndex: owner.entity.index, slot: slot, owners: [owner.key], includesRows: false)
        let stored = try graph.parent.related(plan).links.map(\.target)
        let present = Set(stored)
        let coming = (state?.list ?? []).filter {
            !(state?.added.contains($0) == true && present.contains($0.key)) && $0.isLive
        }
        let gone = graph.changes.objects.filter { !$0.isLive && $0.entity.isKind(of: destination) }
        let moved = Set((coming + gone + (state?.removed ?? [])).map(\.key))
        return stored.filter { !moved.contains($0) } + coming.map(\.key)
    }
}
