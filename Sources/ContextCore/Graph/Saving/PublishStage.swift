/// Updates the objects of a context after they have been saved.
struct PublishStage {
    let graph: ObjectGraph

    func publish(_ save: EncodedSave) {
        let work = save.work
        for rootIndex in graph.unloadedDependents.roots { graph.beginEpoch(rootIndex: rootIndex) }
        for kind in work.all { graph.beginEpoch(rootIndex: kind.entity.rootIndex) }
        graph.clearUnloadedDependents()
        for (state, positions) in save.positions { state.positions.merge(positions) { _, new in new } }
        for (objects, group) in save.rows {
            var row: Int32 = 0
            objects.forEachUnretained { object in
                object.group = group
                object.row = row
                row += 1
            }
        }
        markSaved(work)
        if !graph.lastVersions.isEmpty {
            forEach(work.inserted) { graph.lastVersions[$0.objectID] = nil }
        }
        // All deleted objects copy their values, which include references to each other, before the first of them is unregistered.
        if graph.undo != nil { forEach(work.deleted) { Undoing(graph: graph).copyCommittedValues(of: $0) } }
        forEach(work.deleted, detach)
        for completed in save.completed { applyDerivedAttributes(completed) }
        graph.pruneChanges()
        graph.releaseDroppedObjects()
        forEach(work.all.filter(\.entity.hasSaveHooks)) { $0.didSave() }
    }

    private func forEach(_ kinds: [SaveSelection.Kind], _ body: (ManagedObject) -> Void) {
        for kind in kinds {
            kind.objects.forEachUnretained(body)
        }
    }

    /// Sets the derived attributes that the store's transaction calculated in their objects.
    ///
    /// An object that another context has saved too keeps its base row, so that its next save finds the conflict.
    private func applyDerivedAttributes(_ completed: ChangeSet) {
        for batch in completed.inserts.map(\.rows) + completed.updates.map(\.rows) {
            let group = RowGroup(batch)
            for row in 0..<batch.count {
                let entity = graph.model.layouts[batch.entityIndex(at: row)]
                guard !entity.derivations.isEmpty,
                    let object = graph.identities.object(batch.key(at: row), rootIndex: entity.rootIndex),
                    object.row >= 0, object.state != .detached, object.state != .inserted
                else { continue }
                let version = graph.version(of: object)
                guard version == batch.version(at: row) || version == batch.version(at: row) - 1 else {
                    continue
                }
                Rebasing(graph: graph).replaceBaseRow(object, group, Int32(row))
            }
        }
    }

    private func markSaved(_ work: SaveSelection) {
        if work.count == graph.changes.objects.count { return markSaved(work, nil) }
        // Objects that still have changes keep their links to them.
        forEach(work.all) { $0.isBeingSaved = true }
        // Nothing was written for objects that another context has deleted: a change of their rows would have conflicted, or
        // the merge policy would have inserted them again.
        for object in graph.contested.keys where object.state == .updated { object.isBeingSaved = false }
        markSaved(work) { !$0.isBeingSaved && $0.hasChanges }
        for owner in graph.changes.objects where !owner.isBeingSaved { commitMembers(of: owner) }
        forEach(work.all) { $0.isBeingSaved = false }
    }

    private func markSaved(_ work: SaveSelection, _ isPending: ((ManagedObject) -> Bool)?) {
        for kind in work.inserted {
            if !kind.entity.rowsAreComplete {
                kind.objects.forEachUnretained { markSaved($0, isPending) }
                continue
            }
            kind.objects.forEachUnretained { object in
                object.overlay = nil
                object.state = .unchanged
            }
        }
        forEach(work.updated) { markSaved($0, isPending) }
    }

