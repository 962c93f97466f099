/// Replaces the base rows of objects with newer ones, and updates pending changes and relationships accordingly.
///
/// To-many relationships are updated immediately. One-to-one relationships are consistent with their inverses after
/// ``alignEnds()``, which is called when all rows have been read.
struct Rebasing {
    let graph: ObjectGraph
    /// Objects that were deleted in the store but stay in the context with their references.
    let deletedWithChanges: Set<ManagedObject>
    /// One-to-one relationships that the store has changed.
    private var oneToOneMoves: [Move] = []
    /// The objects whose rows were read again.
    ///
    /// Each is read only once, because a one-to-one relationship and its inverse may contradict each other in the
    /// store.
    private var rereadObjects: Set<ManagedObject> = []
    private var editing: RelationshipEditing { RelationshipEditing(graph: graph) }

    init(graph: ObjectGraph, deletedWithChanges: Set<ManagedObject> = []) {
        self.graph = graph
        self.deletedWithChanges = deletedWithChanges
    }

    /// Replaces an object's base row and keeps its pending changes.
    ///
    /// A pending change that equals the new row is dropped. Loaded inverse relationships are updated from the new row.
    ///
    /// - Parameter contested: Properties that both the context and the store changed. They keep their base values, and
    ///   the object keeps its version, so that its save finds the conflict.
    mutating func rebase(
        _ object: ManagedObject, _ group: RowGroup, _ row: Int32, keeping contested: [PropertyLayout] = []
    ) throws {
        let wasInserted = object.state == .inserted
        let base =
            try contested.isEmpty && !wasInserted ? nil : self.base(of: object, group.batch, row, contested)
        let old = object.row >= 0 ? object.group.map { ($0, Int(object.row)) } : nil
        // Another context has inserted the object too, under the identifier of a deleted row: this object has no version, so saving
        // different values conflicts.
        if wasInserted { object.state = .updated }
        for property in object.entity.properties where old != nil || wasInserted {
            guard let relationship = property.relationship, !relationship.description.isToMany,
                let inverse = relationship.inverseSlot
            else { continue }
            let place = object.location(of: property.slot)
            let move = Move(
                object: object, slot: property.slot, inverse: inverse,
                destination: graph.model.layouts[relationship.destinationIndex],
                from: old.flatMap { $0.0.batch.reference(place, at: $0.1) },
                to: group.batch.reference(place, at: Int(row)))
            if !relationship.isOneToOne { try applyPendingOwner(move) }
            // A pending target has to replace the stored one, even if the store has not changed it.
            let hasPendingTarget = relationship.isOneToOne && isPending(object, property.slot)
            if move.from == move.to, !hasPendingTarget { continue }
            if relationship.isOneToOne { oneToOneMoves.append(move) } else { try follow(move) }
        }
        if let base { graph.fill(object, base, 0) } else { graph.fill(object, group, row) }
        if !contested.isEmpty || !graph.contested.isEmpty {
            graph.contested[object] = contested.isEmpty ? nil : Set(contested.map(\.slot))
        }
        dropCommittedChanges(in: object)
        if wasInserted {
            if object.overlay?.isDirty != true { graph.fill(object, group, row) }
            // The store may have members of the object too.
            Refreshing(graph: graph).unload(object)
        }
        graph.updateState(of: object)
        graph.didChangeAll(object)
    }

    /// Rebases one object and the inverses of its one-to-one relationships.
    static func rebase(_ object: ManagedObject, _ group: RowGroup, _ row: Int32, in graph: ObjectGraph) throws
    {
        var rebasing = Rebasing(graph: graph)
        try rebasing.rebase(object, group, row)
        try rebasing.alignInverses()
    }

    /// Returns a newer row of an object with the base values of the contested properties.
    private func base(
        of object: ManagedObject, _ rows: RowBatch, _ row: Int32, _ contested: [PropertyLayout]
    ) throws -> RowGroup {
        var builder = RowBatchBuilder(model: graph.model)
        builder.append(Int(row), of: rows, version: graph.version(of: object))
        graph.setCommittedValues(contested.flatMap(\.columns), of: object, in: &builder)
        return RowGroup(try builder.finish(), site: object.group?.site)
    }

    // MARK: One-to-one

