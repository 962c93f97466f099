/// Reverts the changes of an undo group in the current graph.
struct Undoing {
    let graph: ObjectGraph

    func undo() {
        guard let group = graph.undo?.beginUndo() else { return }
        revert(group)
    }

    func redo() {
        guard let group = graph.undo?.beginRedo() else { return }
        revert(group)
    }

    /// Reverts the entries of a group in reverse order.
    ///
    /// Deleted objects are restored first, and inserted objects are removed last, because the other entries refer to
    /// them.
    private func revert(_ group: UndoLog.Group) {
        let entries = group.entries.reversed()
        var restored: [ManagedObject] = []
        for case .deleted(let object) in entries {
            let object = currentObject(object)
            if !object.isLive { restored.append(object) }
            restoreDeleted(object)
        }
        for entry in entries { revert(entry) }
        let editing = RelationshipEditing(graph: graph)
        editing.removeLostReferences(of: restored.filter(\.isLive))
        // The owner of an object that was deleted by a cascade may have been restored without members.
        for object in restored where object.isLive { editing.addToOwners(of: object) }
        for object in restored where object.isLive { editing.removeFromFormerOwners(object) }
        returnToLinkedObjects(restored.filter(\.isLive))
        for object in restored where object.state == .inserted { editing.markLinksAdded(of: object) }
        for case .inserted(let object) in entries { revertInsertion(currentObject(object)) }
        graph.undo?.finish()
        // Members that were added before a list was loaded may be stored by now.
        for entry in entries { graph.updateState(of: currentObject(entry.object)) }
        graph.pruneChanges()
        updateOutdatedObjects(group)
    }

    /// Updates the objects of a group that the store has changed or deleted, and that had pending changes until now.
    ///
    /// If the store can't be read, the next fetch or save updates them or throws the error.
    private func updateOutdatedObjects(_ group: UndoLog.Group) {
        if graph.contested.isEmpty && graph.unmerged.isEmpty
            || graph.longLivedParent?.hasPinnedSnapshot == true
        {
            return
        }
        let objects = Set(group.entries.map { currentObject($0.object) })
        let outdated = objects.filter { graph.unmerged.contains($0) || graph.contested[$0] != nil }
        if outdated.isEmpty { return }
        try? graph.withoutFaultingPolicy {
            try graph.withoutUndo { try ChangeMerging(graph: graph).updateOutdatedObjects(outdated) }
        }
    }

    private func revert(_ entry: UndoEntry) {
        switch entry {
        case .attribute(let object, let slot, let old, let wasChanged):
            restoreValue(currentObject(object), slot, to: old, wasChanged)
        case .committed(let object, let slot): graph.change(currentObject(object), slot, to: .unchanged)
        case .reference(let object, let slot, let old, let wasChanged):
            restoreReference(currentObject(object), slot, to: old.map(currentObject), wasChanged)
        case .memberAdded(let owner, let slot, let member):
            removeMember(currentObject(member), from: currentObject(owner), slot)
        case .memberRemoved(let owner, let slot, let member, let place):
            reinsertMember(currentObject(member), into: currentObject(owner), slot, place)
        case .reordered(let owner, let slot, let old):
            restoreOrder(currentObject(owner), slot, old.map(currentObject))
        case .deletedList(let owner, let slot, let order):
            restorePendingOrder(currentObject(owner), slot, order.map(currentObject))
        case .inserted, .deleted: break
        }
    }

    /// Restores an attribute's value; a restored base value counts as a change only if it did before.
    private func restoreValue(
        _ object: ManagedObject, _ slot: Int, to value: StoredValue, _ wasChanged: Bool
    ) {
        if !wasChanged, graph.isContested(object, slot), graph.isCommitted(value, of: object, slot: slot) {
            graph.change(object, slot, to: .unchanged)
        } else {
            object.write(value, slot)
        }
    }

    // MARK: Relationships

    /// Restores the target of a to-one relationship and updates the inverses.
    private func restoreReference(
        _ object: ManagedObject, _ slot: Int, to target: ManagedObject?, _ wasChanged: Bool
    ) {
        guard object.isLive else { return }
        let kept = target.flatMap { $0.isLive ? $0 : nil }
        InverseMaintenance(graph: graph, revertingChanges: !wasChanged).set(object, slot, to: kept)
        let editing = RelationshipEditing(graph: graph)
        // The previous target is marked as deleted, and may be restored later.
        if let target, target.state == .deleted { editing.setTarget(object, slot, to: target) }
        restoreChangeState(of: object, slot, at: kept, wasChanged)
        guard let kept, object.overlay?.slots[slot].isDirty != true,
            let relationship = object.entity.properties[slot].relationship, relationship.inverseIsToMany,
            let inverse = relationship.inverseSlot
        else { return }
        // The store has the object as a member, which is not loaded, or the members are loaded and newer than the
        // object's row. An object that the store has deleted stays a member.
        let state = graph.collection(of: kept, slot: inverse)
        if !state.isLoaded || (state.added.contains(object) && graph.contested[object] == nil) {
            editing.changeCollection(kept, inverse) { state.forget(object) }
        }
    }

