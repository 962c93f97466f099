/// Makes objects again what an undo group says they were.
struct Undoing {
    let graph: ObjectGraph

    func undo() {
        guard let group = graph.undo?.beginUndo() else { return }
        revert(group)
    }

    func redo() {
        guard let group = graph.undo?.beginRedo() else { return }
        revert(group)
    }

    private func revert(_ group: UndoLog.Group) {
        for entry in group.entries.reversed() { revert(entry) }
        graph.undo?.finish()
        graph.pruneChanges()
    }

    private func revert(_ entry: UndoEntry) {
        let ends = RelationshipEnds(graph: graph)
        switch entry {
        case .attribute(let object, let slot, let old): present(object).write(old, slot)
        case .committed(let object, let slot): graph.change(present(object), slot, to: .unchanged)
        case .reference(let object, let slot, let old):
            ends.point(present(object), slot, at: old.map(present))
        case .entered(let object, let slot, let member):
            ends.leave(present(object), slot, present(member))
        case .left(let object, let slot, let member, let index):
            ends.enter(present(object), slot, present(member), at: index)
        case .reordered(let object, let slot, let old):
            ends.reorder(present(object), slot, old.map(present))
        case .inserted(let object): take(present(object))
        case .deleted(let object): bringBack(present(object))
        }
    }

    /// The object itself, or the one that has its identifier now: others may have saved it again after it was deleted here.
    private func present(_ object: ManagedObject) -> ManagedObject {
        guard object.state == .detached,
            let known = graph.identities.object(object.key, rootIndex: object.rootIndex),
            !known.isFault
        else { return object }
        return known
    }

    /// Lets an inserted object not be there.
    ///
    /// Its relationships have entries of their own.
    private func take(_ object: ManagedObject) {
        // Others may have deleted it, and the context has followed.
        guard object.isKept else { return }
        // Its row may be gone by the time it is done again; the next save says why it could not be read.
        if object.isFault, !graph.ensureLoaded(object) || !object.isKept { return }
        graph.undo?.record(.deleted(object))
        object.state = object.state == .inserted ? .detached : .deleted
        graph.changes.track(object)
        graph.changeCount += 1
        graph.deletionCount += 1
        graph.didChangeAll(object)
    }

    /// Lets a deleted object be there again: as it was, or, where its deletion has been saved, inserted anew.
    func bringBack(_ object: ManagedObject) {
        if object.isKept { return }
        if object.state == .detached, !DeferredValueLoader(graph: graph).hasAllValues(of: object) {
            return graph.keep(
                StoreError(
                    .objectNotFound,
                    "The deletion of \(object.objectID) can't be undone: large values of it went with it that were not loaded.",
                    remedy: "Read such values before an object is deleted that may come back."))
        }
        graph.undo?.record(.inserted(object))
        switch object.state {
        case .deleted: object.state = object.overlay?.isDirty == true ? .updated : .unchanged
        case .detached:
            object.state = .inserted
            if object.row >= 0 { keepValues(of: object) }
            register(object)
        case .inserted, .unchanged, .updated: break
        }
        graph.changes.track(object)
        graph.changeCount += 1
        graph.deletionCount += 1
        graph.didChangeAll(object)
    }

    /// Registers an object again, in the place of a fault that somebody has made of its identifier in the meantime.
    private func register(_ object: ManagedObject) {
        if let known = graph.identities.object(object.key, rootIndex: object.rootIndex) {
            if known === object { return }
            graph.lose(known)
        }
        graph.identities.register(object)
    }

    /// Moves committed values over, since the row that they were in is gone.
    func keepValues(of object: ManagedObject) {
        guard object.row >= 0, object.group != nil else { return }
        let overlay = graph.overlay(of: object)
        for property in object.entity.properties where !property.columns.isEmpty {
            if overlay.slots[property.slot].isDirty { continue }
            if property.attribute != nil {
                overlay.slots[property.slot] = .value(
                    graph.committedRawValue(of: object, property))
            } else if let target = graph.rawTarget(of: object, slot: property.slot) {
                overlay.slots[property.slot] = .object(target)
            }
        }
        for value in overlay.slots {
            if case .collection(let state) = value { state.beginAnew() }
        }
        graph.lastVersions[object.objectID] = graph.version(of: object)
        object.group = nil
        object.row = -1
    }
}
