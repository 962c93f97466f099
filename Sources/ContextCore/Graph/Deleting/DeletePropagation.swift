/// Deletes objects and does what their delete rules say.
struct DeletePropagation {
    let graph: ObjectGraph
    /// Whether dependents may be left to the save that nobody has seen.
    var leavesUnseen = true

    /// Deletes an object, and whatever its cascades lead to.
    ///
    /// Where a relationship can't be loaded whose rule is to be carried out, nothing is deleted, and the next fetch or save says
    /// why.
    func delete(_ object: ManagedObject) {
        graph.withoutFaultingPolicy {
            if isLoadable(object) { propagate(object) }
        }
    }

    /// Deletes what cascades lead to from objects that are deleted; returns those from which it can't be loaded.
    func deleteDependents(of owners: [UnseenDependents.Owner]) -> [UnseenDependents.Owner] {
        graph.withoutFaultingPolicy {
            owners.filter { owner in
                let state = graph.loadedCollection(of: owner.object, slot: owner.slot)
                guard state.isLoaded, state.members.allSatisfy(isLoadable) else { return true }
                for dependent in state.isOrdered ? state.list : Array(state.members) { propagate(dependent) }
                return false
            }
        }
    }

    /// Loads whatever the rules are about, down all cascades, but for what may be left unseen.
    private func isLoadable(_ object: ManagedObject) -> Bool {
        if object.entity.propagations.isEmpty, graph.undo == nil { return true }
        let earlier = graph.deferredError
        graph.deferredError = nil
        defer { if let earlier { graph.deferredError = earlier } }
        var seen: Set<ManagedObject> = [object]
        var pending = [object]
        while let next = pending.popLast() {
            if graph.undo != nil { loadWhatIsUndone(next) }
            if isStoreLost { return false }
            for (slot, relationship) in next.entity.propagations {
                let isCascade = relationship.description.deleteRule == .cascade
                if isCascade, leavesUnseen, graph.leavesUnseen(next, slot, relationship) { continue }
                let leadsBackToOne = relationship.inverseSlot != nil && !relationship.inverseIsToMany
                let targets = isCascade || leadsBackToOne ? targets(next, slot, relationship) : nil
                if targets == nil { load(next, slot, relationship) }
                if leadsBackToOne {
                    for target in targets ?? [] where target.isFault { _ = graph.ensureLoaded(target) }
                }
                if isStoreLost { return false }
                guard isCascade, let targets else { continue }
                pending += targets.filter { !$0.isDeleted && seen.insert($0).inserted }
            }
        }
        return true
    }

    /// Loads what a relationship leads to, and looks at none of it.
    private func load(_ object: ManagedObject, _ slot: Int, _ relationship: RelationshipLayout) {
        if relationship.description.isToMany {
            _ = graph.loadedCollection(of: object, slot: slot)
        } else {
            _ = graph.target(of: object, slot: slot)
        }
    }

    /// Loads an object that undo may bring back when its row is gone; one whose row is gone already has nothing to come back with.
    private func loadWhatIsUndone(_ object: ManagedObject) {
        do {
            try FaultLoader(graph: graph).fire(object)
        } catch let error as StoreError where error.code == .objectNotFound {
        } catch {
            graph.keep(error)
        }
    }

    /// Whether something could not be loaded though it may be there: what is gone already may be deleted.
    private var isStoreLost: Bool {
        guard let error = graph.deferredError else { return false }
        return (error as? StoreError)?.code != .objectNotFound
    }

    private func propagate(_ object: ManagedObject) {
        var pending: [ManagedObject] = []
        carryOut(object, &pending)
        while let next = pending.popLast() { carryOut(next, &pending) }
    }

    /// Deletes an object; adds those that are to be deleted with it to those that wait for it.
    private func carryOut(_ object: ManagedObject, _ pending: inout [ManagedObject]) {
        if object.isDeleted { return }
        if object.hasObjectClass { object.prepareForDeletion() }
        mark(object)
        for (slot, relationship) in object.entity.propagations {
            pending += propagate(object, slot, relationship)
        }
    }

    private func mark(_ object: ManagedObject) {
        graph.undo?.record(.deleted(object))
        let isInsertedAgain = graph.isInsertedAgain(object)
        object.state = object.state == .inserted ? .detached : .deleted
        // Others may insert it again too, under its identifier.
        if isInsertedAgain { graph.identities.forget(object) }
        graph.changes.track(object)
        graph.changeCount += 1
        graph.deletionCount += 1
        if graph.isObserved { graph.didChangeAll(object) }
    }

    /// Carries out one relationship's rule.
    ///
    /// Returns the objects to be deleted too.
    private func propagate(_ object: ManagedObject, _ slot: Int, _ relationship: RelationshipLayout)
        -> [ManagedObject]
    {
        switch relationship.description.deleteRule {
        case .cascade:
            if leavesUnseen, graph.leavesUnseen(object, slot, relationship) {
                graph.noteUnseen(object, slot, relationship)
                return []
            }
            recordOrder(object, slot, relationship)
            return targets(object, slot, relationship)
        case .nullify:
            recordOrder(object, slot, relationship)
            for target in targets(object, slot, relationship) where !target.isDeleted {
                sever(target, relationship, from: object)
            }
            return []
        case .deny:
            // Checked by the save, since what stands in the way may be deleted until then.
            return []
        case .noAction:
            return []
        }
    }

    /// Records the order of a list for undo: members come back to it one by one, where some have been saved without it since.
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

    /// Lets the other end no longer lead to a deleted object.
    private func sever(
        _ target: ManagedObject, _ relationship: RelationshipLayout, from object: ManagedObject
    ) {
        guard let inverse = relationship.inverseSlot else { return }
        InverseMaintenance(graph: graph).sever(
            target, inverse, from: object, isToMany: relationship.inverseIsToMany)
    }
}