    /// Makes the changed one-to-one relationships consistent with their inverses.
    mutating func alignInverses() throws {
        if oneToOneMoves.isEmpty { return }
        // Reads of a merge are exempt from the program's faulting policy, and undo doesn't revert a merge.
        try graph.withoutFaultingPolicy {
            try graph.withoutUndo {
                while let move = oneToOneMoves.popLast() { try alignInverses(move) }
            }
        }
    }

    private mutating func alignInverses(_ move: Move) throws {
        let object = move.object
        guard object.isLive else { return }
        let target = graph.rawTarget(of: object, slot: move.slot)
        for key in [move.from, move.to] where key != nil && key != target?.key {
            try removeStaleReference(to: object, from: key, move)
        }
        guard let target else { return }
        if target.state == .deleted, !isPending(object, move.slot),
            graph.rawTarget(of: target, slot: move.inverse) !== object,
            target.entity.properties[move.inverse].relationship?.description.deleteRule == .nullify
        {
            // The store references an object that this context has deleted, and whose delete rule clears the reference.
            // With other delete rules, the save of the deletion finds the conflict.
            editing.setTarget(object, move.slot, to: nil)
        }
        if !target.isLive { return }
        // A fault has no pending changes; its row is read on first access.
        if target.isFault, !isPending(object, move.slot) { return }
        if try refersBack(target, move) { return }
        if isPending(object, move.slot) {
            if let rival = graph.rawTarget(of: target, slot: move.inverse), rival.isLive {
                // The rival's row may be older than the target's.
                if graph.rawTarget(of: rival, slot: move.slot) !== target {
                    try readRowAgain(of: rival, slot: move.slot)
                }
                if graph.rawTarget(of: rival, slot: move.slot) === target {
                    editing.setTarget(rival, move.slot, to: nil)
                }
            }
            editing.setTarget(target, move.inverse, to: object)
        } else if graph.rawTarget(of: target, slot: move.inverse) == nil {
            if isPending(target, move.inverse) { editing.setTarget(target, move.inverse, to: object) }
        } else if isPending(target, move.inverse) {
            editing.setTarget(object, move.slot, to: nil)
        }
    }

    /// Whether the target refers back to the object; its row is read again if it may be older than the object's row.
    private mutating func refersBack(_ target: ManagedObject, _ move: Move) throws -> Bool {
        let refersBack = graph.rawTarget(of: target, slot: move.inverse) === move.object
        // If the object's reference is a pending change, the row of the target may be older than the stored one.
        if refersBack, !isPending(move.object, move.slot) || isPending(target, move.inverse) { return true }
        try readRowAgain(of: target, slot: move.inverse)
        return graph.rawTarget(of: target, slot: move.inverse) === move.object
    }

    /// Clears the reference of another object to an object that no longer refers back.
    private mutating func removeStaleReference(
        to object: ManagedObject, from key: Int64?, _ move: Move
    ) throws {
        guard let key else { return }
        // Read it even if it is not registered, because it refers to the object in the store.
        let isStoredPartner = key == move.to && isPending(object, move.slot)
        guard
            let other = isStoredPartner
                ? try graph.resolve(key, move.destination)
                : graph.identities.object(key, rootIndex: move.destination.rootIndex),
            other.isLive, !deletedWithChanges.contains(other), isStoredPartner || other.row >= 0,
            !other.isFault || !graph.parent.isMarkedDeleted(key, rootIndex: move.destination.rootIndex)
        else { return }
        if isStoredPartner || graph.rawTarget(of: other, slot: move.inverse) === object {
            try readRowAgain(of: other, slot: move.inverse)
        }
        if other.isLive, graph.rawTarget(of: other, slot: move.inverse) === object {
            editing.setTarget(other, move.inverse, to: nil)
        }
    }

    /// Reads the row of an object again unless the relationship has a pending change.
    private mutating func readRowAgain(of object: ManagedObject, slot: Int) throws {
        guard object.row >= 0, object.isLive, object.state != .inserted, !isPending(object, slot),
            rereadObjects.insert(object).inserted
        else { return }
        let rows = try graph.parent.rows([object.key], entityIndex: object.rootIndex)
        if rows.count == 0, object.state == .unchanged { return graph.detach(object) }
        guard rows.count == 1, rows.version(at: 0) != graph.version(of: object) || graph.parent.needsBaseRows
        else {
            return
        }
        try rebase(object, RowGroup(rows), 0, keeping: contested(in: object, rows, 0))
    }

