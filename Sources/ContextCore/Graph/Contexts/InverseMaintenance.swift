/// Keeps both ends of a relationship true at once.
struct InverseMaintenance {
    let graph: ObjectGraph
    /// Whether changes are taken back, as by undo: what refers again to what it was changed from is no change then, whatever others have
    /// saved.
    private let takesBack: Bool
    private var ends: RelationshipEnds { RelationshipEnds(graph: graph) }

    init(graph: ObjectGraph, takesBack: Bool = false) { (self.graph, self.takesBack) = (graph, takesBack) }

    /// Lets a to-one relationship lead elsewhere.
    func set(_ object: ManagedObject, _ slot: Int, to target: ManagedObject?) {
        guard admits(target, to: object) else { return }
        let old = graph.rawTarget(of: object, slot: slot)
        if old === target { return }
        if let relationship = relationship(object, slot), let inverse = relationship.inverseSlot {
            if let old, old.isKept { unlink(old, inverse, from: object, relationship) }
            if let target { link(target, inverse, to: object, relationship) }
        }
        point(object, slot, at: target)
    }

    /// Lets a to-many relationship hold these objects and no others.
    func set(_ object: ManagedObject, _ slot: Int, to targets: Set<ManagedObject>) {
        let state = graph.loadedCollection(of: object, slot: slot)
        // The next fetch or save says why it could not be loaded; what is in it stays.
        guard state.isLoaded else { return }
        let members = state.members.filter(\.isKept)
        for gone in members.subtracting(targets) { remove(gone, from: object, slot) }
        for new in targets.subtracting(members) { add(new, to: object, slot) }
    }

    /// Lets an ordered to-many relationship hold these objects in this order.
    func set(_ object: ManagedObject, _ slot: Int, toOrder targets: [ManagedObject]) {
        set(object, slot, to: Set(targets))
        let state = graph.collection(of: object, slot: slot)
        guard state.isLoaded else { return }
        var seen: Set<ManagedObject> = []
        let members = state.members
        let order = targets.filter { members.contains($0) && seen.insert($0).inserted }
        ends.reorder(
            object, slot, order + members.subtracting(order).sorted { TemporaryKeys.precedes($0.key, $1.key) }
        )
    }

    /// Lets an object into a to-many relationship.
    func add(_ target: ManagedObject, to object: ManagedObject, _ slot: Int, at index: Int? = nil) {
        guard admits(target, to: object), let relationship = relationship(object, slot) else { return }
        if let inverse = relationship.inverseSlot {
            if relationship.inverseIsToMany {
                ends.enter(target, inverse, object)
                ends.enter(object, slot, target, at: index)
                return agreeOnAddition(of: target, to: object, slot, inverse)
            } else {
                if let old = graph.target(of: target, slot: inverse), old !== object {
                    ends.leave(old, slot, target)
                }
                let isNew = target.row >= 0 && isKnownOutside(target, of: object, slot)
                point(target, inverse, at: object)
                // Others have removed it since its row was read, so that the owner in its row is a change all the same.
                if isNew { markChange(of: target, inverse, to: object) }
            }
        }
        ends.enter(object, slot, target, at: index)
    }

    /// Takes an object out of a to-many relationship.
    func remove(_ target: ManagedObject, from object: ManagedObject, _ slot: Int) {
        guard let relationship = relationship(object, slot) else { return }
        guard let inverse = relationship.inverseSlot, !relationship.inverseIsToMany else {
            ends.leave(object, slot, target)
            if let inverse = relationship.inverseSlot {
                ends.leave(target, inverse, object)
                agreeOnRemoval(of: target, from: object, slot, inverse)
            }
            return
        }
        let state = graph.collection(of: object, slot: slot)
        let isStored = state.isCurrent && state.members.contains(target) && !state.added.contains(target)
        ends.leave(object, slot, target)
        if graph.rawTarget(of: target, slot: inverse) === object { point(target, inverse, at: nil) }
        // Others have let it in since its row was read, so that nil is a change all the same.
        if !isStored || target.overlay?.slots[inverse].isDirty == true { return }
        if let former = graph.rawTarget(of: target, slot: inverse) {
            // The row may also be newer than the list: others may have moved it since the list was read.
            guard storeHas(target, in: object, slot) else {
                return ends.changing(object, slot) { state.forget(target) }
            }
            if former.isKept { ends.leave(former, slot, target) }
            point(target, inverse, at: nil)
        } else {
            markChange(of: target, inverse, to: nil)
        }
    }

