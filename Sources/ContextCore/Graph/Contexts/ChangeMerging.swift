extension ObjectContext {
    /// Lets the registered objects follow what was saved elsewhere; what is pending here stays pending.
    ///
    /// Objects that were deleted there are lost to this context, unless they have pending changes: then the next save is a
    /// conflict. Objects that nobody holds cost nothing.
    public func merge(_ change: StoreChange) throws {
        try graph.throwDeferredError()
        try ChangeMerging(graph: graph).merge(change)
    }
}

/// Brings what others saved into a graph.
struct ChangeMerging {
    let graph: ObjectGraph

    func merge(_ change: StoreChange) throws {
        if !change.isComplete { return try Refreshing(graph: graph).refreshAll(mergeChanges: true) }
        for id in change.inserted + change.updated + change.deleted {
            graph.beginEpoch(rootIndex: try graph.layout(of: id).rootIndex)
        }
        for object in try registered(change.deleted) where object.state == .unchanged { graph.lose(object) }
        try refresh(registered(change.updated))
        try enter(change.inserted)
        graph.changes.prune()
    }

    private func registered(_ ids: [ObjectID]) throws -> [ManagedObject] {
        try ids.compactMap { graph.identities.object($0.key, rootIndex: try graph.layout(of: $0).rootIndex) }
    }

    private func refresh(_ objects: [ManagedObject]) throws {
        let refreshing = Refreshing(graph: graph)
        var loaded: [Int: [ManagedObject]] = [:]
        for object in objects where object.state != .inserted && object.state != .detached {
            refreshing.unload(object)
            if object.row >= 0 { loaded[object.entity.rootIndex, default: []].append(object) }
        }
        for (rootIndex, objects) in loaded.sorted(by: { $0.key < $1.key }) {
            try refreshing.fetchAnew(objects, rootIndex: rootIndex)
        }
    }

    /// Lets loaded relationships hold new objects that lead to their owners.
    private func enter(_ ids: [ObjectID]) throws {
        for (rootIndex, ids) in Dictionary(grouping: ids, by: { try? graph.layout(of: $0).rootIndex }) {
            guard let rootIndex else { continue }
            let group = RowGroup(try graph.parent.rows(ids.map(\.key), entityIndex: rootIndex))
            for row in 0..<group.batch.count { enter(group, row) }
        }
    }

    private func enter(_ group: RowGroup, _ row: Int) {
        let entity = graph.model.layouts[group.batch.entityIndex(at: row)]
        for property in entity.properties {
            guard let relationship = property.relationship, !relationship.description.isToMany,
                relationship.inverseIsToMany, let inverse = relationship.inverseSlot,
                let key = group.batch.reference(entity.places[property.slot], at: row),
                let owner = graph.identities.object(
                    key, rootIndex: graph.model.layouts[relationship.destinationIndex].rootIndex),
                case .collection(let state)? = owner.overlay?.slots[inverse], state.isLoaded
            else { continue }
            if state.isDirty {
                state.settleIn(graph.object(group, Int32(row)))
            } else {
                owner.overlay?.slots[inverse] = .unchanged
            }
            graph.didChangeAll(owner)
        }
    }
}
