/// Refreshes objects from the store and discards changes.
struct Refreshing {
    let graph: ObjectGraph

    /// Fetches an object's row again, and the related objects that its loaded relationships reference.
    func refresh(_ object: ManagedObject, mergeChanges: Bool) throws {
        try graph.throwDeferredError()
        guard object.state == .unchanged || object.state == .updated || object.state == .deleted else {
            return
        }
        let batch = try graph.parent.rows([object.key], entityIndex: object.rootIndex)
        guard batch.count == 1 else { throw graph.inaccessible(object) }
        if !mergeChanges { revert(object) }
        // These reads are exempt from the program's faulting policy.
        try graph.withoutFaultingPolicy {
            let loaded = loadedRelationships(of: object)
            let before = loadedRelatedObjects(object, loaded)
            unload(object)
            try Rebasing.rebase(object, RowGroup(batch), 0, in: graph)
            // Added and removed members are read again too, so that the relationships are consistent with their
            // inverses.
            let merging = ChangeMerging(graph: graph)
            var related = before.union(loadedRelatedObjects(object, loaded))
            if !mergeChanges { related.formUnion(graph.contested.keys.filter { refers($0, to: object) }) }
            try merging.updateOrDetach(Array(related))
            // The store may also have changed the inverses of the reverted properties.
            if !mergeChanges { try merging.updateOutdatedObjects() }
        }
        graph.pruneChanges()
    }

    /// Returns the slots of an object's loaded relationships with inverses.
    private func loadedRelationships(of object: ManagedObject) -> [Int] {
        object.entity.properties.compactMap { property in
            guard let relationship = property.relationship, relationship.inverseSlot != nil else {
                return nil
            }
            if !relationship.description.isToMany { return object.row >= 0 ? property.slot : nil }
            guard case .collection(let state)? = object.overlay?.slots[property.slot], state.isLoaded else {
                return nil
            }
            return property.slot
        }
    }

    /// Returns the loaded objects that the given relationships reference.
    private func loadedRelatedObjects(_ object: ManagedObject, _ slots: [Int]) -> Set<ManagedObject> {
        var loadedRelatedObjects: Set<ManagedObject> = []
        for slot in slots {
            if object.entity.properties[slot].relationship?.description.isToMany == true {
                loadedRelatedObjects.formUnion(graph.loadedCollection(of: object, slot: slot).members)
            } else if let target = graph.rawTarget(of: object, slot: slot) {
                loadedRelatedObjects.insert(target)
            }
        }
        return loadedRelatedObjects.filter { $0 !== object && $0.isLive && !$0.isFault }
    }

    /// Whether one of an object's to-one relationships references another object.
    private func refers(_ object: ManagedObject, to target: ManagedObject) -> Bool {
        object.isLive
            && object.entity.properties.contains { property in
                property.relationship?.description.isToMany == false
                    && graph.rawTarget(of: object, slot: property.slot) === target
            }
    }

    func refreshAll(mergeChanges: Bool) throws {
        try graph.throwDeferredError()
        if !mergeChanges { rollback() }
        let objects = graph.identities.all
        var changed: [Int: [ManagedObject]] = [:]
        for object in objects where object.isLive || object.state == .deleted {
            unload(object)
            if object.overlay == nil, object.state == .unchanged {
                graph.refault(object)
            } else if object.row >= 0 || graph.isReinserted(object) {
                changed[object.rootIndex, default: []].append(object)
            }
        }
        for object in objects { graph.didChangeAll(object) }
        graph.recordUnknownChanges()
        var rebasing = Rebasing(graph: graph)
        var gone = Set(changed.values.joined().filter { $0.state != .inserted })
        for (rootIndex, objects) in changed.sorted(by: { $0.key < $1.key }) {
            let group = RowGroup(try graph.parent.rows(objects.map(\.key), entityIndex: rootIndex))
            for row in 0..<group.batch.count {
                guard let object = graph.identities.object(group.batch.key(at: row), rootIndex: rootIndex)
                else { continue }
                gone.remove(object)
                try rebasing.rebase(object, group, Int32(row))
            }
        }
        try rebasing.alignInverses()
        try ChangeMerging(graph: graph).detachUnlessChanged(Array(gone))
        graph.pruneChanges()
    }

    /// Updates registered objects to the rows of a fetch and keeps their pending changes.
    func refresh(from group: RowGroup) throws {
        var rebasing = Rebasing(graph: graph)
        for row in 0..<Int32(group.batch.count) {
            let entity = graph.model.layouts[group.batch.entityIndex(at: Int(row))]
            guard
                let object = graph.identities.object(
                    group.batch.key(at: Int(row)), rootIndex: entity.rootIndex),
                object.row >= 0, object.state != .inserted, object.state != .detached
            else { continue }
            unload(object)
            try rebasing.rebase(object, group, row)
        }
        try rebasing.alignInverses()
        graph.pruneChanges()
    }