    /// Restores whether a reference is dirty, because entries of other objects may have set it before.
    private func restoreChangeState(
        of object: ManagedObject, _ slot: Int, at target: ManagedObject?, _ wasChanged: Bool
    ) {
        guard graph.rawTarget(of: object, slot: slot) === target else { return }
        let isChanged = object.overlay?.slots[slot].isDirty == true
        if wasChanged, !isChanged, graph.isContested(object, slot) {
            graph.change(object, slot, to: .object(target))
        } else if !wasChanged, isChanged {
            RelationshipEditing(graph: graph).setTarget(object, slot, to: target)
            guard let target, let relationship = object.entity.properties[slot].relationship,
                relationship.isOneToOne, let inverse = relationship.inverseSlot
            else { return }
            InverseMaintenance(graph: graph, revertingChanges: true)
                .markBothReferencesDirty(object, slot, target, inverse)
        }
    }

    /// Removes an added member from a to-many relationship, unless the member still refers to the owner.
    ///
    /// The inverse of a many-to-many relationship has its own entry, which then has no effect.
    private func removeMember(_ member: ManagedObject, from owner: ManagedObject, _ slot: Int) {
        guard owner.isLive else { return }
        if let inverse = toOneInverse(of: owner, slot) {
            if member.isLive, graph.rawTarget(of: member, slot: inverse) === owner { return }
            let editing = RelationshipEditing(graph: graph)
            guard member.state == .detached else { return editing.removeMember(owner, slot, member) }
            // The store has no such member any more, so removing it is no change.
            let state = graph.collection(of: owner, slot: slot)
            return editing.changeCollection(owner, slot) { state.forget(member) }
        }
        if graph.loadedCollection(of: owner, slot: slot).members.contains(member) {
            InverseMaintenance(graph: graph, revertingChanges: true).remove(member, from: owner, slot)
        }
    }

    /// Adds a removed member to a to-many relationship; if the inverse is to-one, only if the member refers to this
    /// owner.
    private func reinsertMember(
        _ member: ManagedObject, into owner: ManagedObject, _ slot: Int, _ place: ListPosition?
    ) {
        guard owner.isLive, member.isLive else { return }
        let editing = RelationshipEditing(graph: graph)
        if place != nil { _ = graph.loadedCollection(of: owner, slot: slot) }
        if let inverse = toOneInverse(of: owner, slot) {
            guard graph.rawTarget(of: member, slot: inverse) === owner else { return }
            if !editing.isMember(member, of: owner, slot, referringBy: inverse) {
                editing.addMember(owner, slot, member)
            }
        } else if !graph.loadedCollection(of: owner, slot: slot).members.contains(member) {
            InverseMaintenance(graph: graph, revertingChanges: true).add(member, to: owner, slot)
        }
        guard let place else { return }
        var list = graph.collection(of: owner, slot: slot).list
        list.removeAll { $0 === member }
        list.insert(member, at: place.index(in: list))
        editing.reorder(owner, slot, list)
    }

    /// Returns the slot of the members' to-one relationship to their owner; nil for a many-to-many relationship.
    private func toOneInverse(of owner: ManagedObject, _ slot: Int) -> Int? {
        guard let relationship = owner.entity.properties[slot].relationship, !relationship.inverseIsToMany
        else { return nil }
        return relationship.inverseSlot
    }

    /// Restores the order of the previous members of a list; other members keep their positions.
    private func restoreOrder(_ owner: ManagedObject, _ slot: Int, _ old: [ManagedObject]) {
        guard owner.isLive else { return }
        let state = graph.loadedCollection(of: owner, slot: slot)
        guard state.isLoaded else { return }
        RelationshipEditing(graph: graph).reorder(owner, slot, ListMerging.order(state.list, as: old))
    }

    /// Moves unsaved members of a list to their positions when the owner was deleted; others keep their stored positions.
    private func restorePendingOrder(_ owner: ManagedObject, _ slot: Int, _ order: [ManagedObject]) {
        guard owner.isLive else { return }
        let state = graph.loadedCollection(of: owner, slot: slot)
        guard state.isLoaded, !state.added.isEmpty else { return }
        let editing = RelationshipEditing(graph: graph)
        editing.reorder(owner, slot, ListMerging.reposition(state.added, in: state.list, as: order))
    }

