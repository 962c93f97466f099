/// Changes a relationship together with its inverse.
struct InverseMaintenance {
    let graph: ObjectGraph
    /// Whether changes are being reverted, as by undo.
    ///
    /// A reference that returns to its base value is then unchanged, even if the store has another value.
    private let isReverting: Bool
    private var editing: RelationshipEditing { RelationshipEditing(graph: graph) }

    init(graph: ObjectGraph, revertingChanges isReverting: Bool = false) {
        (self.graph, self.isReverting) = (graph, isReverting)
    }

    /// Sets the target of a to-one relationship.
    func set(_ object: ManagedObject, _ slot: Int, to target: ManagedObject?) {
        guard accepts(target, to: object) else { return }
        let old = graph.rawTarget(of: object, slot: slot)
        if old === target { return }
        guard let relationship = relationship(object, slot), let inverse = relationship.inverseSlot else {
            return setTarget(object, slot, to: target)
        }
        if let old, old.isLive { clearInverse(old, inverse, from: object, relationship) }
        if let target {
            if isReverting, relationship.isOneToOne, isContradicted(object, slot, by: target, inverse) {
                // Unmarks the target's reference if it equals its row; a later edit may have marked it dirty.
                editing.setTarget(target, inverse, to: graph.rawTarget(of: target, slot: inverse))
            } else {
                setInverse(target, inverse, to: object, relationship)
            }
        }
        setTarget(object, slot, to: target)
        if let target, relationship.isOneToOne { markBothReferencesDirty(object, slot, target, inverse) }
    }

    /// Marks both references of a one-to-one pair dirty if one is: the row of the other is older than another context's save.
    ///
    /// A reference that is reverted and contested follows the store instead.
    func markBothReferencesDirty(
        _ object: ManagedObject, _ slot: Int, _ target: ManagedObject, _ inverse: Int
    ) {
        guard graph.rawTarget(of: target, slot: inverse) === object else { return }
        if isReverting, graph.isContested(object, slot) || graph.isContested(target, inverse) { return }
        let isDirty = object.overlay?.slots[slot].isDirty == true
        if isDirty == (target.overlay?.slots[inverse].isDirty == true) { return }
        markReferenceDirty(of: object, slot, to: target)
        markReferenceDirty(of: target, inverse, to: object)
    }

    /// Whether the row of an object has a one-to-one target whose row doesn't refer back: one of them is older than another context's
    /// save.
    func isContradicted(_ object: ManagedObject, _ slot: Int, by target: ManagedObject, _ inverse: Int)
        -> Bool
    {
        target.state != .inserted && graph.committedKey(of: object, slot: slot) == target.key
            && graph.committedKey(of: target, slot: inverse) != object.key
    }

    /// Sets the members of a to-many relationship.
    func set(_ object: ManagedObject, _ slot: Int, to targets: Set<ManagedObject>) {
        let state = graph.loadedCollection(of: object, slot: slot)
        // The next fetch or save throws the error of loading; the relationship stays as it is.
        guard state.isLoaded else { return }
        let members = state.members.filter(\.isLive)
        for gone in members.subtracting(targets) { remove(gone, from: object, slot) }
        for new in targets.subtracting(members) { add(new, to: object, slot) }
    }

    /// Sets the members of an ordered to-many relationship and their order.
    func set(_ object: ManagedObject, _ slot: Int, toOrder targets: [ManagedObject]) {
        set(object, slot, to: Set(targets))
        let state = graph.collection(of: object, slot: slot)
        guard state.isLoaded else { return }
        var seen: Set<ManagedObject> = []
        let members = state.members
        let order = targets.filter { members.contains($0) && seen.insert($0).inserted }
        editing.reorder(
            object, slot, order + members.subtracting(order).sorted { TemporaryKeys.precedes($0.key, $1.key) }
        )
    }

