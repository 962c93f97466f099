/// Deletes objects and does what their delete rules say.
struct DeletePropagation {
    let graph: ObjectGraph

    /// Deletes an object, and whatever its cascades lead to.
    ///
    /// Where a relationship can't be loaded whose rule is to be carried out, nothing is deleted, and the next fetch or save says
    /// why.
    func delete(_ object: ManagedObject) {
        graph.withoutFaultingPolicy {
            if isLoadable(object) { propagate(object) }
        }
    }

    /// Loads whatever the rules are about, down all cascades.
    private func isLoadable(_ object: ManagedObject) -> Bool {
        let earlier = graph.deferredError
        graph.deferredError = nil
        defer { if let earlier { graph.deferredError = earlier } }
        var seen: Set<ManagedObject> = [object]
        var pending = [object]
        while let next = pending.popLast() {
            if graph.undo != nil { loadWhatIsUndone(next) }
            if isStoreLost { return false }
            for property in next.entity.properties {
                guard let relationship = property.relationship, relationship.isPropagated else { continue }
                let isCascade = relationship.description.deleteRule == .cascade
                let leadsBackToOne = relationship.inverseSlot != nil && !relationship.inverseIsToMany
                let targets =
                    isCascade || leadsBackToOne ? targets(next, property.slot, relationship) : nil
                if targets == nil { load(next, property.slot, relationship) }
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
        var pending = [object]
        while let next = pending.popLast() {
            guard !next.isDeleted else { continue }
            if next.entity.hasObjectClass { next.prepareForDeletion() }
            mark(next)
            for property in next.entity.properties {
                if let relationship = property.relationship {
                    pending += propagate(next, property.slot, relationship)
                }
            }
        }
    }

    private func mark(_ object: ManagedObject) {
        graph.undo?.record(.deleted(object))
        object.state = object.state == .inserted ? .detached : .deleted
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
            return targets(object, slot, relationship)
        case .nullify:
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

extension RelationshipLayout {
    /// Whether a deletion at one end does anything at the other at once.
    fileprivate var isPropagated: Bool {
        switch description.deleteRule {
        case .cascade, .nullify: true
        case .deny, .noAction: false
        }
    }
}
