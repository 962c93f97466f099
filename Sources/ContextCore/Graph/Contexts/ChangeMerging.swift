extension ObjectContext {
    /// Lets the registered objects follow what was saved elsewhere; what is pending here stays pending.
    ///
    /// Pending changes lie over what the store says now: an object follows in all that was not changed in it here, and a relationship
    /// that was changed here has both its ends changed over what others have made of it. Where a property was changed here and there,
    /// to different values, the next save of the object is a conflict.
    ///
    /// Objects that were deleted there are lost to this context, unless they have pending changes: then they stay, with what they
    /// refer to as far as that is there, and their next save is a conflict.
    public func merge(_ change: StoreChange) throws {
        try graph.throwDeferredError()
        let merging = ChangeMerging(graph: graph)
        try merging.catchUp()
        try merging.merge(change)
        graph.tellFollowers()
    }

    /// Whether the context follows what others save to the store by itself: on in ``Store/viewContext``, off in others unless it is set.
    ///
    /// It does so by pulling: when a block of `perform` begins, and when something is fetched or counted, what was committed since is
    /// merged as ``merge(_:)`` would, in the order of the commits and all at once. Objects that the program doesn't hold cost
    /// nothing. Between two fetches no object changes.
    ///
    /// Switched on late, it also merges what was saved before: the next time that the context pulls, registered objects become faults and
    /// results controllers run their requests again.
    ///
    /// It is for contexts that live long, those of ``Store/makeContext(name:lane:isReadOnly:)`` and ``Store/viewContext``. Others see one
    /// moment of the store, or what is pending in their parent, and setting it does nothing.
    public var automaticallyMergesChanges: Bool {
        get { graph.inbox != nil }
        set {
            guard newValue != automaticallyMergesChanges, let store = graph.longLivedParent
            else {
                return
            }
            graph.inbox = newValue ? store.listen() : nil
            if newValue { graph.catchUpWithStore() }
            graph.listenForFollowers()
            if !newValue { store.stopListening() }
        }
    }

    /// Merges what others have committed since the context last looked, if it merges changes automatically.
    public func mergeStoreChanges() throws {
        try graph.begin()
        graph.tellFollowers()
    }
}

/// Brings what others saved into a graph.
struct ChangeMerging {
    let graph: ObjectGraph
    /// Whether the parent is asked nothing: what has changed is fetched when it is touched.
    private let isLazy: Bool

    init(graph: ObjectGraph, isLazy: Bool = false) {
        self.graph = graph
        self.isLazy = isLazy
    }

    /// Merges all that waits, or what was told up to a moment, as one.
    func pull(through moment: StoreToken? = nil) throws {
        guard let inbox = graph.inbox else { return try catchUp() }
        let moment = moment ?? graph.longLivedParent?.heldMoment
        if moment == nil { try catchUp() }
        // What came in after the moment that the context sees waits until it moves on.
        let changes = inbox.takeAll(through: moment)
        guard let first = changes.first else { return }
        let change = changes.dropFirst().reduce(first) { $0.followed(by: $1) }
        do {
            try merge(change)
        } catch {
            // What could be merged only in part is merged again when the store can be read.
            inbox.putBack(change)
            throw error
        }
    }

    func merge(_ change: StoreChange) throws {
        if change.isComplete {
            return try merge(inserted: change.inserted, updated: change.updated, deleted: change.deleted)
        }
        graph.beginEpochs()
        Refreshing(graph: graph).refreshUnchanged()
        graph.unmerged.formUnion(graph.changes.objects.filter { $0.hasChanges && !$0.isInserted })
        graph.noteEverything()
        if !isLazy { try catchUp() }
        graph.pruneChanges()
    }