    /// Adds an object to a to-many relationship.
    func add(_ target: ManagedObject, to object: ManagedObject, _ slot: Int, at index: Int? = nil) {
        guard accepts(target, to: object), let relationship = relationship(object, slot) else { return }
        if let inverse = relationship.inverseSlot {
            if relationship.inverseIsToMany {
                editing.addMember(target, inverse, object)
                editing.addMember(object, slot, target, at: index)
                return propagateAddition(of: target, to: object, slot, inverse)
            } else {
                if let old = graph.target(of: target, slot: inverse), old !== object {
                    editing.removeMember(old, slot, target)
                }
                let isNew = target.row >= 0 && editing.isCertainlyNoMember(target, of: object, slot)
                setTarget(target, inverse, to: object)
                // The store has removed the member since its row was read, so setting the same owner is a change.
                if isNew { markReferenceDirty(of: target, inverse, to: object) }
            }
        }
        editing.addMember(object, slot, target, at: index)
    }

    /// Removes an object from a to-many relationship.
    func remove(_ target: ManagedObject, from object: ManagedObject, _ slot: Int) {
        guard let relationship = relationship(object, slot) else { return }
        guard let inverse = relationship.inverseSlot, !relationship.inverseIsToMany else {
            editing.removeMember(object, slot, target)
            if let inverse = relationship.inverseSlot {
                editing.removeMember(target, inverse, object)
                propagateRemoval(of: target, from: object, slot, inverse)
            }
            return
        }
        let state = graph.collection(of: object, slot: slot)
        if isGone(target) { return editing.changeCollection(object, slot) { state.forget(target) } }
        let isStored = state.isCurrent && state.members.contains(target) && !state.added.contains(target)
        editing.removeMember(object, slot, target)
        if graph.rawTarget(of: target, slot: inverse) === object { setTarget(target, inverse, to: nil) }
        // The store has added the member since its row was read, so nil is a change.
        if !isStored || target.overlay?.slots[inverse].isDirty == true { return }
        if let former = graph.rawTarget(of: target, slot: inverse) {
            // The row may be newer than the list: the member may have moved to another owner since the list was read.
            guard storeContains(target, in: object, slot) else {
                return editing.changeCollection(object, slot) { state.forget(target) }
            }
            if former.isLive { editing.removeMember(former, slot, target) }
            setTarget(target, inverse, to: nil)
        } else {
            markReferenceDirty(of: target, inverse, to: nil)
        }
    }

    /// Marks a link as added in both of two inverse relationships.
    ///
    /// One of them may have been read before another context removed the link.
    private func propagateAddition(
        of target: ManagedObject, to object: ManagedObject, _ slot: Int, _ inverse: Int
    ) {
        let state = graph.collection(of: object, slot: slot)
        let back = graph.collection(of: target, slot: inverse)
        if state.added.contains(target) == back.added.contains(object) { return }
        // Only a loaded collection shows whether the store has the link.
        guard graph.loadedCollection(of: object, slot: slot).isCurrent,
            graph.loadedCollection(of: target, slot: inverse).isCurrent,
            state.added.contains(target) != back.added.contains(object)
        else { return }
        if state.added.contains(target) {
            editing.changeCollection(target, inverse) { back.markAdded(object) }
        } else {
            editing.changeCollection(object, slot) { state.markAdded(target) }
        }
    }

    /// Marks a link as removed in both of two inverse relationships.
    ///
    /// One of them may have been read before another context added the link.
    private func propagateRemoval(
        of target: ManagedObject, from object: ManagedObject, _ slot: Int, _ inverse: Int
    ) {
        let state = graph.collection(of: object, slot: slot)
        let back = graph.collection(of: target, slot: inverse)
        if state.removed.contains(target) == back.removed.contains(object) || object.state == .inserted
            || target.state == .inserted
        {
            return
        }
        guard graph.loadedCollection(of: object, slot: slot).isCurrent,
            graph.loadedCollection(of: target, slot: inverse).isCurrent,
            state.removed.contains(target) != back.removed.contains(object)
        else { return }
        if state.removed.contains(target) {
            editing.changeCollection(target, inverse) { back.removeStored(object) }
        } else {
            editing.changeCollection(object, slot) { state.removeStored(target) }
        }
    }