    /// Returns the properties that both the context and the store changed, to different values.
    func contested(in object: ManagedObject, _ rows: RowBatch, _ row: Int) -> [PropertyLayout] {
        guard object.group != nil, object.row >= 0, let overlay = object.overlay else { return [] }
        let group = RowGroup(rows)
        return object.entity.properties.filter { property in
            guard !property.columns.isEmpty, !property.isDerived, overlay.slots[property.slot].isDirty else {
                return false
            }
            return !graph.hasSameValue(property, of: object, as: group, at: row)
                && graph.currentRawValue(of: object, property)
                    != graph.rawValue(of: property, at: row, in: group)
        }
    }

    private func isPending(_ object: ManagedObject, _ slot: Int) -> Bool {
        object.overlay?.slots[slot].isDirty == true
    }

    // MARK: Own saves

    /// Replaces an object's base row with the row that its own context has saved.
    func replaceBaseRow(_ object: ManagedObject, _ group: RowGroup, _ row: Int32) {
        (object.group, object.row) = (group, row)
        dropCommittedChanges(in: object)
        graph.updateState(of: object)
        graph.didChangeAll(object)
    }

    /// A change of a to-one relationship in the store.
    private struct Move {
        let object: ManagedObject
        let slot: Int
        let inverse: Int
        let destination: EntityLayout
        let from: Int64?
        let to: Int64?
    }

    /// Marks an object as added to its pending owner and as removed from its stored owner, if they differ.
    ///
    /// The stored owner may have changed since the object got its pending owner.
    private func applyPendingOwner(_ move: Move) throws {
        guard case .object(let pending)? = move.object.overlay?.slots[move.slot], pending?.key != move.to,
            move.object.isLive
        else { return }
        if let pending, pending.isLive {
            let state = graph.collection(of: pending, slot: move.inverse)
            if !state.added.contains(move.object) {
                editing.changeCollection(pending, move.inverse) { state.markAdded(move.object) }
            }
        }
        // If the store has changed the owner, `follow(_:)` does the same. A deleted owner keeps its members, which it
        // needs if the deletion is undone.
        if move.from == move.to, let key = move.to, let owner = try graph.resolve(key, move.destination),
            owner.isLive
        {
            let state = graph.collection(of: owner, slot: move.inverse)
            editing.changeCollection(owner, move.inverse) { state.removeStored(move.object) }
        }
    }

    /// Removes the object from the to-many relationship of its previous owner, and adds it to that of its new owner.
    private func follow(_ move: Move) throws {
        if case .object(let pending)? = move.object.overlay?.slots[move.slot], pending?.key != move.to {
            // The pending change is kept and applied to the new stored members.
            if let from = owner(move.from, move), let state = loadedState(from, move.inverse) {
                editing.changeCollection(from, move.inverse) { state.removeMissingMember(move.object) }
            }
            if let key = move.to, let to = try graph.resolve(key, move.destination) {
                let state = graph.collection(of: to, slot: move.inverse)
                editing.changeCollection(to, move.inverse) { state.removeStored(move.object) }
            }
            return
        }
        if let from = owner(move.from, move), let state = loadedState(from, move.inverse) {
            editing.changeCollection(from, move.inverse) { state.forget(move.object) }
        }
        if let to = owner(move.to, move), let state = loadedState(to, move.inverse) {
            editing.changeCollection(to, move.inverse) {
                state.cancelRemoval(of: move.object)
                state.addStoredMember(move.object)
            }
        }
    }

    private func owner(_ key: Int64?, _ move: Move) -> ManagedObject? {
        key.flatMap { graph.identities.object($0, rootIndex: move.destination.rootIndex) }
    }

    private func loadedState(_ owner: ManagedObject, _ slot: Int) -> ToManyState? {
        if case .collection(let state)? = owner.overlay?.slots[slot] { state } else { nil }
    }

    private func dropCommittedChanges(in object: ManagedObject) {
        guard let overlay = object.overlay, object.row >= 0 else { return }
        for property in object.entity.properties where !property.columns.isEmpty {
            let value = overlay.slots[property.slot]
            guard value.isDirty, !graph.isContested(object, property.slot) else { continue }
            let current = graph.currentRawValue(of: object, property)
            let isCommitted =
                graph.isDeferred(property, inRowOf: object)
                ? graph.isCommitted(current, of: object, slot: property.slot)
                : graph.committedRawValue(of: object, property) == current
            if isCommitted {
                overlay.slots[property.slot] = .unchanged
            }
        }
        if overlay.isEmpty { object.overlay = nil }
    }
}
