/// Changes a relationship without its inverse; inverse maintenance and undo are built on it.
struct RelationshipEditing {
    let graph: ObjectGraph

    /// Sets a to-one relationship without its inverse.
    ///
    /// - Parameter isChange: Whether to mark the slot dirty even if the target equals the committed one.
    func setTarget(
        _ object: ManagedObject, _ slot: Int, to target: ManagedObject?, isChange: Bool = false
    ) {
        if object.isFault && !graph.ensureLoaded(object) { return }
        let isAsCommitted =
            !isChange && object.row >= 0 && graph.committedKey(of: object, slot: slot) == target?.key
        graph.change(object, slot, to: isAsCommitted ? .unchanged : .object(target))
    }

    /// Adds an object to a to-many relationship without its inverse.
    func addMember(_ owner: ManagedObject, _ slot: Int, _ member: ManagedObject, at index: Int? = nil) {
        let state = graph.collection(of: owner, slot: slot)
        changeCollection(owner, slot) {
            if state.add(member, at: index), graph.recordsUndo {
                graph.undo?.record(.memberAdded(owner, slot: slot, member: member))
            }
        }
    }

    /// Removes an object from a to-many relationship without its inverse.
    func removeMember(_ owner: ManagedObject, _ slot: Int, _ member: ManagedObject) {
        let state = loadedListForUndo(of: owner, slot)
        let place = state.isOrdered && graph.recordsUndo ? ListPosition(of: member, in: state.list) : nil
        changeCollection(owner, slot) {
            if state.remove(member), graph.recordsUndo {
                graph.undo?.record(.memberRemoved(owner, slot: slot, member: member, place: place))
            }
        }
    }

    /// Returns the state of a relationship before a removal, and loads an ordered relationship if undo needs the
    /// positions.
    func loadedListForUndo(of owner: ManagedObject, _ slot: Int) -> ToManyState {
        let state = graph.collection(of: owner, slot: slot)
        guard graph.undo != nil, state.isOrdered, !state.isCurrent else { return state }
        return graph.loadedCollection(of: owner, slot: slot)
    }

    /// Moves a restored member to its old position in an ordered relationship.
    func restorePosition(_ owner: ManagedObject, _ slot: Int, _ member: ManagedObject) {
        let state = graph.collection(of: owner, slot: slot)
        if state.isOrdered { changeCollection(owner, slot) { state.restorePosition(member) } }
    }

    /// Changes the order of an ordered relationship.
    func reorder(_ owner: ManagedObject, _ slot: Int, _ order: [ManagedObject]) {
        let state = graph.collection(of: owner, slot: slot)
        if state.list == order { return }
        graph.undo?.record(.reordered(owner, slot: slot, old: state.list))
        changeCollection(owner, slot) { state.reorder(order) }
    }

    /// Removes from restored objects the references to detached objects and the members that have another owner.
    ///
    /// Undo doesn't record this, because reverting it would remove members from their current owners.
    func removeLostReferences(of restored: [ManagedObject]) {
        if restored.isEmpty { return }
        graph.withoutUndo {
            // Members that are not loaded can have another owner only by a pending change.
            let owners = Set(restored.filter(hasUnloadedMembers))
            if !owners.isEmpty {
                for member in graph.changes.objects where member.isLive {
                    removeFromFormerOwners(member, among: owners)
                }
            }
            for object in restored { removeReferencesAndMembers(of: object) }
        }
    }

    /// Whether an object has a relationship to members that refer to it, and the members are not loaded.
    private func hasUnloadedMembers(_ object: ManagedObject) -> Bool {
        object.entity.properties.contains { property in
            guard let relationship = property.relationship, relationship.description.isToMany,
                relationship.inverseSlot != nil, !relationship.inverseIsToMany
            else { return false }
            guard case .collection(let state)? = object.overlay?.slots[property.slot] else { return true }
            return !state.isLoaded
        }
    }

    private func removeReferencesAndMembers(of object: ManagedObject) {
        for property in object.entity.properties {
            guard let relationship = property.relationship else { continue }
            if relationship.description.isToMany {
                guard case .collection(let state)? = object.overlay?.slots[property.slot] else { continue }
                for member in state.members where !refersBack(member, to: object, relationship) {
                    if isNoMemberInRow(member, relationship) {
                        changeCollection(object, property.slot) { state.forget(member) }
                    } else {
                        removeMember(object, property.slot, member)
                    }
                }
            } else if let target = graph.rawTarget(of: object, slot: property.slot),
                target.state == .detached
                    || (relationship.isOneToOne && !refersBack(target, to: object, relationship)
                        && !isContradictedByRow(object, property.slot, target, relationship))
            {
                setTarget(object, property.slot, to: nil)
            }
        }
    }

    /// Whether an object's reference is as in its row, and the row of its one-to-one target doesn't refer back.
    ///
    /// The reference is then as it was before the deletion, until the object follows the store.
    private func isContradictedByRow(
        _ object: ManagedObject, _ slot: Int, _ target: ManagedObject, _ relationship: RelationshipLayout
    ) -> Bool {
        guard target.isLive, object.overlay?.slots[slot].isDirty != true,
            let inverse = relationship.inverseSlot
        else { return false }
        return InverseMaintenance(graph: graph).isContradicted(object, slot, by: target, inverse)
    }

