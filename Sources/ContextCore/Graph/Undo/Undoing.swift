/// Reverses what an undo group has recorded, against the graph as it is now.
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

    /// Reverses the entries of a group, the last one first.
    ///
    /// Deleted objects come back before, and inserted ones go after everything else, since the other entries refer to them.
    private func revert(_ group: UndoLog.Group) {
        let entries = group.entries.reversed()
        var returned: [ManagedObject] = []
        for case .deleted(let object) in entries {
            let object = present(object)
            if !object.isKept { returned.append(object) }
            bringBack(object)
        }
        for entry in entries { revert(entry) }
        let ends = RelationshipEnds(graph: graph)
        for object in returned where object.isKept { ends.removeLostReferences(of: object) }
        // The owner of what was deleted with it may have come back without members.
        for object in returned where object.isKept { ends.enterOwners(of: object) }
        for object in returned where object.state == .inserted { ends.renewLinks(of: object) }
        for case .inserted(let object) in entries { take(present(object)) }
        graph.undo?.finish()
        // Members that were added before a list was loaded may be what the store has by now.
        for entry in entries { graph.noteChange(of: present(entry.object)) }
        graph.pruneChanges()
        followStore(group)
    }

    /// Lets the objects of a group follow the store that others have changed or deleted: what the context kept of them may be undone.
    ///
    /// Where the store can't be read, they follow it at the next fetch or save, which says why.
    private func followStore(_ group: UndoLog.Group) {
        if graph.contested.isEmpty && graph.unmerged.isEmpty || graph.longLivedParent?.heldMoment != nil {
            return
        }
        let objects = Set(group.entries.map { present($0.object) })
        let behind = objects.filter { graph.unmerged.contains($0) || graph.contested[$0] != nil }
        if behind.isEmpty { return }
        try? graph.withoutFaultingPolicy {
            try graph.withoutUndo { try ChangeMerging(graph: graph).catchUp(behind) }
        }
    }

    private func revert(_ entry: UndoEntry) {
        switch entry {
        case .attribute(let object, let slot, let old, let wasChanged):
            restoreValue(present(object), slot, to: old, wasChanged)
        case .committed(let object, let slot): graph.change(present(object), slot, to: .unchanged)
        case .reference(let object, let slot, let old, let wasChanged):
            restoreReference(present(object), slot, to: old.map(present), wasChanged)
        case .entered(let owner, let slot, let member):
            removeMember(present(member), from: present(owner), slot)
        case .left(let owner, let slot, let member, let place):
            reinsertMember(present(member), into: present(owner), slot, place)
        case .reordered(let owner, let slot, let old): restoreOrder(present(owner), slot, old.map(present))
        case .deletedList(let owner, let slot, let order):
            placePending(present(owner), slot, order.map(present))
        case .inserted, .deleted: break
        }
    }

    /// Gives an attribute the value that it had; the value that it was changed from is no change any more, unless it was one.
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

    /// Lets a to-one relationship refer again to what it referred to; the inverses change as they would by an assignment now.
    private func restoreReference(
        _ object: ManagedObject, _ slot: Int, to target: ManagedObject?, _ wasChanged: Bool
    ) {
        guard object.isKept else { return }
        let kept = target.flatMap { $0.isKept ? $0 : nil }
        InverseMaintenance(graph: graph, takesBack: !wasChanged).set(object, slot, to: kept)
        let ends = RelationshipEnds(graph: graph)
        // What it referred to is to be deleted, and may come back.
        if let target, target.state == .deleted { ends.point(object, slot, at: target) }
        restoreChangeState(of: object, slot, at: kept, wasChanged)
        guard let kept, object.overlay?.slots[slot].isDirty != true,
            let relationship = object.entity.properties[slot].relationship, relationship.inverseIsToMany,
            let inverse = relationship.inverseSlot
        else { return }
        // The store has it among the members, which are not loaded.
        let state = graph.collection(of: kept, slot: inverse)
        if !state.isLoaded { ends.changing(kept, inverse) { state.forget(object) } }
    }

    /// Lets a reference be a change again if it was one, and none otherwise: the entries of other objects may have set it before.
    private func restoreChangeState(
        of object: ManagedObject, _ slot: Int, at target: ManagedObject?, _ wasChanged: Bool
    ) {
        guard graph.rawTarget(of: object, slot: slot) === target else { return }
        let isChanged = object.overlay?.slots[slot].isDirty == true
        if wasChanged, !isChanged, graph.isContested(object, slot) {
            graph.change(object, slot, to: .object(target))
        } else if !wasChanged, isChanged {
            RelationshipEnds(graph: graph).point(object, slot, at: target)
        }
    }

    /// Removes a member that came to a to-many relationship, unless the member still refers to the owner.
    ///
    /// The other end of a many-to-many relationship has an entry of its own, which then finds nothing to do.
    private func removeMember(_ member: ManagedObject, from owner: ManagedObject, _ slot: Int) {
        guard owner.isKept else { return }
        if let inverse = toOneInverse(of: owner, slot) {
            if member.isKept, graph.rawTarget(of: member, slot: inverse) === owner { return }
            return RelationshipEnds(graph: graph).leave(owner, slot, member)
        }
        if graph.loadedCollection(of: owner, slot: slot).members.contains(member) {
            InverseMaintenance(graph: graph, takesBack: true).remove(member, from: owner, slot)
        }
    }

    /// Adds a member that went from a to-many relationship; where members refer to their owner, only if it refers to this one.
    private func reinsertMember(
        _ member: ManagedObject, into owner: ManagedObject, _ slot: Int, _ place: ListSpot?
    ) {
        guard owner.isKept, member.isKept else { return }
        let ends = RelationshipEnds(graph: graph)
        if place != nil { _ = graph.loadedCollection(of: owner, slot: slot) }
        if let inverse = toOneInverse(of: owner, slot) {
            guard graph.rawTarget(of: member, slot: inverse) === owner else { return }
            if !ends.isMember(member, of: owner, slot, referringBy: inverse) {
                ends.enter(owner, slot, member)
            }
        } else if !graph.loadedCollection(of: owner, slot: slot).members.contains(member) {
            InverseMaintenance(graph: graph, takesBack: true).add(member, to: owner, slot)
        }
        guard let place else { return }
        var list = graph.collection(of: owner, slot: slot).list
        list.removeAll { $0 === member }
        list.insert(member, at: place.index(in: list))
        ends.reorder(owner, slot, list)
    }

    /// The slot of the to-one relationship by which members refer to their owner; nil for a many-to-many relationship.
    private func toOneInverse(of owner: ManagedObject, _ slot: Int) -> Int? {
        guard let relationship = owner.entity.properties[slot].relationship, !relationship.inverseIsToMany
        else { return nil }
        return relationship.inverseSlot
    }

    /// Gives the members that a list had the order that they had; others keep their places.
    private func restoreOrder(_ owner: ManagedObject, _ slot: Int, _ old: [ManagedObject]) {
        guard owner.isKept else { return }
        let state = graph.loadedCollection(of: owner, slot: slot)
        guard state.isLoaded else { return }
        RelationshipEnds(graph: graph).reorder(owner, slot, ListMerging.order(state.list, as: old))
    }

    /// Gives pending members of a list the places that they had when its owner was deleted; the others stand where the store has them by now.
    private func placePending(_ owner: ManagedObject, _ slot: Int, _ order: [ManagedObject]) {
        guard owner.isKept else { return }
        let state = graph.loadedCollection(of: owner, slot: slot)
        guard state.isLoaded, !state.added.isEmpty else { return }
        let ends = RelationshipEnds(graph: graph)
        ends.reorder(owner, slot, ListMerging.place(state.added, of: state.list, as: order))
    }

    // MARK: Objects

    /// The object itself, or the one that has its identifier now: others may have saved it again after it was deleted here.
    private func present(_ object: ManagedObject) -> ManagedObject {
        guard object.state == .detached,
            let known = graph.identities.object(object.key, rootIndex: object.rootIndex),
            !known.isFault
        else { return object }
        return known
    }

    /// Lets an inserted object not be there.
    ///
    /// Its relationships have entries of their own.
    private func take(_ object: ManagedObject) {
        // Others may have deleted it, and the context has followed.
        guard object.isKept else { return }
        // Its row may be gone by the time it is done again; the next save says why it could not be read.
        if object.isFault, !graph.ensureLoaded(object) || !object.isKept { return }
        // Other contexts may have set references to it since it was saved: those follow the delete rules.
        if object.state != .inserted {
            return DeletePropagation(graph: graph, leavesUnseen: false).delete(object)
        }
        leaveOwners(object)
        graph.undo?.record(.deleted(object))
        // Others may insert it again under its identifier.
        if graph.isInsertedAgain(object) { graph.identities.forget(object) }
        object.state = .detached
        graph.changes.track(object)
        graph.changeCount += 1
        graph.deletionCount += 1
        graph.didChangeAll(object)
    }

    /// Removes an object from the to-many relationships that it is a member of by its own references.
    private func leaveOwners(_ object: ManagedObject) {
        let ends = RelationshipEnds(graph: graph)
        for property in object.entity.properties {
            guard let relationship = property.relationship, !relationship.description.isToMany,
                relationship.inverseIsToMany, let inverse = relationship.inverseSlot,
                let owner = graph.rawTarget(of: object, slot: property.slot), owner.isKept
            else { continue }
            ends.leave(owner, inverse, object)
        }
    }

    /// Lets a deleted object be there again: as it was, or, where its deletion has been saved, inserted anew.
    func bringBack(_ object: ManagedObject) {
        if object.isKept { return }
        if object.state == .detached, !DeferredValueLoader(graph: graph).hasAllValues(of: object) {
            return graph.keep(
                StoreError(
                    .objectNotFound,
                    "The deletion of \(object.objectID) can't be undone: large values of it went with it that were not loaded.",
                    remedy: "Read such values before an object is deleted that may come back."))
        }
        graph.undo?.record(.inserted(object))
        switch object.state {
        case .deleted:
            object.state = object.overlay?.isDirty == true ? .updated : .unchanged
            // Others have changed it since.
            if graph.contested.removeValue(forKey: object) != nil { graph.unmerged.insert(object) }
        case .detached:
            object.state = .inserted
            if object.row >= 0 { keepValues(of: object) }
            register(object)
        case .inserted, .unchanged, .updated: break
        }
        graph.changes.track(object)
        graph.changeCount += 1
        graph.deletionCount += 1
        graph.didChangeAll(object)
    }

    /// Registers an object again, in the place of a fault that somebody has made of its identifier in the meantime.
    private func register(_ object: ManagedObject) {
        if let known = graph.identities.object(object.key, rootIndex: object.rootIndex) {
            if known === object { return }
            graph.lose(known)
        }
        graph.identities.register(object)
    }

    /// Moves committed values over, since the row that they were in is gone.
    func keepValues(of object: ManagedObject) {
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
            if case .collection(let state) = value { state.beginAnew() }
        }
        graph.lastVersions[object.objectID] = graph.version(of: object)
        object.group = nil
        object.row = -1
    }
}
