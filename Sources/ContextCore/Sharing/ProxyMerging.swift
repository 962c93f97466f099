/// Merges the rows of a proxy's request into the proxy's object graph, so that all fetched objects have the values of
/// one snapshot.
///
/// It makes no requests itself. Objects that changed before the response and aren't in it become faults; later changes stay in the
/// inbox.
struct ProxyMerging {
    let graph: ObjectGraph

    /// Merges the response to a fetch request, and returns its row group.
    func adopt(_ response: FetchResponse, _ paths: [PropertyPath], entity: EntityLayout) throws -> RowGroup {
        try ChangeMerging(graph: graph, isLazy: true).mergeInbox(through: response.publishedToken)
        let group = RowGroup(response.rows)
        let along = try Prefetching(graph: graph, source: RecordedSource(response.prefetched))
            .prefetch(paths, from: group, entity: entity)
        var seen: Set<ManagedObject> = []
        // The first group that contains an object also has its prefetched relationships.
        for group in [group] + along where group.batch.loadedColumns == nil {
            for row in 0..<Int32(group.batch.count) {
                if let object = registered(group, row), seen.insert(object).inserted {
                    try applyRow(group, row, in: object)
                }
            }
        }
        graph.pruneChanges()
        return group
    }

    /// Merges the rows of objects that changed up to a token, and returns the objects.
    ///
    /// Objects with pending changes keep their values.
    func adopt(_ rows: [RowBatch], through token: StoreToken) throws -> [ManagedObject] {
        try ChangeMerging(graph: graph, isLazy: true).mergeInbox(through: token)
        var objects: [ManagedObject] = []
        for group in rows.map({ RowGroup($0) }) {
            for row in 0..<Int32(group.batch.count) {
                if let object = registered(group, row), !object.hasChanges {
                    try applyRow(group, row, in: object)
                }
                objects.append(graph.object(group, row))
            }
        }
        graph.pruneChanges()
        return objects
    }

    private func registered(_ group: RowGroup, _ row: Int32) -> ManagedObject? {
        let entity = graph.model.layouts[group.batch.entityIndex(at: Int(row))]
        let object = graph.identities.object(group.batch.key(at: Int(row)), rootIndex: entity.rootIndex)
        return object?.state == .inserted || object?.state == .detached ? nil : object
    }

    /// Sets the values of an object from a row, and notifies observers only if the values differ.
    private func applyRow(_ group: RowGroup, _ row: Int32, in object: ManagedObject) throws {
        let isSame = hasSameValues(group.batch, Int(row), object)
        if isSame && !group.hasFetchedRelationships { return }
        Refreshing(graph: graph).unload(object)
        if isSame {
            object.group = group
            object.row = row
        } else if object.isFault {
            graph.fill(object, group, row)
        } else {
            try Rebasing.rebase(object, group, row, in: graph)
        }
    }

    private func hasSameValues(_ rows: RowBatch, _ row: Int, _ object: ManagedObject) -> Bool {
        guard let known = object.group?.batch, object.row >= 0 else { return false }
        let old = Int(object.row)
        if known.version(at: old) != rows.version(at: row) { return false }
        return object.entity.properties.allSatisfy { property in
            property.columns.isEmpty
                || known.hasSameValue(property, at: old, as: rows, at: row, areStored: false)
        }
    }
}

extension ObjectContext {
    /// Merges the response to a fetch request, and returns its objects.
    func adopt<Object: ManagedObject>(_ response: FetchResponse, _ request: FetchRequest<Object>) throws
        -> [Object]
    {
        try graph.throwDeferredError()
        let (entity, _) = try plan(request)
        let group = try ProxyMerging(graph: graph).adopt(response, request.prefetching, entity: entity)
        return graph.typed(graph.objects(group), of: entity, as: Object.self).filter(\.isLive)
    }
}
