/// Lets objects be what has just been saved.
struct PublishStage {
    let graph: ObjectGraph

    func publish(_ save: EncodedSave) {
        for (objects, group) in save.rows {
            for (row, object) in objects.enumerated() {
                object.group = group
                object.row = Int32(row)
                object.state = .unchanged
                settle(object)
            }
        }
        for object in save.work.updated where object.state == .updated {
            object.state = .unchanged
            settle(object)
        }
        for object in save.work.deleted {
            object.state = .detached
            object.overlay = nil
        }
        graph.changes.prune()
        for object in save.work.all where object.entity.hasObjectClass { object.didSave() }
    }

    /// Drops what is committed now from an object's overlay.
    ///
    /// Loaded relationships and transient values stay.
    private func settle(_ object: ManagedObject) {
        guard let overlay = object.overlay else { return }
        for (slot, value) in overlay.slots.enumerated() {
            switch value {
            case .collection(let state): state.settle()
            case .value(let value) where object.entity.properties[slot].columns.isEmpty:
                overlay.slots[slot] = .settled(value)
            case .value, .object: overlay.slots[slot] = .unchanged
            case .unchanged, .settled: break
            }
        }
        if overlay.isEmpty { object.overlay = nil }
    }
}
