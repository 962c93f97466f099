extension ObjectContext {
    /// Merges a change of the store into the registered objects and keeps pending changes.
    ///
    /// An object gets the stored values of all properties without a pending change. Pending changes of relationships
    /// are reapplied, including their inverses. If both the context and the store changed a property, to different
    /// values, the next save of the object conflicts.
    ///
    /// Objects that were deleted in the store are detached, unless they have pending changes. An object with pending
    /// changes stays in the context, keeps its references to objects that still exist, and conflicts in the next save.
    ///
    /// If the context is pinned, a change after its snapshot waits until the context gets a newer snapshot.
    ///
    /// - Throws: ``StoreError/Code/objectNotFound`` if the change belongs to another store.
    public func merge(_ change: StoreChange) throws {
        try graph.throwDeferredError()
        let merging = ChangeMerging(graph: graph)
        if try merging.postpone(change) {
            try merging.mergeInbox()
        } else {
            try merging.updateOutdatedObjects()
            try merging.merge(change)
        }
        graph.notifyFollowers()
    }

    /// Whether the context merges what other contexts and processes commit, without calls of ``merge(_:)``.
    ///
    /// True in ``Store/viewContext``; false in other contexts by default. The context merges when a block of `perform`
    /// begins and when it fetches or counts: all commits since the last merge, in commit order. Changes of objects that
    /// are not registered cost nothing. Objects don't change between two fetches.
    ///
    /// If this is set to true later, the context also picks up earlier commits: at its next fetch, or with its next snapshot if it is
    /// pinned, registered objects become faults and results controllers run their requests again.
    ///
    /// This is for long-lived contexts: those of ``Store/makeBackgroundContext(name:lane:isReadOnly:)`` and
    /// ``Store/viewContext``. Contexts of blocks read one snapshot, and child contexts read from their parent; for
    /// them, setting this has no effect.
    public var automaticallyMergesChanges: Bool {
        get { graph.inbox != nil }
        set {
            guard newValue != automaticallyMergesChanges, let store = graph.longLivedParent
            else {
                return
            }
            graph.inbox = newValue ? store.listen() : nil
            if newValue { graph.refreshAllOnNextMerge() }
            graph.updateWakeOnCommit()
            if !newValue { store.stopCollectingCommits() }
        }
    }

    /// Merges what other contexts and processes have committed since the last fetch, if the context merges changes automatically.
    public func mergeStoreChanges() throws {
        try graph.prepareToRead()
        graph.notifyFollowers()
    }
}

/// Merges saves of other contexts and processes into a graph.
struct ChangeMerging {
    let graph: ObjectGraph
    /// Whether to merge without reading from the parent: changed objects become faults.
    private let isLazy: Bool

    init(graph: ObjectGraph, isLazy: Bool = false) {
        self.graph = graph
        self.isLazy = isLazy
    }

    /// Postpones a change if the pinned snapshot lacks it, or if earlier changes wait, and returns whether it did.
    ///
    /// - Throws: ``StoreError/Code/objectNotFound`` if the change belongs to another store.
    func postpone(_ change: StoreChange) throws -> Bool {
        if change.token.storeID != graph.parent.identifiers.storeID {
            throw StoreError(
                .objectNotFound, "The change belongs to another store.",
                remedy: "Merge only changes of the store from which the context fetches.")
        }
        let isReadable = try graph.parent.pinnedSnapshotToken().map(change.isIncluded) ?? true
        if isReadable && graph.postponedChanges == nil { return false }
        let postponed = graph.postponedChanges ?? ChangeMailbox()
        postponed.post(change)
        graph.postponedChanges = postponed
        return true
    }