    /// Turns unchanged objects into faults.
    func refreshUnchanged() {
        for object in graph.identities.all where object.state == .unchanged {
            unload(object)
            if object.overlay == nil { graph.refault(object) }
            graph.didChangeAll(object)
        }
    }

    /// Discards all unsaved changes.
    func rollback() {
        graph.deferredError = nil
        graph.clearUnloadedDependents()
        for object in graph.changes.objects {
            switch object.state {
            case .inserted:
                object.state = .detached
                graph.identities.forget(object)
            case .deleted: object.state = .unchanged
            case .updated, .unchanged, .detached: break
            }
            discardChanges(object)
        }
        turnOutdatedObjectsIntoFaults()
        graph.deletionCount += 1
        graph.pruneChanges()
        graph.clearUndo()
        graph.lastVersions = [:]
    }

    /// Turns unchanged objects into faults if discarded changes had kept objects from being updated to the store's
    /// values.
    private func turnOutdatedObjectsIntoFaults() {
        let outdated = graph.unmerged.union(graph.contested.keys)
        if outdated.isEmpty { return }
        refreshUnchanged()
        // Faults also drop their other unsaved state, such as transient values.
        for object in outdated where object.state == .unchanged && object.row >= 0 {
            graph.refault(object)
            graph.didChangeAll(object)
        }
        // The next fetch detaches the deleted ones.
        (graph.contested, graph.unmerged) = ([:], outdated.filter(\.isFault))
    }

    /// Discards an object's changes without updating the inverses of its relationships, which suffices if all objects
    /// are reverted.
    private func discardChanges(_ object: ManagedObject) {
        defer { graph.didChangeAll(object) }
        guard let overlay = object.overlay else { return }
        for (slot, value) in overlay.slots.enumerated() where value.isDirty {
            overlay.slots[slot] = .unchanged
        }
        // An object that undo had inserted again may have loaded relationships, and be retained by their members.
        if overlay.isEmpty || object.state == .detached { object.overlay = nil }
        if object.state == .updated { object.state = .unchanged }
    }

    /// Discards an object's changes and updates the inverses of its relationships.
    func revert(_ object: ManagedObject) {
        if object.state == .deleted { revertDeletion(of: object) }
        guard let overlay = object.overlay else { return }
        // Reverting one slot may change another one, so iterate over a copy.
        for (slot, value) in Array(overlay.slots).enumerated() where value.isDirty {
            switch value {
            case .object: revertReference(object, slot)
            case .collection(let state): revertCollection(object, slot, state)
            case .value: graph.change(object, slot, to: .unchanged)
            case .unchanged, .clean: break
            }
        }
        if overlay.isEmpty { object.overlay = nil }
    }

    /// Reverts an unsaved deletion and restores the inverses of the object's relationships.
    ///
    /// Objects that were deleted by a cascade stay deleted.
    func restoreDeleted(_ object: ManagedObject) {
        Undoing(graph: graph).restoreDeleted(object)
        for (slot, relationship) in object.entity.propagations
        where relationship.description.deleteRule == .nullify {
            if relationship.description.isToMany {
                for member in graph.loadedCollection(of: object, slot: slot).members {
                    restoreReference(object, slot, member, relationship)
                }
            } else if let target = graph.rawTarget(of: object, slot: slot) {
                restoreReference(object, slot, target, relationship)
            }
        }
    }

    /// Reverts an unsaved deletion.
    ///
    /// The targets of one-to-one relationships refer to the object again, even if they now refer to another object,
    /// unless the store has given them another partner. Members that now have another owner are not restored.
    private func revertDeletion(of object: ManagedObject) {
        restoreDeleted(object)
        let editing = RelationshipEditing(graph: graph)
        for property in object.entity.properties {
            guard let relationship = property.relationship, relationship.isOneToOne,
                let inverse = relationship.inverseSlot,
                let partner = graph.rawTarget(of: object, slot: property.slot), partner.isLive,
                let rival = graph.rawTarget(of: partner, slot: inverse), rival !== object,
                !InverseMaintenance(graph: graph).isContradicted(object, property.slot, by: partner, inverse)
            else { continue }
            if graph.rawTarget(of: rival, slot: property.slot) === partner {
                editing.setTarget(rival, property.slot, to: nil)
            }
            editing.setTarget(partner, inverse, to: object)
        }
        editing.removeLostReferences(of: [object])
    }

