/// Changes one end of a relationship, and nothing else: what inverse maintenance and undo are made of.
struct RelationshipEnds {
    let graph: ObjectGraph

    /// Lets a to-one relationship lead elsewhere.
    ///
    /// - Parameter isChange: Whether that is a change to be saved even if it refers to what it referred to when it was last saved.
    func point(
        _ object: ManagedObject, _ slot: Int, at target: ManagedObject?, isChange: Bool = false
    ) {
        if object.isFault && !graph.ensureLoaded(object) { return }
        let isAsCommitted =
            !isChange && object.row >= 0 && graph.committedKey(of: object, slot: slot) == target?.key
        graph.change(object, slot, to: isAsCommitted ? .unchanged : .object(target))
    }

    /// Lets an object into a to-many relationship.
    func enter(_ owner: ManagedObject, _ slot: Int, _ member: ManagedObject, at index: Int? = nil) {
        let state = graph.collection(of: owner, slot: slot)
        changing(owner, slot) {
            if state.add(member, at: index), graph.notesUndo {
                graph.undo?.record(.entered(owner, slot: slot, member: member))
            }
        }
    }

    /// Takes an object out of a to-many relationship.
    func leave(_ owner: ManagedObject, _ slot: Int, _ member: ManagedObject) {
        let state = collectionToLeave(of: owner, slot)
        let place = state.isOrdered && graph.notesUndo ? ListSpot(of: member, in: state.list) : nil
        changing(owner, slot) {
            if state.remove(member), graph.notesUndo {
                graph.undo?.record(.left(owner, slot: slot, member: member, place: place))
            }
        }
    }

    /// A list is loaded where undo needs to know at which place its members stand.
    func collectionToLeave(of owner: ManagedObject, _ slot: Int) -> ToManyState {
        let state = graph.collection(of: owner, slot: slot)
        guard graph.undo != nil, state.isOrdered, !state.isCurrent else { return state }
        return graph.loadedCollection(of: owner, slot: slot)
    }

    /// Gives a member that went and came back its old place in an ordered relationship.
    func putBack(_ owner: ManagedObject, _ slot: Int, _ member: ManagedObject) {
        let state = graph.collection(of: owner, slot: slot)
        if state.isOrdered { changing(owner, slot) { state.putBack(member) } }
    }

    /// Puts the members of an ordered relationship into another order.
    func reorder(_ owner: ManagedObject, _ slot: Int, _ order: [ManagedObject]) {
        let state = graph.collection(of: owner, slot: slot)
        if state.list == order { return }
        graph.undo?.record(.reordered(owner, slot: slot, old: state.list))
        changing(owner, slot) { state.reorder(order) }
    }

    /// Removes from an object that came back what is gone by now: references, and members that refer to another owner.
    ///
    /// Nothing of that can be undone: it would take from others what refers to them now.
    func removeLostReferences(of object: ManagedObject) {
        graph.withoutUndo { removeReferencesAndMembers(of: object) }
    }

    private func removeReferencesAndMembers(of object: ManagedObject) {
        for property in object.entity.properties {
            guard let relationship = property.relationship else { continue }
            if relationship.description.isToMany {
                guard case .collection(let state)? = object.overlay?.slots[property.slot] else { continue }
                for member in state.members where !refersBack(member, to: object, relationship) {
                    leave(object, property.slot, member)
                }
            } else if let target = graph.rawTarget(of: object, slot: property.slot),
                target.state == .detached
                    || relationship.isOneToOne && !refersBack(target, to: object, relationship)
            {
                point(object, property.slot, at: nil)
            }
        }
    }

    /// Lets the links of an object that is inserted again count as added at their other ends too: they are gone with the object's row.
    func renewLinks(of object: ManagedObject) {
        for property in object.entity.properties {
            guard let relationship = property.relationship, relationship.isManyToMany,
                let inverse = relationship.inverseSlot,
                case .collection(let state)? = object.overlay?.slots[property.slot]
            else { continue }
            for member in state.members {
                let back = graph.collection(of: member, slot: inverse)
                if back.added.contains(object) { continue }
                if graph.notesUndo { graph.undo?.record(.entered(member, slot: inverse, member: object)) }
                changing(member, inverse) { back.renew(object) }
            }
        }
    }

    /// Lets an object that came back be a member of what its to-one relationships refer to.
    func enterOwners(of object: ManagedObject) {
        for property in object.entity.properties {
            guard let relationship = property.relationship, !relationship.description.isToMany,
                relationship.inverseIsToMany, let inverse = relationship.inverseSlot,
                let owner = graph.rawTarget(of: object, slot: property.slot), owner.isKept,
                !isMember(object, of: owner, inverse, referringBy: property.slot)
            else { continue }
            enter(owner, inverse, object)
            putBack(owner, inverse, object)
        }
    }

    /// Whether an object is a member, which is certain of one that referred to the owner when it was saved and has not been removed.
    ///
    /// - Parameter reference: The slot of the to-one relationship by which members refer to their owner.
    func isMember(
        _ member: ManagedObject, of owner: ManagedObject, _ slot: Int, referringBy reference: Int
    ) -> Bool {
        let state = graph.collection(of: owner, slot: slot)
        if state.isLoaded { return state.members.contains(member) }
        return state.added.contains(member)
            || !state.removed.contains(member)
                && graph.committedKey(of: member, slot: reference) == owner.key
    }

    /// Whether an object at the other end is there, and refers to this one if it refers to one alone.
    private func refersBack(
        _ other: ManagedObject, to object: ManagedObject, _ relationship: RelationshipLayout
    ) -> Bool {
        guard other.isKept else { return false }
        guard let inverse = relationship.inverseSlot, !relationship.inverseIsToMany else { return true }
        return graph.rawTarget(of: other, slot: inverse) === object
    }

    /// Changes a collection, and notes it as a change of its owner.
    func changing(_ owner: ManagedObject, _ slot: Int, _ body: () -> Void) {
        if graph.isObserved { graph.willChange(owner, slot: slot) }
        body()
        graph.noteChange(of: owner)
        if graph.isObserved { graph.didChange(owner, slot: slot) }
    }
}