    /// Merges the waiting changes, or those up to a token, as one change.
    ///
    /// In a pinned context, changes after its snapshot wait until the context gets a newer snapshot.
    func mergeInbox(through limit: StoreToken? = nil) throws {
        if !mayHaveWaitingChanges { return try updateOutdatedObjects() }
        let token = try limit ?? graph.parent.pinnedSnapshotToken()
        // They are removed before anything is read: reading may open a snapshot, which lacks the changes that arrive later.
        let changes = removeWaitingChanges(through: token)
        do {
            if token == nil || graph.inbox == nil { try updateOutdatedObjects() }
            if let first = changes.first {
                try merge(changes.dropFirst().reduce(first) { $0.followed(by: $1) })
            }
        } catch {
            // The changes may have been merged in part; they are merged again when the store can be read.
            let mailbox = graph.inbox ?? graph.postponedChanges ?? ChangeMailbox()
            for change in changes.reversed() { mailbox.insertFirst(change) }
            if graph.inbox == nil { graph.postponedChanges = mailbox }
            throw error
        }
        if graph.postponedChanges?.waiting.isEmpty == true { graph.postponedChanges = nil }
    }

    /// Merges the waiting changes of the context and of its children in the same isolation.
    func mergeInboxWithChildren() throws {
        try graph.prepareToRead()
        for child in graph.followers.childGraphs { try ChangeMerging(graph: child).mergeInboxWithChildren() }
    }

    private var mayHaveWaitingChanges: Bool { graph.inbox != nil || graph.postponedChanges != nil }

    /// Removes and returns the waiting changes, or those up to a token, in the order of their commits.
    private func removeWaitingChanges(through token: StoreToken?) -> [StoreChange] {
        let received = graph.inbox?.removeAll(through: token) ?? []
        guard let postponed = graph.postponedChanges else { return received }
        return (postponed.removeAll(through: token) + received).sorted { $0.last < $1.last }
    }

    /// Merges the commits between the snapshots of a pinned context, which its save or batch has moved to a newer one.
    ///
    /// The save has succeeded, so if merging fails, the next fetch tries again.
    func mergeAfterWrite() {
        guard graph.longLivedParent?.isPinned == true else { return }
        if mayHaveWaitingChanges { try? mergeInbox() }
        for child in graph.followers.childGraphs { try? ChangeMerging(graph: child).mergeInboxWithChildren() }
    }

    func merge(_ change: StoreChange) throws {
        if change.isComplete {
            return try merge(inserted: change.inserted, updated: change.updated, deleted: change.deleted)
        }
        graph.beginEpochs()
        Refreshing(graph: graph).refreshUnchanged()
        graph.unmerged.formUnion(graph.changes.objects.filter { $0.hasChanges && !$0.isInserted })
        graph.recordUnknownChanges()
        if !isLazy { try updateOutdatedObjects() }
        graph.pruneChanges()
    }

    func merge(inserted: [ObjectID], updated: [ObjectID], deleted: [ObjectID]) throws {
        for rootIndex in Set(
            try [inserted, updated, deleted].joined().map { try graph.rootIndex(of: $0) })
        {
            graph.beginEpoch(rootIndex: rootIndex)
        }
        var deletedWithChanges: Set<ManagedObject> = []
        for object in try registeredObjects(deleted) {
            if object.state == .unchanged { graph.detach(object) } else { deletedWithChanges.insert(object) }
        }
        // An inserted object may already have been fetched, and changed since.
        let objects = try registeredObjects(inserted + updated)
        if isLazy {
            graph.unmerged.formUnion(deletedWithChanges)
            try forget(objects, of: inserted + updated)
        } else {
            // Faults fetch their rows on first access.
            let faults = objects.filter(\.isFault)
            // Fetching their rows adds them to the relationships of their current owners.
            removeFromLoadedOwners(faults) { _, _, _ in true }
            for fault in faults { Refreshing(graph: graph).unload(fault) }
            let unseen = try updated.filter(isUnloaded)
            // Another context may have inserted the object again since, with other links.
            let returned = try deletedWithChanges.filter(FaultLoader(graph: graph).hasRow)
            let loaded = objects.filter { !$0.isFault } + returned.subtracting(objects)
            try follow(loaded, deletedWithChanges: deletedWithChanges.subtracting(returned))
            try addToLoadedOwners(inserted + unseen)
        }
        graph.pruneChanges()
        // Last, so that followers are not notified if reading the values fails.
        try graph.recordForFollowers(merged: inserted, .insert)
        try graph.recordForFollowers(merged: updated, .update)
        try graph.recordForFollowers(merged: deleted, .delete)
    }

