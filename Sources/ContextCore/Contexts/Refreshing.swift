/// Takes objects back to what the store says.
struct Refreshing {
    let graph: ObjectGraph

    func refresh(_ object: ManagedObject, mergeChanges: Bool) throws {
        try graph.throwDeferredError()
        guard object.state == .unchanged || object.state == .updated || object.state == .deleted else {
            return
        }
        let batch = try graph.parent.rows([object.key], entityIndex: object.entity.rootIndex)
        guard batch.count == 1 else { throw graph.inaccessible(object) }
        if !mergeChanges { discardChanges(of: object) }
        unload(object)
        graph.fill(object, RowGroup(batch), 0)
        graph.changes.prune()
        graph.didChangeAll(object)
    }

    func refreshAll(mergeChanges: Bool) throws {
        try graph.throwDeferredError()
        if !mergeChanges { rollback() }
        for object in graph.identities.all {
            switch object.state {
            case .unchanged:
                unload(object)
                if object.overlay == nil {
                    graph.turnIntoFault(object)
                } else {
                    try refresh(object, mergeChanges: true)
                }
            case .updated, .deleted: try refresh(object, mergeChanges: true)
            case .inserted, .detached: break
            }
            graph.didChangeAll(object)
        }
    }

    /// Undoes everything that has not been saved.
    func rollback() {
        graph.deferredError = nil
        for object in graph.changes.objects {
            switch object.state {
            case .inserted:
                object.state = .detached
                graph.identities.forget(object)
            case .deleted: object.state = .unchanged
            case .updated, .unchanged, .detached: break
            }
            discardChanges(of: object)
        }
        graph.changes.prune()
        graph.undo?.clear()
    }

    /// Drops what is not saved in one object.
    func discardChanges(of object: ManagedObject) {
        guard let overlay = object.overlay else { return }
        for (slot, value) in overlay.slots.enumerated() where value.isDirty {
            overlay.slots[slot] = .unchanged
        }
        if overlay.isEmpty { object.overlay = nil }
        if object.state == .updated { object.state = .unchanged }
        graph.didChangeAll(object)
    }

    /// Forgets relationships that were loaded and not changed.
    func unload(_ object: ManagedObject) {
        object.group?.forgetRelated()
        guard let overlay = object.overlay else { return }
        for (slot, value) in overlay.slots.enumerated() {
            if case .collection(let state) = value, !state.isDirty { overlay.slots[slot] = .unchanged }
        }
        if overlay.isEmpty { object.overlay = nil }
    }
}