    /// Restores the links that an earlier deletion of the restored objects has removed from the linked objects.
    ///
    /// The entries may lack a link: another context may have added it between two deletions. The removal of a link adds to `removed` of
    /// both objects; a deletion adds only to that of the linked object.
    private func returnToLinkedObjects(_ restored: [ManagedObject]) {
        if restored.isEmpty { return }
        let restored = Set(restored)
        let editing = RelationshipEditing(graph: graph)
        for owner in graph.changes.objects where owner.isLive {
            guard let overlay = owner.overlay else { continue }
            for slot in overlay.occupied {
                guard case .collection(let state) = overlay.slots[slot],
                    let relationship = owner.entity.properties[slot].relationship, relationship.isManyToMany,
                    let inverse = relationship.inverseSlot
                else { continue }
                for object in state.removed.intersection(restored) {
                    if case .collection(let back)? = object.overlay?.slots[inverse],
                        back.removed.contains(owner)
                    {
                        continue
                    }
                    editing.addMember(owner, slot, object)
                    editing.restorePosition(owner, slot, object)
                }
            }
        }
    }

    // MARK: Objects

    /// Returns the object, or the registered object with its identifier if another context has inserted that after the
    /// deletion.
    private func currentObject(_ object: ManagedObject) -> ManagedObject {
        guard object.state == .detached,
            let known = graph.identities.object(object.key, rootIndex: object.rootIndex),
            !known.isFault
        else { return object }
        return known
    }

    /// Reverts the insertion of an object.
    ///
    /// Its relationships have their own entries.
    private func revertInsertion(_ object: ManagedObject) {
        // The store may have deleted the object, and the context may have merged the deletion.
        guard object.isLive else { return }
        // Load the values for redo; if that fails, the next save throws the error.
        if object.isFault, !graph.ensureLoaded(object) || !object.isLive { return }
        // Other contexts may reference the saved object, so apply its delete rules.
        if object.state != .inserted {
            return DeletePropagation(graph: graph, leavesDependentsUnloaded: false).delete(object)
        }
        removeFromOwners(object)
        graph.undo?.record(.deleted(object))
        // Another context may insert the object again under its identifier.
        if graph.isReinserted(object) { graph.identities.forget(object) }
        object.state = .detached
        graph.changes.track(object)
        graph.changeCount += 1
        graph.deletionCount += 1
        graph.didChangeAll(object)
    }

    /// Removes an object from the to-many relationships of the owners that it references.
    private func removeFromOwners(_ object: ManagedObject) {
        let editing = RelationshipEditing(graph: graph)
        for property in object.entity.properties {
            guard let relationship = property.relationship, !relationship.description.isToMany,
                relationship.inverseIsToMany, let inverse = relationship.inverseSlot,
                let owner = graph.rawTarget(of: object, slot: property.slot), owner.isLive
            else { continue }
            editing.removeMember(owner, inverse, object)
        }
    }

    /// Restores a deleted object, or inserts it again if its deletion has been saved.
    func restoreDeleted(_ object: ManagedObject) {
        if object.isLive { return }
        if object.state == .detached, !DeferredValueLoader(graph: graph).hasAllValues(of: object) {
            return graph.deferError(
                StoreError(
                    .objectNotFound,
                    "The deletion of \(object.objectID) can't be undone, because its externally stored values were not loaded before it was deleted.",
                    remedy:
                        "Read externally stored values of an object before you delete it, if undo should restore it."
                ))
        }
        graph.undo?.record(.inserted(object))
        switch object.state {
        case .deleted:
            object.state = object.overlay?.isDirty == true ? .updated : .unchanged
            // The store has changed it since.
            if graph.contested.removeValue(forKey: object) != nil { graph.unmerged.insert(object) }
        case .detached:
            object.state = .inserted
            if object.row >= 0 { copyCommittedValues(of: object) }
            register(object)
        case .inserted, .unchanged, .updated: break
        }
        graph.changes.track(object)
        graph.changeCount += 1
        graph.deletionCount += 1
        graph.didChangeAll(object)
    }

    /// Registers a restored object, replacing a fault that was made from its identifier in the meantime.
    private func register(_ object: ManagedObject) {
        if let known = graph.identities.object(object.key, rootIndex: object.rootIndex) {
            if known === object { return }
            graph.detach(known)
        }
        graph.identities.register(object)
    }

    /// Copies committed values to the overlay, because the row no longer exists.
    func copyCommittedValues(of object: ManagedObject) {
        guard object.row >= 0, object.group != nil else { return }
        let overlay = graph.overlay(of: object)
        for property in object.entity.properties where !property.columns.isEmpty {
            if overlay.slots[property.slot].isDirty { continue }
            if property.attribute != nil {
                overlay.slots[property.slot] = .value(
                    graph.committedRawValue(of: object, property))
            } else if let target = graph.rawTarget(of: object, slot: property.slot) {
                overlay.slots[property.slot] = .object(target)
            }
        }
        for value in overlay.slots {
            if case .collection(let state) = value { state.markAllAdded() }
        }
        graph.lastVersions[object.objectID] = graph.version(of: object)
        object.group = nil
        object.row = -1
    }
}
