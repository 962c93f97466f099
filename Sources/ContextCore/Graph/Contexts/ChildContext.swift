extension ObjectContext {
    /// Creates a child context in the same isolation, for edits that can be discarded as a whole.
    ///
    /// The child fetches from this context, including pending changes, and its `save()` makes its changes pending in
    /// this context. It inherits the author and the faulting settings; its merge policy is initially
    /// ``MergePolicy/error``. To create a child in another isolation, use ``ContextActor/makeChild(name:isReadOnly:)``
    /// or ``ContextActor/makeViewChild(name:isReadOnly:)``.
    ///
    /// - Parameters:
    ///   - name: The name of the child in the history and in errors.
    ///   - isReadOnly: Whether the child refuses to save. A child of a read-only context is always read-only.
    public func makeChild(name: String? = nil, isReadOnly: Bool = false) -> ObjectContext {
        let child = ObjectContext(
            model: model, parent: ParentContextAdapter(self), isReadOnly: isReadOnly || self.isReadOnly)
        child.name = name
        child.author = author
        child.graph.faulting = graph.faulting
        graph.addChild(child.graph)
        return child
    }

    /// The parent context in the same isolation; nil if the parent is the store or a context of another isolation.
    public var parent: ObjectContext? { (graph.parent as? ParentContextAdapter)?.context }

    /// Saves this context, its parent, and so on up to the store.
    ///
    /// The save is atomic: if it throws, all changes stay pending in the contexts in which they were made.
    public func saveToStore() throws {
        if let above = graph.parent as? any IsolatedParent {
            return try above.withExclusiveAccess { try saveToStore(through: $0) }
        }
        guard let parent else { return try save() }
        try saveToStore(through: parent)
    }

    private func saveToStore(through parent: ObjectContext) throws {
        defer {
            parent.graph.notifyFollowers()
            graph.notifyFollowers()
        }
        // A memento can't restore the parent if the child's save loads its dependents, so they are loaded before.
        parent.graph.loadDependents()
        let (mine, above) = (GraphMemento(graph), GraphMemento(parent.graph))
        var areFinal = false
        graph.messenger?.withholdSaves()
        defer { graph.messenger?.releaseSaves(areFinal: areFinal) }
        try save()
        do {
            try parent.saveToStore()
            areFinal = true
        } catch {
            above.restore()
            mine.restore()
            throw error
        }
    }
}

/// Adapts a context to the protocol of a child context's parent.
final class ParentContextAdapter: ContextParent {
    let context: ObjectContext
    private var graph: ObjectGraph { context.graph }

    init(_ context: ObjectContext) { self.context = context }

    var identifiers: IdentifierSpaces { graph.parent.identifiers }
    var needsBaseRows: Bool { true }

    func fetch(_ plan: FetchPlan) throws -> RowBatch { try fetch(plan, includesPendingChanges: true) }

    func fetch(_ plan: FetchPlan, includesPendingChanges: Bool) throws -> RowBatch {
        try prepare()
        if !includesPendingChanges || !graph.changes.hasChanges { return try graph.parent.fetch(plan) }
        return try makeRows(try PendingFetch(graph: graph).objects(plan))
    }

    func rows(_ keys: [Int64], entityIndex: Int) throws -> RowBatch {
        try prepare()
        if !graph.changes.hasChanges { return try graph.parent.rows(keys, entityIndex: entityIndex) }
        let rootIndex = graph.model.layouts[entityIndex].rootIndex
        var changed: [ManagedObject] = []
        var unchanged: [Int64] = []
        for key in keys {
            if let object = graph.identities.object(key, rootIndex: rootIndex), object.hasChanges {
                if object.isLive { changed.append(object) }
            } else {
                unchanged.append(key)
            }
        }
        var builder = RowBatchBuilder(model: graph.model)
        if !unchanged.isEmpty {
            let stored = try graph.parent.rows(unchanged, entityIndex: entityIndex)
            for row in 0..<stored.count { builder.append(row, of: stored) }
        }
        for object in changed where try exists(object) { try append(object, to: &builder) }
        return try builder.finish()
    }

    /// Whether an object is new or has a row; this context may have changed the links of an object that another one has deleted.
    private func exists(_ object: ManagedObject) throws -> Bool {
        try graph.withoutFaultingPolicy { try FaultLoader(graph: graph).exists(object) }
    }

    func pinnedSnapshotToken() throws -> StoreToken? { try graph.parent.pinnedSnapshotToken() }

    func externalValues(_ wanted: DeferredValues) throws -> [Int64: StoredValue] {
        // Pending values came with their rows.
        try graph.parent.externalValues(wanted)
    }

    func related(_ plan: RelatedPlan) throws -> RelatedRows {
        try prepare()
        if !graph.changes.hasChanges { return try graph.parent.related(plan) }
        let entity = graph.model.layouts[plan.entityIndex]
        let known = plan.owners.map { key -> ToManyState? in
            guard let owner = graph.identities.object(key, rootIndex: entity.rootIndex) else { return nil }
            if !owner.isLive { return graph.collection(of: owner, slot: plan.slot) }
            guard case .collection(let state)? = owner.overlay?.slots[plan.slot] else { return nil }
            return state
        }
        let stored = try stored(plan, known)
        var links: [RelatedRows.Link] = []
        for (key, state) in zip(plan.owners, known) {
            if let state {
                let owner = try graph.resolve(key, entity)
                links += try self.links(key, state, owner, plan)
            } else {
                links += stored[key] ?? []
            }
        }
        guard plan.includesRows else { return RelatedRows(links: links, rows: nil) }
        return RelatedRows(links: links, rows: try rows(links, plan))
    }

