extension ObjectContext {
    /// Fetches the objects that a request asks for, in its order.
    ///
    /// What the context has changed and not saved counts, unless the request says otherwise. The fetch and everything that it
    /// prefetches see one moment of the store.
    ///
    /// With a ``FetchRequest/lock``, nobody else can change the objects until the write has ended. What the context has changed of
    /// such objects has to be saved before: a lock is on what the store has.
    ///
    /// - Throws: ``StoreError`` with the code ``StoreError/Code/unsupportedRequest`` or ``StoreError/Code/unknownProperty`` before
    ///   the store is asked, or what the store says: ``StoreError/Code/busy`` where somebody else has locked an object for too long.
    public func fetch<Object: ManagedObject>(
        _ request: FetchRequest<Object>, fileID: StaticString = #fileID, line: UInt = #line
    ) throws -> [Object] {
        try graph.begin()
        let (entity, plan) = try self.plan(request)
        let site = CallSite(fileID: fileID, line: line)
        // What locks was found to be answered by the store alone.
        if request.includesPendingChanges, plan.lock == nil, graph.changes.hasChanges {
            let objects = try inOneMoment(request) { try pendingObjects(request, plan, site) }
            return graph.typed(objects, of: entity, as: Object.self)
        }
        let group = try inOneMoment(request) {
            let group = RowGroup(try graph.parent.fetch(plan), site: site)
            try Prefetching(graph: graph).prefetch(
                request.prefetching, from: group, isOfAll: plan.isOfAll, entity: entity)
            return group
        }
        if request.refreshesObjects || plan.lock != nil { try Refreshing(graph: graph).refresh(from: group) }
        graph.identities.reserve(group.batch.count, rootIndex: entity.rootIndex)
        return graph.typed(graph.objects(group), of: entity, as: Object.self)
    }

    /// Fetches with what is pending.
    private func pendingObjects<Object: ManagedObject>(
        _ request: FetchRequest<Object>, _ plan: FetchPlan, _ site: CallSite
    ) throws -> [ManagedObject] {
        // Changed objects are left out of what is fetched next, so they are refreshed before.
        if request.refreshesObjects {
            try Refreshing(graph: graph).refresh(from: RowGroup(try graph.parent.fetch(plan)))
        }
        var pending = PendingFetch(graph: graph)
        pending.site = site
        return try pending.objects(plan, prefetching: request.prefetching)
    }

    /// Asks the store in one moment, where there is more than one question.
    private func inOneMoment<Object: ManagedObject, Value>(
        _ request: FetchRequest<Object>, _ body: () throws -> Value
    ) throws -> Value {
        request.prefetching.isEmpty && !request.refreshesObjects
            ? try body() : try graph.parent.inOneMoment(body)
    }

    /// Fetches the first object that a request asks for; nil when there is none.
    public func first<Object: ManagedObject>(
        _ request: FetchRequest<Object>, fileID: StaticString = #fileID, line: UInt = #line
    ) throws -> Object? {
        var request = request
        request.limit = 1
        return try fetch(request, fileID: fileID, line: line).first
    }

    /// Fetches the objects that a request asks for page by page, as they are asked for.
    ///
    /// The pages have the request's batch size, or 100 objects. What the request prefetches or refreshes is done for each page, when it
    /// is fetched.
    public func fetchPages<Object: ManagedObject>(
        _ request: FetchRequest<Object>, fileID: StaticString = #fileID, line: UInt = #line
    ) throws -> BatchedResults<Object> {
        try refuseLock(request, of: "fetched page by page")
        let (keys, entity) = try keys(request)
        let site = CallSite(fileID: fileID, line: line)
        return BatchedResults(keys, request, of: entity, graph: graph, site: site)
    }

    /// Fetches the identifiers of the objects that a request asks for, in its order, and no values.
    public func fetchIDs<Object: ManagedObject>(_ request: FetchRequest<Object>) throws -> [ObjectID] {
        let (keys, _) = try keys(request)
        return (0..<keys.count).map { row in
            graph.parent.identifiers.id(of: keys.key(at: row), in: model.layouts[keys.entityIndex(at: row)])
        }
    }

    /// Counts the objects that a request asks for, within its limit and offset.
    public func count<Object: ManagedObject>(_ request: FetchRequest<Object>) throws -> Int {
        try graph.begin()
        try refuseLock(request, of: "counted")
        let (_, plan) = try self.plan(request)
        if request.includesPendingChanges, graph.changes.hasChanges {
            return try PendingFetch(graph: graph).count(plan)
        }
        return try graph.parent.count(plan)
    }

    // MARK: Plans

    /// A request in the store's terms.
    func plan<Object: ManagedObject>(_ request: FetchRequest<Object>) throws -> (
        entity: EntityLayout, plan: FetchPlan
    ) {
        let entity = try request.entityName.map(graph.layout(named:)) ?? graph.layout(of: Object.self)
        var plan = FetchPlan(entityIndex: entity.index, includesSubentities: request.includesSubentities)
        let checker = graph.checker(of: entity)
        plan.predicate = try request.predicate.map(checker.predicate)
        plan.order = try request.order.map(checker.sortKey)
        plan.limit = request.limit
        plan.offset = request.offset
        try Prefetching(graph: graph).check(request.prefetching, from: entity)
        if let lock = request.lock {
            (plan.lock, plan.lockWait) = (lock, request.lockWait)
            try LockChecking(graph: graph).check(plan)
        }
        return (entity, plan)
    }

    private func refuseLock<Object: ManagedObject>(
        _ request: FetchRequest<Object>, of what: String
    ) throws(StoreError) {
        if request.lock == nil { return }
        throw StoreError(
            .unsupportedRequest, "Objects that are only \(what) can't be locked.",
            remedy: "Fetch them, or their identifiers, with the lock.")
    }

    /// The identifiers of a request's objects, as rows without values.
    private func keys<Object: ManagedObject>(_ request: FetchRequest<Object>) throws -> (
        RowBatch, EntityLayout
    ) {
        try graph.begin()
        var (entity, plan) = try self.plan(request)
        if plan.lock != nil {
            // The context may have objects of these rows, which are to be as the rows are now.
            let group = RowGroup(try graph.parent.fetch(plan))
            try Refreshing(graph: graph).refresh(from: group)
            return (group.batch, entity)
        }
        plan.columns = []
        if request.includesPendingChanges, graph.changes.hasChanges {
            var builder = RowBatchBuilder(model: model, loadedColumns: [])
            for object in try PendingFetch(graph: graph).objects(plan) {
                builder.beginRow(
                    key: object.key, version: graph.version(of: object), entityIndex: object.entity.index)
            }
            return (try builder.finish(), entity)
        }
        return (try graph.parent.fetch(plan), entity)
    }
}
