/// Lets objects be what has just been saved.
struct PublishStage {
    let graph: ObjectGraph

    func publish(_ save: EncodedSave) {
        let all = save.work.all
        beginEpochs(of: all)
        for (state, positions) in save.positions { state.positions.merge(positions) { _, new in new } }
        for (objects, group) in save.rows {
            for (row, object) in objects.enumerated() {
                object.group = group
                object.row = Int32(row)
            }
        }
        let isPending = isPending(after: all)
        for object in save.work.kept { settle(object, isPending) }
        if isPending != nil { for object in all { object.isBeingSaved = false } }
        // All of them keep what they refer to before any of them is forgotten.
        if graph.undo != nil {
            for object in save.work.deleted { Undoing(graph: graph).keepValues(of: object) }
        }
        for object in save.work.deleted { lose(object) }
        graph.changes.prune()
        for object in all where object.entity.hasObjectClass { object.didSave() }
    }

    /// What was fetched along with an object's kind before this save is out of date.
    private func beginEpochs(of objects: [ManagedObject]) {
        var begun = -1
        for object in objects where object.entity.rootIndex != begun {
            begun = object.entity.rootIndex
            graph.beginEpoch(rootIndex: begun)
        }
    }

    /// Tells who still has something to be saved; nil where everything was.
    private func isPending(after saved: [ManagedObject]) -> ((ManagedObject) -> Bool)? {
        if saved.count == graph.changes.objects.count { return nil }
        for object in saved { object.isBeingSaved = true }
        return { !$0.isBeingSaved && $0.hasChanges }
    }

    /// Drops what is committed now from an object's overlay.
    ///
    /// Loaded relationships and transient values stay, and so does a link to an object that was not part of this save.
    private func settle(_ object: ManagedObject, _ isPending: ((ManagedObject) -> Bool)?) {
        defer { object.state = object.overlay?.isDirty == true ? .updated : .unchanged }
        guard let overlay = object.overlay else { return }
        for (slot, value) in overlay.slots.enumerated() {
            switch value {
            case .collection(let state):
                state.settle(except: isPending)
                if !state.isLoaded && !state.isDirty { overlay.slots[slot] = .unchanged }
            case .value(let value) where object.entity.properties[slot].columns.isEmpty:
                overlay.slots[slot] = .settled(value)
            case .value, .object: overlay.slots[slot] = .unchanged
            case .unchanged, .settled: break
            }
        }
        if overlay.isEmpty { object.overlay = nil }
    }

    /// Lets a deleted object be no part of the context; if its deletion can be undone, it keeps what it was.
    private func lose(_ object: ManagedObject) {
        guard graph.undo != nil else { return graph.lose(object) }
        object.state = .detached
        graph.identities.forget(object)
    }
}
