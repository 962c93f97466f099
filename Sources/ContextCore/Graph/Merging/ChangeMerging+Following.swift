extension ChangeMerging {
    /// The objects that missed a change of the store because of pending changes and can be brought up to date now.
    private var outdatedObjects: Set<ManagedObject> {
        if graph.contested.isEmpty { return graph.unmerged }
        return graph.unmerged.union(graph.contested.keys.filter { !$0.hasChanges })
    }

    /// Whether some objects are out of date and can be updated.
    var hasOutdatedObjects: Bool { !outdatedObjects.isEmpty }

    /// Updates the objects that missed changes of the store.
    func updateOutdatedObjects() throws { try updateOutdatedObjects(outdatedObjects) }

    /// Updates the given objects, which missed changes of the store.
    func updateOutdatedObjects(_ outdatedObjects: Set<ManagedObject>) throws {
        if outdatedObjects.isEmpty { return }
        let contested = graph.contested.filter { outdatedObjects.contains($0.key) }
        for object in outdatedObjects { graph.contested[object] = nil }
        graph.unmerged.subtract(outdatedObjects)
        do {
            try updateOrDetach(Array(outdatedObjects))
        } catch {
            graph.unmerged.formUnion(outdatedObjects)
            graph.contested.merge(contested) { new, _ in new }
            throw error
        }
        graph.pruneChanges()
    }

    /// Updates objects to the parent's current rows, and detaches those that have neither a row nor pending changes.
    func updateOrDetach(_ objects: [ManagedObject]) throws {
        try detachUnlessChanged(try follow(objects, deletedWithChanges: []))
    }

    /// Detaches objects without a row, except for those with pending changes.
    func detachUnlessChanged(_ gone: [ManagedObject]) throws {
        var partners: [ManagedObject] = []
        var remaining = gone
        while remaining.contains(where: { $0.state == .unchanged }) {
            for object in remaining where object.state == .unchanged {
                partners += removeReferences(to: object)
                graph.detach(object)
            }
            // The owner of a detached object may have no other change than this new member.
            remaining.removeAll { $0.state == .detached }
        }
        // Read after all objects have been detached, so that an error leaves none of them registered.
        if !partners.isEmpty { try graph.withoutUndo { try updateOrDetach(partners.filter(\.isLive)) } }
        try follow([], deletedWithChanges: Set(remaining.filter(\.hasChanges)))
    }

    /// Removes an object without a row from the relationships that still contain it.
    ///
    /// - Returns: The objects of its one-to-one relationships, whose rows have to be read again.
    private func removeReferences(to object: ManagedObject) -> [ManagedObject] {
        guard object.row >= 0 else { return [] }
        let editing = RelationshipEditing(graph: graph)
        // The stored rows no longer have the reference, so none of this is a change.
        var partners: [ManagedObject] = []
        graph.withoutUndo {
            forEachReference(of: object) { _, relationship, inverse, target in
                if !target.isLive || target.isFault { return }
                if !relationship.isOneToOne {
                    let state = graph.collection(of: target, slot: inverse)
                    editing.changeCollection(target, inverse) { state.forget(object) }
                } else if graph.rawTarget(of: target, slot: inverse) === object {
                    if target.overlay?.slots[inverse].isDirty == true {
                        editing.setTarget(target, inverse, to: nil)
                    } else {
                        partners.append(target)
                    }
                }
            }
        }
        return partners
    }

    /// Calls a closure with each object that one of the object's to-one relationships references, if the relationship
    /// has an inverse.
    private func forEachReference(
        of object: ManagedObject,
        _ body: (_ slot: Int, _ relationship: RelationshipLayout, _ inverse: Int, _ target: ManagedObject)
            throws -> Void
    ) rethrows {
        for property in object.entity.properties {
            guard let relationship = property.relationship, !relationship.description.isToMany,
                let inverse = relationship.inverseSlot,
                let target = graph.rawTarget(of: object, slot: property.slot)
            else { continue }
            try body(property.slot, relationship, inverse, target)
        }
    }

    /// Updates objects to the parent's current rows and keeps their pending changes.
    ///
    /// - Parameter staying: Objects with pending changes that were deleted in the store.
    /// - Returns: The objects that no longer have a row.
    @discardableResult
    func follow(_ objects: [ManagedObject], deletedWithChanges: Set<ManagedObject>) throws -> [ManagedObject]
    {
        var rebasing = Rebasing(graph: graph, deletedWithChanges: deletedWithChanges)
        var gone: [ManagedObject] = []
        var current: [(object: ManagedObject, group: RowGroup, row: Int)] = []
        // Links have no versions: pending ones are reapplied to the stored ones.
        for object in objects where object.state != .inserted && object.state != .detached {
            Refreshing(graph: graph).unload(object)
        }
        let present = Dictionary(grouping: objects.filter { $0.state != .detached }, by: \.rootIndex)
        for (rootIndex, objects) in present.sorted(by: { $0.key < $1.key }) {
            let group = RowGroup(try graph.parent.rows(objects.map(\.key), entityIndex: rootIndex))
            var rows: [Int64: Int32] = [:]
            for row in 0..<group.batch.count { rows[group.batch.key(at: row)] = Int32(row) }
            for object in objects {
                guard let row = rows[object.key] else {
                    if object.state != .inserted { gone.append(object) }
                    continue
                }
                if object.row >= 0, group.batch.version(at: Int(row)) == graph.version(of: object) {
                    current.append((object, group, Int(row)))
                }
                try follow(object, group, row, &rebasing)
            }
        }
        try rebasing.alignInverses()
        // Their rows were read after the change and before this merge, so the old owners are unknown.
        removeFromLoadedOwners(current.map(\.object)) { [graph] member, slot, owner in
            graph.rawTarget(of: member, slot: slot) !== owner
                && graph.committedKey(of: member, slot: slot) != owner.key
        }
        for (object, group, row) in current where object.isLive {
            addToLoadedOwners(group, row, unlessPending: object)
        }
        try graph.withoutFaultingPolicy { try keepDeletedObjects(deletedWithChanges) }
        return gone
    }

    private func follow(
        _ object: ManagedObject, _ group: RowGroup, _ row: Int32, _ rebasing: inout Rebasing
    ) throws {
        if object.state == .deleted, group.batch.version(at: Int(row)) != graph.version(of: object) {
            graph.contested[object] = []
            return
        }
        let contested = rebasing.contested(in: object, group.batch, Int(row))
        // A base value that was never loaded can't be stored in a newer row.
        if contested.contains(where: { graph.isDeferred($0, inRowOf: object) }) {
            graph.contested[object] = Set(contested.map(\.slot))
            return
        }
        try rebasing.rebase(object, group, row, keeping: contested)
    }

    /// Keeps objects with pending changes, although the store has deleted them.
    ///
    /// An object whose only pending changes are removals from its to-many relationships is detached, because these no
    /// longer have stored members.
    private func keepDeletedObjects(_ objects: Set<ManagedObject>) throws {
        if objects.isEmpty { return }
        removeLinks(to: objects)
        let kept = objects.filter(\.isLive)
        // An owner that was read later than the object may have it as a member although the object doesn't refer to it.
        removeFromLoadedOwners(Array(kept)) { [graph] member, slot, owner in
            graph.rawTarget(of: member, slot: slot) !== owner
        }
        for object in kept { try reloadMembers(object) }
        for object in kept where object.row >= 0 && object.hasChanges {
            try restoreReferences(of: object)
            try referToPartners(of: object)
        }
        for object in objects where object.hasChanges { graph.contested[object] = [] }
        try detachUnlessChanged(objects.filter { !$0.hasChanges })
    }

    /// Reloads the to-many relationships of an object that was deleted in the store.
    ///
    /// They then contain the members that this context added and those that still refer to the object in the parent. A
    /// parent context in which the object is only marked as deleted may have such members.
    private func reloadMembers(_ object: ManagedObject) throws {
        Refreshing(graph: graph).unload(object)
        if let overlay = object.overlay {
            for (slot, value) in overlay.slots.enumerated() {
                guard case .collection(let state) = value else { continue }
                try FaultLoader(graph: graph).load(state, of: object, slot: slot)
            }
        }
        graph.updateState(of: object)
        graph.didChangeAll(object)
    }

    /// Removes deleted objects from many-to-many relationships, since their links were deleted with their rows.
    private func removeLinks(to objects: Set<ManagedObject>) {
        for owner in graph.identities.all {
            guard let overlay = owner.overlay else { continue }
            var isChanged = false
            for property in owner.entity.properties where property.relationship?.isManyToMany == true {
                guard case .collection(let state) = overlay.slots[property.slot] else { continue }
                for member in state.members.union(state.removed).intersection(objects) {
                    state.removeMissingMember(member)
                    isChanged = true
                }
            }
            if !isChanged { continue }
            graph.updateState(of: owner)
            graph.didChangeAll(owner)
        }
    }

    /// Keeps the references of an object that was deleted in the store if their targets exist, and restores the
    /// inverses.
    private func restoreReferences(of object: ManagedObject) throws {
        let editing = RelationshipEditing(graph: graph)
        var lost: [Int] = []
        try graph.withoutUndo {
            try forEachReference(of: object) { slot, relationship, inverse, target in
                if object.overlay?.slots[slot].isDirty == true {
                    if relationship.isOneToOne { alignInverse(object, slot, inverse, target) }
                    return
                }
                guard try exists(target) else {
                    lost.append(object.location(of: slot).column)
                    return
                }
                if !relationship.isOneToOne {
                    let state = graph.collection(of: target, slot: inverse)
                    editing.changeCollection(target, inverse) { state.markAdded(object) }
                } else if graph.rawTarget(of: target, slot: inverse) == nil {
                    editing.setTarget(target, inverse, to: object)
                    InverseMaintenance(graph: graph).markBothReferencesDirty(object, slot, target, inverse)
                } else if graph.rawTarget(of: target, slot: inverse) !== object {
                    lost.append(object.location(of: slot).column)
                }
            }
        }
        if !lost.isEmpty { try clearCommittedReferences(lost, of: object) }
    }

    /// Lets an object that a parent context has marked as deleted refer to the one-to-one partners that refer to it there.
    ///
    /// A save of another context may have given it such a partner after the deletion. In the store, no row refers to a deleted one.
    private func referToPartners(of object: ManagedObject) throws {
        guard graph.parent.isMarkedDeleted(object.key, rootIndex: object.rootIndex) else { return }
        for property in object.entity.properties where property.relationship?.isOneToOne == true {
            guard let inverse = property.relationship?.inverseSlot,
                graph.rawTarget(of: object, slot: property.slot) == nil,
                let partner = try MembersQuery(object, slot: property.slot).storedMembers().first,
                graph.rawTarget(of: partner, slot: inverse) === object
            else { continue }
            graph.withoutUndo {
                RelationshipEditing(graph: graph).setTarget(object, property.slot, to: partner)
            }
        }
    }

    /// Sets the inverse of a one-to-one relationship, or clears the object's reference if the inverse references
    /// another object.
    private func alignInverse(
        _ object: ManagedObject, _ slot: Int, _ inverse: Int, _ partner: ManagedObject
    ) {
        let editing = RelationshipEditing(graph: graph)
        guard partner.isLive, graph.ensureLoaded(partner) || partner.state == .inserted else { return }
        let rival = graph.rawTarget(of: partner, slot: inverse)
        if rival === object { return }
        if rival == nil {
            editing.setTarget(partner, inverse, to: object)
        } else {
            editing.setTarget(object, slot, to: nil)
        }
    }

    /// Clears references in an object's base row, which doesn't count as a change.
    private func clearCommittedReferences(_ columns: [Int], of object: ManagedObject) throws {
        guard let group = object.group else { return }
        var builder = RowBatchBuilder(model: graph.model)
        builder.append(Int(object.row), of: group.batch, version: graph.version(of: object))
        for column in columns { builder.setNull(column) }
        graph.fill(object, RowGroup(try builder.finish(), site: group.site), 0)
        graph.didChangeAll(object)
    }

    private func exists(_ object: ManagedObject) throws -> Bool {
        guard object.isLive, object.state == .unchanged else { return object.isLive }
        return try FaultLoader(graph: graph).hasRow(object)
    }
}