    /// Returns the stored links of the owners whose relationship this context has neither loaded nor changed.
    ///
    /// Links to objects that this context has deleted are omitted.
    private func stored(_ plan: RelatedPlan, _ known: [ToManyState?]) throws -> [Int64: [RelatedRows.Link]] {
        var wanted = plan
        wanted.owners = zip(plan.owners, known).filter { $0.1 == nil }.map(\.0)
        (wanted.includesRows, wanted.ownersAreAll) = (false, false)
        if wanted.owners.isEmpty { return [:] }
        let rootIndex = destination(of: plan).rootIndex
        let links = try graph.parent.related(wanted).links.filter {
            graph.identities.object($0.target, rootIndex: rootIndex)?.isLive ?? true
        }
        return Dictionary(grouping: links, by: \.owner)
    }

    /// Returns the links of a relationship that this context has loaded or changed.
    private func links(_ key: Int64, _ state: ToManyState, _ owner: ManagedObject?, _ plan: RelatedPlan)
        throws
        -> [RelatedRows.Link]
    {
        guard let owner else { return [] }
        if !state.isCurrent {
            try graph.withoutFaultingPolicy {
                try FaultLoader(graph: graph).load(state, of: owner, slot: plan.slot)
            }
        }
        let members = state.orderedMembers
        return members.enumerated().filter { refers($1, to: owner, plan) }.map { index, member in
            RelatedRows.Link(owner: key, target: member.key, position: position(member, index, state))
        }
    }

    /// Whether a member exists and, if this context has deleted its owner, the member's row still refers to the owner.
    private func refers(_ member: ManagedObject, to owner: ManagedObject, _ plan: RelatedPlan) -> Bool {
        if !member.isLive || owner.isLive { return member.isLive }
        guard let relationship = owner.entity.properties[plan.slot].relationship,
            let inverse = relationship.inverseSlot, !relationship.inverseIsToMany
        else { return false }
        // Only a saved reference to a deleted object is in the row; see ObjectGraph.appendRow.
        if let overlay = member.overlay, case .object = overlay.slots[inverse] { return false }
        return graph.rawTarget(of: member, slot: inverse) === owner
    }

    private func destination(of plan: RelatedPlan) -> EntityLayout {
        let owner = graph.model.layouts[plan.entityIndex]
        return owner.properties[plan.slot].relationship.map { graph.model.layouts[$0.destinationIndex] }
            ?? owner
    }

    private func rows(_ links: [RelatedRows.Link], _ plan: RelatedPlan) throws -> RowBatch {
        var seen: Set<Int64> = []
        return try rows(
            links.map(\.target).filter { seen.insert($0).inserted }, entityIndex: destination(of: plan).index)
    }

    private func position(_ member: ManagedObject, _ index: Int, _ state: ToManyState) -> Int64 {
        state.isOrdered ? Int64(index + 1) * ListPositions.gap : 0
    }

    func withSnapshot<Value>(_ body: () throws -> Value) throws -> Value {
        // Reserve keys first, because that is a write.
        try prepare()
        return try graph.parent.withSnapshot(body)
    }

    func aggregate(_ plan: AggregatePlan) throws -> [[StoredValue]] {
        try prepare()
        return try PendingFetch(graph: graph).aggregate(plan)
    }

    func reserveKeys(_ count: Int, rootIndex: Int) throws -> Range<Int64> {
        try graph.parent.reserveKeys(count, rootIndex: rootIndex)
    }

    func save(_ changes: ChangeSet) throws -> SaveReceipt {
        try prepare()
        let before = GraphMemento(graph)
        do {
            let receipt = try graph.withoutFaultingPolicy {
                try ChangeSetApplication(graph: graph).apply(changes)
            }
            try graph.throwDeferredError()
            graph.notifyFollowers()
            return receipt
        } catch {
            before.restore()
            throw error
        }
    }

    func perform(_ batch: BatchPlan) throws -> BatchReceipt {
        throw StoreError(
            .unsupportedRequest, "A batch runs in the store, so a child context can't perform it.",
            remedy: "Perform the batch in the topmost context or in a block of store.write.")
    }

    func isMarkedDeleted(_ key: Int64, rootIndex: Int) -> Bool {
        graph.loadDependents(rootIndex: rootIndex)
        if let object = graph.identities.object(key, rootIndex: rootIndex), object.hasChanges {
            return !object.isLive
        }
        return graph.parent.isMarkedDeleted(key, rootIndex: rootIndex)
    }

    /// Assigns permanent identifiers to new objects and loads unloaded dependents, so that a child can read the
    /// context.
    private func prepare() throws {
        graph.loadDependents()
        try graph.throwDeferredError()
        if !graph.hasTemporaryKeys { return }
        _ = try IdentityStage(graph: graph).assignKeys(SaveSelection(graph))
    }

    /// Returns this context's object with a key; nil if it doesn't exist.
    func object(_ key: Int64, _ entity: EntityLayout) throws -> ManagedObject? {
        try prepare()
        return try graph.resolve(key, entity)
    }

    /// Returns objects as rows.
    func makeRows(_ objects: [ManagedObject]) throws -> RowBatch {
        try prepare()
        var builder = RowBatchBuilder(model: graph.model, rowCapacity: objects.count * 64)
        for object in objects { try append(object, to: &builder) }
        return try builder.finish()
    }

    /// Appends an object's current values, and fetches the object first if it is a fault.
    private func append(_ object: ManagedObject, to builder: inout RowBatchBuilder) throws {
        try graph.withoutFaultingPolicy { try FaultLoader(graph: graph).fire(object) }
        graph.appendRow(of: object, version: graph.version(of: object), to: &builder)
    }
}