    /// Reads from the store whether an object is a member of a to-many relationship.
    private func storeContains(_ target: ManagedObject, in object: ManagedObject, _ slot: Int) -> Bool {
        let plan = RelatedPlan(entityIndex: object.entity.index, slot: slot, owners: [object.key])
        do {
            return try graph.parent.related(plan).links.contains { $0.target == target.key }
        } catch {
            graph.deferError(error)
            return false
        }
    }

    /// Marks a reference dirty although it equals the one in the base row, because the store now has another one.
    private func markReferenceDirty(of object: ManagedObject, _ slot: Int, to target: ManagedObject?) {
        guard object.row >= 0, object.overlay?.slots[slot].isDirty != true,
            graph.rawTarget(of: object, slot: slot) === target
        else { return }
        graph.change(object, slot, to: .object(target))
    }

    /// Removes an object's reference to a deleted object, which keeps its own references.
    func removeReference(_ target: ManagedObject, _ slot: Int, from object: ManagedObject, isToMany: Bool) {
        if isToMany {
            editing.removeMember(target, slot, object)
        } else if graph.rawTarget(of: target, slot: slot) === object {
            setTarget(target, slot, to: nil)
        }
    }

    // MARK: One of two inverse relationships

    private func setTarget(_ object: ManagedObject, _ slot: Int, to target: ManagedObject?) {
        editing.setTarget(object, slot, to: target, isChange: !isReverting && graph.isContested(object, slot))
    }

    /// Sets the inverse of a to-one relationship.
    private func setInverse(
        _ target: ManagedObject, _ inverse: Int, to object: ManagedObject, _ relationship: RelationshipLayout
    ) {
        if relationship.inverseIsToMany {
            editing.addMember(target, inverse, object)
            return
        }
        if let rival = graph.target(of: target, slot: inverse), rival !== object,
            let back = self.relationship(target, inverse), let slot = back.inverseSlot
        {
            clearInverse(rival, slot, from: target, back)
        }
        setTarget(target, inverse, to: object)
    }

    /// Clears the inverse of a to-one relationship.
    private func clearInverse(
        _ target: ManagedObject, _ inverse: Int, from object: ManagedObject,
        _ relationship: RelationshipLayout
    ) {
        if relationship.inverseIsToMany {
            editing.removeMember(target, inverse, object)
            return
        }
        if isGone(target) { return }
        let current = graph.rawTarget(of: target, slot: inverse)
        if current === object {
            setTarget(target, inverse, to: nil)
        } else if !isReverting {
            // The row of one of the two is older than the other's, so the save has to check the version of both.
            markReferenceDirty(of: target, inverse, to: current)
        }
    }

    /// Whether an object is detached, or a fault without a row, so that it has no references to clear; loads a fault.
    private func isGone(_ object: ManagedObject) -> Bool {
        do {
            return !(try FaultLoader(graph: graph).exists(object))
        } catch {
            graph.deferError(error)
            return false
        }
    }

    private func relationship(_ object: ManagedObject, _ slot: Int) -> RelationshipLayout? {
        object.entity.properties[slot].relationship
    }

    /// Whether a relationship may reference an object; if the object is detached, it returns false, and the next fetch
    /// or save throws.
    ///
    /// Traps if the objects belong to different contexts, which the compiler can't detect within one thread.
    private func accepts(_ target: ManagedObject?, to object: ManagedObject) -> Bool {
        guard let target else { return true }
        if target.graph === object.graph {
            if target.state != .detached { return true }
            graph.deferError(
                StoreError(
                    .objectNotFound,
                    "\(target.objectID) is no longer part of the context, so no relationship can reference it.",
                    remedy: "Insert a new object, or fetch an object that still exists."))
            return false
        }
        programmingError(
            "\(target.objectID) belongs to another context than \(object.objectID), so no relationship of \(object.objectID) can "
                + "reference it. Get the object of the same context with object(with:) first.")
    }
}