    func merge(inserted: [ObjectID], updated: [ObjectID], deleted: [ObjectID]) throws {
        for rootIndex in Set(
            try [inserted, updated, deleted].joined().map { try graph.rootIndex(of: $0) })
        {
            graph.beginEpoch(rootIndex: rootIndex)
        }
        var staying: Set<ManagedObject> = []
        for object in try registered(deleted) {
            if object.state == .unchanged { graph.lose(object) } else { staying.insert(object) }
        }
        // One that is new may have been fetched already, and have been changed since.
        let objects = try registered(inserted + updated)
        if isLazy {
            graph.unmerged.formUnion(staying)
            try forget(objects, of: inserted + updated)
        } else {
            // Faults fetch their rows when they are touched.
            let faults = objects.filter(\.isFault)
            leaveLists(faults)
            for fault in faults { Refreshing(graph: graph).unload(fault) }
            let unseen = try updated.filter(isUnseen)
            // Others may have inserted one again since, with the links that it has now.
            let returned = try staying.filter(hasRow)
            let loaded = objects.filter { !$0.isFault } + returned.subtracting(objects)
            try follow(loaded, staying: staying.subtracting(returned))
            try enter(inserted + unseen)
        }
        graph.pruneChanges()
        // Last, so that nobody takes what could not be read for what is there now.
        try graph.note(merged: inserted, .insert)
        try graph.note(merged: updated, .update)
        try graph.note(merged: deleted, .delete)
    }

    private func registered(_ ids: [ObjectID]) throws -> [ManagedObject] {
        try ids.compactMap { graph.identities.object($0.key, rootIndex: try graph.rootIndex(of: $0)) }
    }

    /// Whether nothing is known here of a changed object, which may lead to somebody whose members are known.
    private func isUnseen(_ id: ObjectID) throws -> Bool {
        let entity = try graph.layout(of: id)
        guard entity.leadsToLists || entity.hasSubentities else { return false }
        return graph.identities.object(id.key, rootIndex: entity.rootIndex)?.isFault ?? true
    }

    /// Takes faults out of the loaded relationships that they are in: their rows, which are fetched next, say where they belong.
    private func leaveLists(_ faults: [ManagedObject]) {
        let moved = Set(faults.filter { $0.entity.leadsToLists })
        if moved.isEmpty { return }
        for owner in graph.identities.all {
            guard let overlay = owner.overlay else { continue }
            var isLeft = false
            for property in owner.entity.properties where property.relationship?.inverseIsToMany == false {
                guard case .collection(let state) = overlay.slots[property.slot], state.isLoaded else {
                    continue
                }
                for member in state.members.intersection(moved) {
                    state.settleOut(member)
                    isLeft = true
                }
            }
            if isLeft { graph.didChangeAll(owner) }
        }
    }

    /// Lets loaded relationships hold objects that are new to them and lead to their owners.
    private func enter(_ ids: [ObjectID]) throws {
        for (rootIndex, ids) in Dictionary(grouping: ids, by: { try? graph.rootIndex(of: $0) }) {
            guard let rootIndex, isAwaited(rootIndex) else { continue }
            let group = RowGroup(try graph.parent.rows(ids.map(\.key), entityIndex: rootIndex))
            for row in 0..<group.batch.count { enter(group, row) }
        }
    }

    /// Whether a relationship is loaded that new objects of an inheritance tree may belong to.
    private func isAwaited(_ rootIndex: Int) -> Bool {
        let owners = graph.model.layouts[rootIndex].familyIndices.flatMap { index in
            graph.model.layouts[index].properties.compactMap { property -> (rootIndex: Int, slot: Int)? in
                guard let relationship = property.relationship, relationship.inverseIsToMany,
                    !relationship.description.isToMany, let inverse = relationship.inverseSlot
                else { return nil }
                return (graph.model.layouts[relationship.destinationIndex].rootIndex, inverse)
            }
        }
        return owners.contains { owner in
            graph.identities.contains(rootIndex: owner.rootIndex) { object in
                guard let overlay = object.overlay, owner.slot < overlay.slots.count,
                    case .collection(let state) = overlay.slots[owner.slot]
                else { return false }
                return state.isLoaded
            }
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

extension EntityLayout {
    /// Whether the entity has a to-one relationship whose inverse is to-many.
    fileprivate var leadsToLists: Bool {
        properties.contains { property in
            guard let relationship = property.relationship else { return false }
            return !relationship.description.isToMany && relationship.inverseIsToMany
        }
    }
}