    /// In an owner that is not part of the save, marks the members whose rows or links were written as saved.
    private func commitMembers(of owner: ManagedObject) {
        // A saved row never refers to an object that is not inserted yet.
        guard let overlay = owner.overlay, owner.state != .inserted else { return }
        if owner.state == .deleted { return unloadSavedMembers(of: owner, overlay) }
        var hasCommitted = false
        for slot in overlay.occupied {
            guard case .collection(let state) = overlay.slots[slot], state.isDirty,
                let relationship = owner.entity.properties[slot].relationship,
                relationship.inverseSlot != nil
            else { continue }
            // Links are saved with the property from which they are encoded, and deleted with either property.
            let isWritten =
                !relationship.inverseIsToMany || !relationship.isLinkOwner(in: graph.model, slot: slot)
            hasCommitted =
                state.commit { $0.isBeingSaved && (isWritten || $0.state == .deleted) } || hasCommitted
        }
        if hasCommitted { graph.updateState(of: owner) }
    }

    /// Unloads the members of an object that is marked as deleted, in case it is restored: some have been saved without it.
    private func unloadSavedMembers(of owner: ManagedObject, _ overlay: Overlay) {
        for slot in overlay.occupied {
            guard case .collection(let state) = overlay.slots[slot], state.isLoaded,
                state.members.contains(where: \.isBeingSaved)
            else { continue }
            guard state.isDirty else {
                overlay.slots[slot] = .unchanged
                continue
            }
            // Otherwise a list would still count them as stored members, and undo could not add them again.
            for member in state.members where member.isBeingSaved { state.removeMissingMember(member) }
            state.unload()
        }
    }

    /// Removes committed values from an object's overlay.
    ///
    /// Loaded relationships, transient values, and links to objects that are not part of the save stay.
    private func markSaved(_ object: ManagedObject, _ isPending: ((ManagedObject) -> Bool)?) {
        guard let overlay = object.overlay, !isCommitted(overlay, of: object) else {
            object.overlay = nil
            object.state = .unchanged
            return
        }
        // The old values are retained until the end, because the `deinit` of an object may set properties.
        let before = (slots: Array(overlay.slots), removed: overlay.slots.map(\.removed))
        defer { withExtendedLifetime(before) {} }
        for slot in overlay.occupied {
            switch overlay.slots[slot] {
            case .collection(let state):
                state.markSaved(except: isPending.map { self.isPending(slot, of: object, $0) })
                if !state.isCurrent && !state.isDirty { overlay.slots[slot] = .unchanged }
            case .value(let value) where object.entity.properties[slot].columns.isEmpty:
                overlay.slots[slot] = .clean(value)
            case .value, .object: overlay.slots[slot] = .unchanged
            case .unchanged, .clean: break
            }
        }
        if overlay.isEmpty { object.overlay = nil }
        object.state = object.overlay?.isDirty == true ? .updated : .unchanged
    }

    /// Returns a condition for members whose links are still unsaved after a save of only some objects.
    ///
    /// The links of many-to-many relationships are saved with the property from which they are encoded.
    private func isPending(
        _ slot: Int, of object: ManagedObject, _ isPending: @escaping (ManagedObject) -> Bool
    ) -> (ManagedObject) -> Bool {
        guard let relationship = object.entity.properties[slot].relationship, relationship.isManyToMany,
            relationship.isLinkOwner(in: graph.model, slot: slot)
        else { return isPending }
        return { $0.state == .inserted && !$0.isBeingSaved }
    }

    /// Whether rows contain all values of an overlay, as for a new object with attributes only.
    private func isCommitted(_ overlay: Overlay, of object: ManagedObject) -> Bool {
        for slot in overlay.occupied {
            switch overlay.slots[slot] {
            case .collection, .clean: return false
            case .value where object.location(of: slot).column < 0: return false
            case .value, .object, .unchanged: break
            }
        }
        return true
    }

    /// Detaches a deleted object, but not from its values if its deletion can be undone.
    private func detach(_ object: ManagedObject) {
        guard graph.undo != nil else { return graph.detach(object) }
        object.state = .detached
        graph.identities.forget(object)
    }
}
