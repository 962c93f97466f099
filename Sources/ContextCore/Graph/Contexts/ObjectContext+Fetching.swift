extension ObjectContext {
    /// Fetches the objects that a request asks for, in its order.
    ///
    /// What the context has changed and not saved counts, unless the request says otherwise. The fetch and everything that it
    /// prefetches see one moment of the store in a read or write block.
    ///
    /// - Throws: ``StoreError`` with the code ``StoreError/Code/unsupportedRequest`` or ``StoreError/Code/unknownProperty`` before
    ///   the store is asked, or what the store says.
    public func fetch<Object: ManagedObject>(
        _ request: FetchRequest<Object>, fileID: StaticString = #fileID, line: UInt = #line
    ) throws -> [Object] {
        try graph.begin()
        let (entity, plan) = try self.plan(request)
        let site = CallSite(fileID: fileID, line: line)
        if request.includesPendingChanges, graph.changes.hasChanges {
            var pending = PendingFetch(graph: graph)
            pending.site = site
            // Changed objects are left out of what is fetched next, so they are refreshed before.
            if request.refreshesObjects {
                try Refreshing(graph: graph).refresh(from: RowGroup(try graph.parent.fetch(plan)))
            }
            let objects = try pending.objects(plan, prefetching: request.prefetching)
            return objects.map { graph.typed($0, as: Object.self) }
        }
        let group = RowGroup(try graph.parent.fetch(plan), site: site)
        if request.refreshesObjects { try Refreshing(graph: graph).refresh(from: group) }
        try Prefetching(graph: graph).prefetch(request.prefetching, from: group, entity: entity)
        graph.identities.reserve(group.batch.count, rootIndex: entity.rootIndex)
        var objects: [Object] = []
        objects.reserveCapacity(group.batch.count)
        for row in 0..<Int32(group.batch.count) {
            objects.append(graph.typed(graph.object(group, row), as: Object.self))
        }
        return objects
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
    /// The pages have the request's batch size, or 100 objects.
    public func fetchPages<Object: ManagedObject>(_ request: FetchRequest<Object>) throws -> BatchedResults<
        Object
    > {
        let keys = try keys(request)
        return BatchedResults(keys, graph: graph, batchSize: request.batchSize ?? 100)
    }

    /// Fetches the identifiers of the objects that a request asks for, in its order, and no values.
    public func fetchIDs<Object: ManagedObject>(_ request: FetchRequest<Object>) throws -> [ObjectID] {
        let keys = try keys(request)
        return (0..<keys.count).map { row in
            graph.parent.identifiers.id(of: keys.key(at: row), in: model.layouts[keys.entityIndex(at: row)])
        }
    }

    /// Counts the objects that a request asks for, within its limit and offset.
    public func count<Object: ManagedObject>(_ request: FetchRequest<Object>) throws -> Int {
        try graph.begin()
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
        return (entity, plan)
    }

    /// The identifiers of a request's objects, as rows without values.
    private func keys<Object: ManagedObject>(_ request: FetchRequest<Object>) throws -> RowBatch {
        try graph.begin()
        var (_, plan) = try self.plan(request)
        plan.columns = []
        if request.includesPendingChanges, graph.changes.hasChanges {
            var builder = RowBatchBuilder(model: model, loadedColumns: [])
            for object in try PendingFetch(graph: graph).objects(plan) {
                builder.beginRow(
                    key: object.key, version: graph.version(of: object), entityIndex: object.entity.index)
            }
            return try builder.finish()
        }
        return try graph.parent.fetch(plan)
    }
}
