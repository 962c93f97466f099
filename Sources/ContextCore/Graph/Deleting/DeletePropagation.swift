/// Deletes objects and applies their delete rules.
struct DeletePropagation {
    let graph: ObjectGraph
    /// Whether the save may delete dependents that are not loaded.
    var leavesDependentsUnloaded = true

    /// Deletes an object, and the objects that cascading delete rules delete with it.
    ///
    /// If a relationship with a delete rule can't be loaded, nothing is deleted, and the next fetch or save throws the error.
    func delete(_ object: ManagedObject) {
        graph.withoutFaultingPolicy {
            if isLoadable(object) { propagate(object) }
        }
    }

    /// Deletes the dependents of deleted owners, and returns the owners whose dependents can't be loaded.
    func deleteDependents(of owners: [UnloadedDependents.Owner]) -> [UnloadedDependents.Owner] {
        graph.withoutFaultingPolicy {
            owners.filter { owner in
                let state = graph.loadedCollection(of: owner.object, slot: owner.slot)
                guard state.isLoaded, state.members.allSatisfy(isLoadable) else { return true }
                let dependents = state.isOrdered ? state.list : Array(state.members)
                graph.deletionTrace?.recordCascade(to: dependents, from: owner.object, owner.slot)
                for dependent in dependents { propagate(dependent) }
                return false
            }
        }
    }

    /// Loads the relationships with delete rules, through all cascades, and returns whether that succeeded.
    ///
    /// It doesn't load dependents that may stay unloaded.
    private func isLoadable(_ object: ManagedObject) -> Bool {
        if object.entity.propagations.isEmpty, graph.undo == nil { return true }
        let earlier = graph.deferredError
        graph.deferredError = nil
        defer { if let earlier { graph.deferredError = earlier } }
        var seen: Set<ManagedObject> = [object]
        var pending = [object]
        while let next = pending.popLast() {
            if graph.undo != nil { loadForUndo(next) }
            if hasLoadFailed { return false }
            for (slot, relationship) in next.entity.propagations {
                let isCascade = relationship.description.deleteRule == .cascade
                if isCascade, leavesDependentsUnloaded, graph.canLeaveUnloaded(next, slot, relationship) {
                    continue
                }
                let leadsBackToOne = relationship.inverseSlot != nil && !relationship.inverseIsToMany
                let targets = isCascade || leadsBackToOne ? targets(next, slot, relationship) : nil
                if targets == nil { load(next, slot, relationship) }
                if leadsBackToOne {
                    for target in targets ?? [] where target.isFault { _ = graph.ensureLoaded(target) }
                }
                if hasLoadFailed { return false }
                guard isCascade, let targets else { continue }
                pending += targets.filter { !$0.isDeleted && seen.insert($0).inserted }
            }
        }
        return true
    }

    /// Loads a relationship without examining its targets.
    private func load(_ object: ManagedObject, _ slot: Int, _ relationship: RelationshipLayout) {
        if relationship.description.isToMany {
            _ = graph.loadedCollection(of: object, slot: slot)
        } else {
            _ = graph.target(of: object, slot: slot)
        }
    }

    /// Loads an object that undo may have to insert again; an object whose row no longer exists is skipped.
    private func loadForUndo(_ object: ManagedObject) {
        do {
            _ = try FaultLoader(graph: graph).exists(object)
        } catch {
            graph.deferError(error)
        }
    }

    /// Whether loading failed for another reason than a missing row; an object without a row can be deleted.
    private var hasLoadFailed: Bool {
        guard let error = graph.deferredError else { return false }
        return (error as? StoreError)?.code != .objectNotFound
    }

    private func propagate(_ object: ManagedObject) {
        var pending: [ManagedObject] = []
        deleteOne(object, &pending)
        while let next = pending.popLast() { deleteOne(next, &pending) }
    }

    /// Deletes an object and adds the objects to delete with it to a work list.
    private func deleteOne(_ object: ManagedObject, _ pending: inout [ManagedObject]) {
        if object.isDeleted { return }
        if object.hasObjectClass { object.prepareForDeletion() }
        markDeleted(object)
        for (slot, relationship) in object.entity.propagations {
            pending += propagate(object, slot, relationship)
        }
    }

    private func markDeleted(_ object: ManagedObject) {
        graph.undo?.record(.deleted(object))
        let isReinserted = graph.isReinserted(object)
        object.state = object.state == .inserted ? .detached : .deleted
        // Another context may insert the object again too, under the same identifier.
        if isReinserted { graph.identities.forget(object) }
        graph.changes.track(object)
        graph.changeCount += 1
        graph.deletionCount += 1
        if graph.isObserved { graph.didChangeAll(object) }
    }

    /// Applies the delete rule of one relationship.
    ///
    /// - Returns: The objects that the rule deletes with the object.
    private func propagate(_ object: ManagedObject, _ slot: Int, _ relationship: RelationshipLayout)
        -> [ManagedObject]
    {
        switch relationship.description.deleteRule {
        case .cascade:
            if leavesDependentsUnloaded, graph.canLeaveUnloaded(object, slot, relationship) {
                graph.recordUnloadedDependents(object, slot, relationship)
                return []
            }
            recordOrder(object, slot, relationship)
            let dependents = targets(object, slot, relationship)
            graph.deletionTrace?.recordCascade(to: dependents, from: object, slot)
            return dependents
        case .nullify:
            recordOrder(object, slot, relationship)
            for target in targets(object, slot, relationship) where !target.isDeleted {
                graph.deletionTrace?.recordNullification(of: target, relationship, from: object, slot)
                removeReference(target, relationship, from: object)
            }
            return []
        case .deny:
            // The save checks this rule, since the objects in the relationship may be deleted before that.
            return []
        case .noAction:
            return []
        }
    }

    /// Records the order of a list for undo.
    ///
    /// Undo restores the members one by one, and by then the list may have been saved without some of them.
    private func recordOrder(_ object: ManagedObject, _ slot: Int, _ relationship: RelationshipLayout) {
        if graph.undo == nil || !relationship.description.isOrdered { return }
        let list = graph.loadedCollection(of: object, slot: slot).list
        if list.count > 1 { graph.undo?.record(.deletedList(object, slot: slot, order: list)) }
    }

    private func targets(_ object: ManagedObject, _ slot: Int, _ relationship: RelationshipLayout)
        -> [ManagedObject]
    {
        if relationship.description.isToMany {
            let state = graph.loadedCollection(of: object, slot: slot)
            return state.isOrdered ? state.list : Array(state.members)
        }
        return graph.target(of: object, slot: slot).map { [$0] } ?? []
    }

    /// Removes an object's reference to a deleted object.
    private func removeReference(
        _ target: ManagedObject, _ relationship: RelationshipLayout, from object: ManagedObject
    ) {
        guard let inverse = relationship.inverseSlot else { return }
        InverseMaintenance(graph: graph).removeReference(
            target, inverse, from: object, isToMany: relationship.inverseIsToMany)
    }
}