    /// Lets a link that was added at one end count as added at the other end too, which may have been read before others removed the link.
    private func agreeOnAddition(
        of target: ManagedObject, to object: ManagedObject, _ slot: Int, _ inverse: Int
    ) {
        let state = graph.collection(of: object, slot: slot)
        let back = graph.collection(of: target, slot: inverse)
        if state.added.contains(target) == back.added.contains(object) { return }
        // A collection that is not loaded doesn't know whether the store has the link.
        guard graph.loadedCollection(of: object, slot: slot).isCurrent,
            graph.loadedCollection(of: target, slot: inverse).isCurrent,
            state.added.contains(target) != back.added.contains(object)
        else { return }
        if state.added.contains(target) {
            ends.changing(target, inverse) { back.renew(object) }
        } else {
            ends.changing(object, slot) { state.renew(target) }
        }
    }

    /// Lets a link that was removed at one end count as removed at the other end too, which may have been read before others added the link.
    private func agreeOnRemoval(
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
            ends.changing(target, inverse) { back.removeStored(object) }
        } else {
            ends.changing(object, slot) { state.removeStored(target) }
        }
    }

    /// Whether an object is not in a to-many relationship in the store, as far as that is known.
    private func isKnownOutside(_ target: ManagedObject, of object: ManagedObject, _ slot: Int) -> Bool {
        let state = graph.collection(of: object, slot: slot)
        return state.isCurrent && !state.members.contains(target) && !state.removed.contains(target)
    }

    /// Whether an object is a member of a to-many relationship in the store now, which is read.
    private func storeHas(_ target: ManagedObject, in object: ManagedObject, _ slot: Int) -> Bool {
        let plan = RelatedPlan(entityIndex: object.entity.index, slot: slot, owners: [object.key])
        do {
            return try graph.parent.related(plan).links.contains { $0.target == target.key }
        } catch {
            graph.keep(error)
            return false
        }
    }

    /// Counts a reference as changed that is as the object's row has it, where the store has another one by now.
    private func markChange(of object: ManagedObject, _ slot: Int, to target: ManagedObject?) {
        guard object.row >= 0, object.overlay?.slots[slot].isDirty != true,
            graph.rawTarget(of: object, slot: slot) === target
        else { return }
        graph.change(object, slot, to: .object(target))
    }

    /// Lets one end no longer lead to an object that is deleted.
    ///
    /// The deleted object itself keeps what it had.
    func sever(_ target: ManagedObject, _ slot: Int, from object: ManagedObject, isToMany: Bool) {
        if isToMany {
            ends.leave(target, slot, object)
        } else if graph.rawTarget(of: target, slot: slot) === object {
            point(target, slot, at: nil)
        }
    }

    // MARK: One end

    private func point(_ object: ManagedObject, _ slot: Int, at target: ManagedObject?) {
        ends.point(object, slot, at: target, isChange: !takesBack && graph.isContested(object, slot))
    }

    /// Makes the other end of a to-one relationship lead back.
    private func link(
        _ target: ManagedObject, _ inverse: Int, to object: ManagedObject, _ relationship: RelationshipLayout
    ) {
        if relationship.inverseIsToMany {
            ends.enter(target, inverse, object)
            return
        }
        if let rival = graph.target(of: target, slot: inverse), rival !== object,
            let slot = self.relationship(target, inverse)?.inverseSlot
        {
            point(rival, slot, at: nil)
        }
        point(target, inverse, at: object)
    }

    /// Makes the other end of a to-one relationship lead back no longer.
    private func unlink(
        _ target: ManagedObject, _ inverse: Int, from object: ManagedObject,
        _ relationship: RelationshipLayout
    ) {
        if relationship.inverseIsToMany {
            ends.leave(target, inverse, object)
        } else if graph.rawTarget(of: target, slot: inverse) === object {
            point(target, inverse, at: nil)
        }
    }

    private func relationship(_ object: ManagedObject, _ slot: Int) -> RelationshipLayout? {
        object.entity.properties[slot].relationship
    }

    /// Whether an object may be led to.
    ///
    /// Traps on what the compiler can't see: two objects of different contexts in one thread.
    private func admits(_ target: ManagedObject?, to object: ManagedObject) -> Bool {
        guard let target else { return true }
        if target.graph === object.graph {
            if target.state != .detached { return true }
            graph.keep(
                StoreError(
                    .objectNotFound,
                    "\(target.entity.name) \(target.objectID) is not part of the context any more, so nothing can lead to it.",
                    remedy: "Insert a new object, or fetch one that is still there."))
            return false
        }
        programmingError(
            "\(target.entity.name) \(target.objectID) belongs to another context than "
                + "\(object.entity.name) \(object.objectID), so it can't be set into one of its relationships. "
                + "Get the object of this context by object(with:) first.")
    }
}