    private func registeredObjects(_ ids: [ObjectID]) throws -> [ManagedObject] {
        try ids.compactMap { graph.identities.object($0.key, rootIndex: try graph.rootIndex(of: $0)) }
    }

    /// Whether a changed object isn't loaded in this context but may belong to the loaded members of another object.
    private func isUnloaded(_ id: ObjectID) throws -> Bool {
        let entity = try graph.layout(of: id)
        guard entity.hasOwners || entity.hasSubentities else { return false }
        return graph.identities.object(id.key, rootIndex: entity.rootIndex)?.isFault ?? true
    }

    /// Removes objects from the loaded relationships that contain them.
    ///
    /// - Parameter isFormerOwner: Whether an object no longer belongs to an owner, given the slot of its reference to owners.
    func removeFromLoadedOwners(
        _ objects: [ManagedObject],
        where isFormerOwner: (_ object: ManagedObject, _ slot: Int, _ owner: ManagedObject) -> Bool
    ) {
        let moved = Set(objects.filter { $0.entity.hasOwners })
        if moved.isEmpty { return }
        for owner in graph.identities.all {
            guard let overlay = owner.overlay else { continue }
            var isLeft = false
            for property in owner.entity.properties where property.relationship?.inverseIsToMany == false {
                guard case .collection(let state) = overlay.slots[property.slot], state.isLoaded,
                    let inverse = property.relationship?.inverseSlot
                else { continue }
                for member in state.members.intersection(moved) where isFormerOwner(member, inverse, owner) {
                    state.removeMissingMember(member)
                    isLeft = true
                }
            }
            if isLeft { graph.didChangeAll(owner) }
        }
    }

    /// Adds inserted and updated objects to the loaded relationships of the owners that they reference.
    private func addToLoadedOwners(_ ids: [ObjectID]) throws {
        for (rootIndex, ids) in Dictionary(grouping: ids, by: { try? graph.rootIndex(of: $0) }) {
            guard let rootIndex, mayHaveLoadedOwner(rootIndex) else { continue }
            let group = RowGroup(try graph.parent.rows(ids.map(\.key), entityIndex: rootIndex))
            for row in 0..<group.batch.count { addToLoadedOwners(group, row) }
        }
    }

    /// Whether a to-many relationship that new objects of an inheritance tree may belong to is loaded.
    private func mayHaveLoadedOwner(_ rootIndex: Int) -> Bool {
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

    /// Adds the object of a row to the loaded relationships of the owners that the row references.
    ///
    /// - Parameter changed: The object, if references that it has changed don't count.
    func addToLoadedOwners(_ group: RowGroup, _ row: Int, unlessPending changed: ManagedObject? = nil) {
        let entity = graph.model.layouts[group.batch.entityIndex(at: row)]
        for property in entity.properties {
            guard let relationship = property.relationship, !relationship.description.isToMany,
                relationship.inverseIsToMany, let inverse = relationship.inverseSlot,
                changed?.overlay?.slots[property.slot].isDirty != true,
                let key = group.batch.reference(entity.slotLocations[property.slot], at: row),
                let owner = graph.identities.object(
                    key, rootIndex: graph.model.layouts[relationship.destinationIndex].rootIndex),
                case .collection(let state)? = owner.overlay?.slots[inverse], state.isLoaded
            else { continue }
            if let changed, state.members.contains(changed) { continue }
            if state.isDirty {
                state.addStoredMember(changed ?? graph.object(group, Int32(row)))
            } else {
                owner.overlay?.slots[inverse] = .unchanged
            }
            graph.didChangeAll(owner)
        }
    }
}

extension EntityLayout {
    /// Whether the entity has a to-one relationship whose inverse is to-many.
    fileprivate var hasOwners: Bool {
        properties.contains { property in
            guard let relationship = property.relationship else { return false }
            return !relationship.description.isToMany && relationship.inverseIsToMany
        }
    }
}
