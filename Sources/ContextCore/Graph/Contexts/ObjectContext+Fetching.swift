extension ObjectContext {
    /// Fetches the objects that match a request, in the order of the request.
    ///
    /// The result takes pending changes of the context into account, unless the request excludes them. The fetch and its prefetches see
    /// the same snapshot of the store.
    ///
    /// With a ``FetchRequest/lock``, no other transaction can change the objects until the write ends. Save pending changes of such
    /// objects first: the lock applies to stored rows.
    ///
    /// - Throws: ``StoreError`` with the code ``StoreError/Code/unsupportedRequest`` or ``StoreError/Code/unknownProperty`` before
    ///   anything is read; ``StoreError/Code/busy`` if another transaction holds a lock on an object for too long; or another error of the
    ///   store.
    public func fetch<Object: ManagedObject>(
        _ request: FetchRequest<Object>, fileID: StaticString = #fileID, line: UInt = #line
    ) throws -> [Object] {
        try graph.prepareToRead()
        let (entity, plan) = try self.plan(request)
        let site = CallSite(fileID: fileID, line: line)
        // `plan(_:)` has checked that pending changes can't affect a request with a lock.
        if request.includesPendingChanges, plan.lock == nil, graph.changes.hasChanges {
            let objects = try withSnapshot(request) { try pendingObjects(request, plan, site) }
            return graph.typed(objects, of: entity, as: Object.self)
        }
        let group = try withSnapshot(request) {
            let group = RowGroup(try graph.parent.fetch(plan), site: site)
            try Prefetching(graph: graph).prefetch(
                request.prefetching, from: group, includesAllRows: plan.includesAllRows, entity: entity)
            return group
        }
        if request.refreshesObjects || plan.lock != nil { try Refreshing(graph: graph).refresh(from: group) }
        graph.identities.reserve(group.batch.count, rootIndex: entity.rootIndex)
        return graph.typed(graph.objects(group), of: entity, as: Object.self)
    }

    /// Fetches objects with pending changes taken into account.
    private func pendingObjects<Object: ManagedObject>(
        _ request: FetchRequest<Object>, _ plan: FetchPlan, _ site: CallSite
    ) throws -> [ManagedObject] {
        // The following fetch excludes changed objects, so they are refreshed first.
        if request.refreshesObjects {
            try Refreshing(graph: graph).refresh(from: RowGroup(try graph.parent.fetch(plan)))
        }
        var pending = PendingFetch(graph: graph)
        pending.site = site
        return try pending.objects(plan, prefetching: request.prefetching)
    }

    /// Runs a closure in one snapshot of the store if it reads more than once.
    private func withSnapshot<Object: ManagedObject, Value>(
        _ request: FetchRequest<Object>, _ body: () throws -> Value
    ) throws -> Value {
        request.prefetching.isEmpty && !request.refreshesObjects
            ? try body() : try graph.parent.withSnapshot(body)
    }

    /// Fetches the first object that matches a request; nil if there is none.
    public func first<Object: ManagedObject>(
        _ request: FetchRequest<Object>, fileID: StaticString = #fileID, line: UInt = #line
    ) throws -> Object? {
        var request = request
        request.limit = 1
        return try fetch(request, fileID: fileID, line: line).first
    }

    /// Fetches the identifiers of the objects that match a request, and returns a collection that fetches the objects page by page.
    ///
    /// A page has the request's batch size, or 100 objects. Prefetches and refreshes of the request are done for each page when it is
    /// fetched.
    public func fetchPages<Object: ManagedObject>(
        _ request: FetchRequest<Object>, fileID: StaticString = #fileID, line: UInt = #line
    ) throws -> BatchedResults<Object> {
        try checkHasNoLock(request, of: "fetched page by page")
        let (keys, entity) = try keys(request)
        let site = CallSite(fileID: fileID, line: line)
        return BatchedResults(keys, request, of: entity, graph: graph, site: site)
    }

    /// Fetches only the identifiers of the objects that match a request, in the order of the request.
    public func fetchIDs<Object: ManagedObject>(_ request: FetchRequest<Object>) throws -> [ObjectID] {
        let (keys, _) = try keys(request)
        return (0..<keys.count).map { row in
            graph.parent.identifiers.id(of: keys.key(at: row), in: model.layouts[keys.entityIndex(at: row)])
        }
    }

    /// Counts the objects that match a request, within its limit and offset.
    public func count<Object: ManagedObject>(_ request: FetchRequest<Object>) throws -> Int {
        try graph.prepareToRead()
        try checkHasNoLock(request, of: "counted")
        let (_, plan) = try self.plan(request)
        if request.includesPendingChanges, graph.changes.hasChanges {
            return try PendingFetch(graph: graph).count(plan)
        }
        return try graph.parent.count(plan)
    }

    // MARK: Plans

    /// Checks a request and translates it to a fetch plan.
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

    private func checkHasNoLock<Object: ManagedObject>(
        _ request: FetchRequest<Object>, of what: String
    ) throws(StoreError) {
        if request.lock == nil { return }
        throw StoreError(
            .unsupportedRequest, "A request with a lock can't be \(what).",
            remedy: "Call fetch(_:) or fetchIDs(_:) with the lock, or set the request's lock to nil.")
    }

    /// Fetches the keys of a request's objects, as rows without values.
    private func keys<Object: ManagedObject>(_ request: FetchRequest<Object>) throws -> (
        RowBatch, EntityLayout
    ) {
        try graph.prepareToRead()
        var (entity, plan) = try self.plan(request)
        if plan.lock != nil {
            // Registered objects of locked rows must have the locked version.
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