    /// Marks the links of an object that is inserted again as added in the inverse relationships, because they were
    /// deleted with its row.
    func markLinksAdded(of object: ManagedObject) {
        for property in object.entity.properties {
            guard let relationship = property.relationship, relationship.isManyToMany,
                let inverse = relationship.inverseSlot,
                case .collection(let state)? = object.overlay?.slots[property.slot]
            else { continue }
            for member in state.members { markAdded(object, to: member, inverse) }
        }
    }

    /// Marks an object that is inserted again as an added member of a relationship.
    private func markAdded(_ object: ManagedObject, to owner: ManagedObject, _ slot: Int) {
        let state = graph.collection(of: owner, slot: slot)
        if state.added.contains(object) { return }
        if graph.recordsUndo { graph.undo?.record(.memberAdded(owner, slot: slot, member: object)) }
        changeCollection(owner, slot) { state.markAdded(object) }
    }

    /// Adds a restored object to the inverse relationships of the objects that it references.
    func addToOwners(of object: ManagedObject) {
        for property in object.entity.properties {
            guard let relationship = property.relationship, !relationship.description.isToMany,
                relationship.inverseIsToMany, let inverse = relationship.inverseSlot,
                let owner = graph.rawTarget(of: object, slot: property.slot), owner.isLive
            else { continue }
            // A refresh may have reverted the members while the object was deleted, so they have it as a stored one.
            let state = graph.collection(of: owner, slot: inverse)
            if object.state == .inserted, state.isLoaded, state.members.contains(object) {
                markAdded(object, to: owner, inverse)
            }
            guard !isMember(object, of: owner, inverse, referringBy: property.slot),
                // Loaded members without the object contradict its row, which may be older.
                object.overlay?.slots[property.slot].isDirty == true
                    || !isCertainlyNoMember(object, of: owner, inverse)
            else { continue }
            addMember(owner, inverse, object)
            restorePosition(owner, inverse, object)
        }
    }

    /// Removes an object from the owners to which it no longer refers, but which have it as a stored member.
    ///
    /// This happens if the object or the owner was deleted when the object got another owner, or when a refresh reverted the members. Undo
    /// doesn't record the removal, because it belongs to the object's reference.
    ///
    /// - Parameter owners: The owners from which to remove it; nil for all.
    func removeFromFormerOwners(_ object: ManagedObject, among owners: Set<ManagedObject>? = nil) {
        for property in object.entity.properties where object.overlay?.slots[property.slot].isDirty == true {
            guard let relationship = property.relationship, !relationship.description.isToMany,
                relationship.inverseIsToMany, let inverse = relationship.inverseSlot,
                let key = graph.committedKey(of: object, slot: property.slot),
                let former = graph.identities.object(
                    key, rootIndex: graph.model.layouts[relationship.destinationIndex].rootIndex),
                former.isLive, owners?.contains(former) ?? true,
                graph.rawTarget(of: object, slot: property.slot) !== former,
                isMember(object, of: former, inverse, referringBy: property.slot)
            else { continue }
            graph.withoutUndo { removeMember(former, inverse, object) }
        }
    }

    /// Whether an object is a member of a relationship, without loading the relationship.
    ///
    /// - Parameter reference: The slot of the members' to-one relationship to their owner.
    func isMember(
        _ member: ManagedObject, of owner: ManagedObject, _ slot: Int, referringBy reference: Int
    ) -> Bool {
        let state = graph.collection(of: owner, slot: slot)
        if state.isLoaded { return state.members.contains(member) }
        return state.added.contains(member)
            || !state.removed.contains(member)
                && graph.committedKey(of: member, slot: reference) == owner.key
    }

    /// Whether the context has loaded a to-many relationship, and an object is not one of its stored members.
    func isCertainlyNoMember(_ target: ManagedObject, of object: ManagedObject, _ slot: Int) -> Bool {
        let state = graph.collection(of: object, slot: slot)
        return state.isCurrent && !state.members.contains(target) && !state.removed.contains(target)
    }

    /// Whether a member that refers to another owner or to none does so in its row, so removing it from the list is no change.
    private func isNoMemberInRow(_ member: ManagedObject, _ relationship: RelationshipLayout) -> Bool {
        guard let inverse = relationship.inverseSlot, !relationship.inverseIsToMany else { return false }
        return member.isLive && member.row >= 0 && member.overlay?.slots[inverse].isDirty != true
    }

    /// Whether a related object exists and, if the inverse is to-one, refers to this object.
    private func refersBack(
        _ other: ManagedObject, to object: ManagedObject, _ relationship: RelationshipLayout
    ) -> Bool {
        guard other.isLive else { return false }
        guard let inverse = relationship.inverseSlot, !relationship.inverseIsToMany else { return true }
        return graph.rawTarget(of: other, slot: inverse) === object
    }

    /// Runs a closure that changes a collection, updates the state of its owner and notifies observers.
    func changeCollection(_ owner: ManagedObject, _ slot: Int, _ body: () -> Void) {
        if graph.isObserved { graph.willChange(owner, slot: slot) }
        body()
        graph.updateState(of: owner)
        if graph.isObserved { graph.didChange(owner, slot: slot) }
    }
}
