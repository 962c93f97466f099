extension ObjectContext {
    /// Makes a context whose parent is this one, in the same isolation: for edits that may be thrown away as a whole.
    ///
    /// The child fetches what this context has, pending changes included, and its `save()` makes its changes pending here.
    public func makeChild(name: String? = nil) -> ObjectContext {
        let child = ObjectContext(model: model, parent: ContextAsParent(self))
        child.name = name
        child.author = author
        return child
    }

    /// The context that this one is a child of; nil when its parent is the store.
    public var parent: ObjectContext? { (graph.parent as? ContextAsParent)?.context }

    /// Saves to the parent, and lets the parent save to its own, up to the store.
    public func saveToStore() throws {
        try save()
        try parent?.saveToStore()
    }
}

/// A context as what its children fetch from and save to.
final class ContextAsParent: ContextParent {
    let context: ObjectContext
    private var graph: ObjectGraph { context.graph }

    init(_ context: ObjectContext) { self.context = context }

    var identifiers: IdentifierSpaces { graph.parent.identifiers }
    var wantsBaseRows: Bool { true }

    func fetch(_ plan: FetchPlan) throws -> RowBatch {
        try prepare()
        if !graph.changes.hasChanges { return try graph.parent.fetch(plan) }
        return packed(try PendingFetch(graph: graph).objects(plan))
    }

    func rows(_ keys: [Int64], entityIndex: Int) throws -> RowBatch {
        try prepare()
        if !graph.changes.hasChanges { return try graph.parent.rows(keys, entityIndex: entityIndex) }
        let rootIndex = graph.model.layouts[entityIndex].rootIndex
        var changed: [ManagedObject] = []
        var unchanged: [Int64] = []
        for key in keys {
            if let object = graph.identities.object(key, rootIndex: rootIndex), object.hasChanges {
                if object.isKept { changed.append(object) }
            } else {
                unchanged.append(key)
            }
        }
        var builder = RowBatchBuilder(model: graph.model)
        if !unchanged.isEmpty {
            let stored = try graph.parent.rows(unchanged, entityIndex: entityIndex)
            for row in 0..<stored.count { builder.append(row, of: stored) }
        }
        for object in changed { append(object, to: &builder) }
        return builder.finish()
    }

    func related(_ plan: RelatedPlan) throws -> RelatedRows {
        try prepare()
        if !graph.changes.hasChanges { return try graph.parent.related(plan) }
        let entity = graph.model.layouts[plan.entityIndex]
        var links: [RelatedRows.Link] = []
        var targets: [ManagedObject] = []
        var seen: Set<ManagedObject> = []
        for key in plan.owners {
            let owner = graph.fault(key, entity)
            let state = graph.loadedCollection(of: owner, slot: plan.slot)
            let members = state.isOrdered ? state.list : state.members.sorted { $0.key < $1.key }
            for (index, member) in members.enumerated() where member.isKept {
                links.append(
                    RelatedRows.Link(owner: key, target: member.key, position: position(member, index, state))
                )
                if seen.insert(member).inserted { targets.append(member) }
            }
        }
        try graph.throwDeferredError()
        return RelatedRows(links: links, rows: plan.includesRows ? packed(targets) : nil)
    }

    private func position(_ member: ManagedObject, _ index: Int, _ state: ToManyState) -> Int64 {
        state.isOrdered ? Int64(index + 1) * LinkEncoding.gap : 0
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
        return try ChangeSetApplication(graph: graph).apply(changes)
    }

    func perform(_ batch: BatchPlan) throws -> BatchReceipt {
        throw StoreError(
            .unsupportedRequest, "A batch works in the store, which a child context does not speak to.",
            remedy: "Perform it in the context above, or in store.write.")
    }

    /// Objects that are not saved yet get their permanent identifiers before another context sees them.
    private func prepare() throws {
        try graph.throwDeferredError()
        _ = try IdentityStage(graph: graph).assignKeys(SaveWork(graph))
    }

    private func packed(_ objects: [ManagedObject]) -> RowBatch {
        var builder = RowBatchBuilder(model: graph.model, rowCapacity: objects.count * 64)
        for object in objects { append(object, to: &builder) }
        return builder.finish()
    }

    private func append(_ object: ManagedObject, to builder: inout RowBatchBuilder) {
        graph.appendRow(of: object, version: graph.version(of: object), to: &builder)
    }
}
