/// Deletes objects and does what their delete rules say.
struct DeletePropagation {
    let graph: ObjectGraph

    /// Deletes an object, and whatever its cascades lead to.
    func delete(_ object: ManagedObject) {
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
