/// Keeps both ends of a relationship true at once.
struct InverseMaintenance {
    let graph: ObjectGraph
    private var ends: RelationshipEnds { RelationshipEnds(graph: graph) }

    init(graph: ObjectGraph) { self.graph = graph }

    /// Lets a to-one relationship lead elsewhere.
    func set(_ object: ManagedObject, _ slot: Int, to target: ManagedObject?) {
        check(object, target)
        let old = graph.target(of: object, slot: slot)
        if old === target { return }
        if let relationship = relationship(object, slot), let inverse = relationship.inverseSlot {
            if let old { unlink(old, inverse, from: object, relationship) }
            if let target { link(target, inverse, to: object, relationship) }
        }
        ends.point(object, slot, at: target)
    }

    /// Lets a to-many relationship hold these objects and no others.
    func set(_ object: ManagedObject, _ slot: Int, to targets: Set<ManagedObject>) {
        let members = graph.loadedCollection(of: object, slot: slot).members
        for gone in members.subtracting(targets) { remove(gone, from: object, slot) }
        for new in targets.subtracting(members) { add(new, to: object, slot) }
    }

    /// Lets an ordered to-many relationship hold these objects in this order.
    func set(_ object: ManagedObject, _ slot: Int, toOrder targets: [ManagedObject]) {
        set(object, slot, to: Set(targets))
        var seen: Set<ManagedObject> = []
        ends.reorder(object, slot, targets.filter { seen.insert($0).inserted })
    }

    /// Lets an object into a to-many relationship.
    func add(_ target: ManagedObject, to object: ManagedObject, _ slot: Int, at index: Int? = nil) {
        check(object, target)
        guard let relationship = relationship(object, slot) else { return }
        if let inverse = relationship.inverseSlot {
            if relationship.inverseIsToMany {
                ends.enter(target, inverse, object)
            } else {
                if let old = graph.target(of: target, slot: inverse), old !== object {
                    ends.leave(old, slot, target)
                }
                ends.point(target, inverse, at: object)
            }
        }
        ends.enter(object, slot, target, at: index)
    }

    /// Takes an object out of a to-many relationship.
    func remove(_ target: ManagedObject, from object: ManagedObject, _ slot: Int) {
        guard let relationship = relationship(object, slot) else { return }
        ends.leave(object, slot, target)
        guard let inverse = relationship.inverseSlot else { return }
        if relationship.inverseIsToMany {
            ends.leave(target, inverse, object)
        } else {
            ends.point(target, inverse, at: nil)
        }
    }

    /// Lets one end no longer lead to an object that is deleted.
    ///
    /// The deleted object itself keeps what it had.
    func sever(_ target: ManagedObject, _ slot: Int, from object: ManagedObject, isToMany: Bool) {
        if isToMany {
            ends.leave(target, slot, object)
        } else if graph.target(of: target, slot: slot) === object
            || graph.committedKey(of: target, slot: slot) == object.key
        {
            ends.point(target, slot, at: nil)
        }
    }

    // MARK: One end

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
            ends.point(rival, slot, at: nil)
        }
        ends.point(target, inverse, at: object)
    }

    /// Makes the other end of a to-one relationship lead back no longer.
    private func unlink(
        _ target: ManagedObject, _ inverse: Int, from object: ManagedObject,
        _ relationship: RelationshipLayout
    ) {
        if relationship.inverseIsToMany {
            ends.leave(target, inverse, object)
        } else {
            ends.point(target, inverse, at: nil)
        }
    }

    private func relationship(_ object: ManagedObject, _ slot: Int) -> RelationshipLayout? {
        object.entity.properties[slot].relationship
    }

    /// What the compiler can't see: two objects of different contexts in one thread.
    private func check(_ object: ManagedObject, _ target: ManagedObject?) {
        guard let target, target.graph !== object.graph else { return }
        preconditionFailure(
            "\(target.entity.name) \(target.objectID) belongs to another context than "
                + "\(object.entity.name) \(object.objectID), so it can't be set into one of its relationships. "
                + "Get the object of this context by object(with:) first.")
    }
}