    /// Restores another object's reference to an object, which the deletion of the object had cleared.
    private func restoreReference(
        _ object: ManagedObject, _ slot: Int, _ other: ManagedObject, _ relationship: RelationshipLayout
    ) {
        guard other.isLive, let inverse = relationship.inverseSlot else { return }
        if relationship.inverseIsToMany {
            let state = graph.collection(of: other, slot: inverse)
            guard state.removed.contains(object) || isPending(object, slot, other) else { return }
            RelationshipEditing(graph: graph).addMember(other, inverse, object)
            RelationshipEditing(graph: graph).restorePosition(other, inverse, object)
        } else if graph.rawTarget(of: other, slot: inverse) == nil,
            graph.committedKey(of: other, slot: inverse) == object.key
        {
            RelationshipEditing(graph: graph).setTarget(other, inverse, to: object)
        }
    }

    /// Whether an object's relationship to another one has been set since the last save.
    private func isPending(_ object: ManagedObject, _ slot: Int, _ other: ManagedObject) -> Bool {
        switch object.overlay?.slots[slot] {
        case .object(let target): target === other
        case .collection(let state): state.added.contains(other)
        case .unchanged, .value, .clean, nil: false
        }
    }

    /// Reverts a to-one relationship to its committed target.
    func revertReference(_ object: ManagedObject, _ slot: Int) {
        guard let relationship = object.entity.properties[slot].relationship else { return }
        let destination = graph.model.layouts[relationship.destinationIndex]
        do {
            let committed = try graph.committedKey(of: object, slot: slot)
                .flatMap { try graph.resolve($0, destination) }
            let target = committed.flatMap { $0.isLive ? $0 : nil }
            InverseMaintenance(graph: graph, revertingChanges: true).set(object, slot, to: target)
            let editing = RelationshipEditing(graph: graph)
            // The committed target may have to be a pending change, because the store now has another one.
            if committed !== target || object.overlay?.slots[slot].isDirty == true {
                editing.setTarget(object, slot, to: committed)
            }
            guard let committed, let inverse = relationship.inverseSlot, relationship.inverseIsToMany else {
                return
            }
            // `InverseMaintenance.set` skips an owner that is marked as deleted. Its list must contain the object if the deletion is reverted.
            if graph.collection(of: committed, slot: inverse).removed.contains(object) {
                editing.addMember(committed, inverse, object)
            }
            editing.restorePosition(committed, inverse, object)
        } catch {
            graph.deferError(error)
        }
    }

    private func revertCollection(_ object: ManagedObject, _ slot: Int, _ state: ToManyState) {
        guard let relationship = object.entity.properties[slot].relationship else { return }
        let maintenance = InverseMaintenance(graph: graph, revertingChanges: true)
        for member in state.added {
            if let inverse = relationship.inverseSlot, !relationship.inverseIsToMany, member.row >= 0 {
                revertReference(member, inverse)
                // The member's row still references the object, but the store now has another owner.
                RelationshipEditing(graph: graph).changeCollection(object, slot) { state.forget(member) }
            } else if let inverse = relationship.inverseSlot, relationship.inverseIsToMany {
                revertAddition(of: member, to: object, slot)
                revertAddition(of: object, to: member, inverse)
            } else {
                maintenance.remove(member, from: object, slot)
            }
        }
        for member in state.removed where member.isLive {
            if let inverse = relationship.inverseSlot, relationship.inverseIsToMany {
                revertRemoval(of: member, from: object, slot)
                revertRemoval(of: object, from: member, inverse)
            } else {
                maintenance.add(member, to: object, slot)
            }
        }
        if !state.isDirty { return }
        if graph.recordsUndo, state.isLoaded, state.isReordered {
            graph.undo?.record(.reordered(object, slot: slot, old: state.list))
        }
        graph.withoutUndo { graph.change(object, slot, to: .unchanged) }
    }

    /// Reverts the addition of a member in one of two inverse many-to-many relationships, unless the store now has the
    /// link.
    private func revertAddition(of member: ManagedObject, to owner: ManagedObject, _ slot: Int) {
        let editing = RelationshipEditing(graph: graph)
        if editing.loadedListForUndo(of: owner, slot).added.contains(member) {
            editing.removeMember(owner, slot, member)
        }
    }

    /// Reverts the removal of a member in one of two inverse many-to-many relationships, unless the store has removed
    /// the link.
    private func revertRemoval(of member: ManagedObject, from owner: ManagedObject, _ slot: Int) {
        let editing = RelationshipEditing(graph: graph)
        guard graph.collection(of: owner, slot: slot).removed.contains(member) else { return }
        editing.addMember(owner, slot, member)
        editing.restorePosition(owner, slot, member)
    }

    /// Unloads an object's to-many relationships and keeps their pending changes.
    func unload(_ object: ManagedObject) {
        object.group?.removeFetchedRelationships()
        guard let overlay = object.overlay, object.row >= 0 || object.isFault else { return }
        for (slot, value) in overlay.slots.enumerated() {
            guard case .collection(let state) = value else { continue }
            if state.isDirty { state.unload() } else { overlay.slots[slot] = .unchanged }
        }
        if overlay.isEmpty { object.overlay = nil }
    }
}
