extension ChangeMerging {
    /// The objects that could not follow the store when others had changed or deleted them, and can now.
    private var due: Set<ManagedObject> {
        if graph.contested.isEmpty { return graph.unmerged }
        return graph.unmerged.union(graph.contested.keys.filter { !$0.hasChanges })
    }

    /// Whether objects are behind the store that can follow it.
    var isBehind: Bool { !due.isEmpty }

    /// Lets objects follow the store that could not when others had changed or deleted them.
    func catchUp() throws { try catchUp(due) }

    /// Lets some of the objects follow the store that could not when others had changed or deleted them.
    func catchUp(_ due: Set<ManagedObject>) throws {
        if due.isEmpty { return }
        let contested = graph.contested.filter { due.contains($0.key) }
        for object in due { graph.contested[object] = nil }
        graph.unmerged.subtract(due)
        do {
            try followOrLose(Array(due))
        } catch {
            graph.unmerged.formUnion(due)
            graph.contested.merge(contested) { new, _ in new }
            throw error
        }
        graph.pruneChanges()
    }

    /// Gives objects the rows that the parent has now, and loses those that have none and no pending changes.
    func followOrLose(_ objects: [ManagedObject]) throws {
        try loseOrKeep(try follow(objects, staying: []))
    }

    /// Loses objects that have no row any more, and keeps those in which something is pending.
    func loseOrKeep(_ gone: [ManagedObject]) throws {
        var partners: [ManagedObject] = []
        for object in gone where object.state == .unchanged {
            partners += removeReferences(to: object)
            graph.lose(object)
        }
        // Read when all objects are lost, so that an error leaves none of them registered.
        if !partners.isEmpty { try graph.withoutUndo { try followOrLose(partners.filter(\.isKept)) } }
        try follow([], staying: Set(gone.filter(\.hasChanges)))
    }

    /// Takes an object out of the relationships that it was kept in while something was pending in it.
    ///
    /// Returns its partners in one-to-one relationships, whose rows have to be read again.
    private func removeReferences(to object: ManagedObject) -> [ManagedObject] {
        guard object.row >= 0 else { return [] }
        let ends = RelationshipEnds(graph: graph)
        // The store has their rows without the reference, so that none is a change.
        var partners: [ManagedObject] = []
        graph.withoutUndo {
            forEachReference(of: object) { _, relationship, inverse, target in
                if !target.isKept || target.isFault { return }
                if !relationship.isOneToOne {
                    let state = graph.collection(of: target, slot: inverse)
                    ends.changing(target, inverse) { state.forget(object) }
                } else if graph.rawTarget(of: target, slot: inverse) === object {
                    if target.overlay?.slots[inverse].isDirty == true {
                        ends.point(target, inverse, at: nil)
                    } else {
                        partners.append(target)
                    }
                }
            }
        }
        return partners
    }

    /// Hands over the objects that an object's to-one relationships refer to, if these have inverses.
    private func forEachReference(
        of object: ManagedObject,
        _ body: (_ slot: Int, _ relationship: RelationshipLayout, _ inverse: Int, _ target: ManagedObject)
            throws -> Void
    ) rethrows {
        for property in object.entity.properties {
            guard let relationship = property.relationship, !relationship.description.isToMany,
                let inverse = relationship.inverseSlot,
                let target = graph.rawTarget(of: object, slot: property.slot)
            else { continue }
            try body(property.slot, relationship, inverse, target)
        }
    }

    /// Gives objects the rows that the parent has now, under what is pending in them.
    ///
    /// - Parameter staying: Objects with pending changes that others have deleted.
    /// - Returns: Those that have no row any more.
    @discardableResult
    func follow(_ objects: [ManagedObject], staying: Set<ManagedObject>) throws -> [ManagedObject] {
        var rebasing = Rebasing(graph: graph, staying: staying)
        var gone: [ManagedObject] = []
        // Links have no versions: pending ones are laid over what the store has.
        for object in objects where object.state != .inserted && object.state != .detached {
            Refreshing(graph: graph).unload(object)
        }
        let present = Dictionary(grouping: objects.filter { $0.state != .detached }, by: \.rootIndex)
        for (rootIndex, objects) in present.sorted(by: { $0.key < $1.key }) {
            let group = RowGroup(try graph.parent.rows(objects.map(\.key), entityIndex: rootIndex))
            var rows: [Int64: Int32] = [:]
            for row in 0..<group.batch.count { rows[group.batch.key(at: row)] = Int32(row) }
            for object in objects {
                guard let row = rows[object.key] else {
                    if object.state != .inserted { gone.append(object) }
                    continue
                }
                try follow(object, group, row, &rebasing)
            }
        }
        try rebasing.alignEnds()
        try graph.withoutFaultingPolicy { try stay(staying) }
        return gone
    }

    private func follow(
        _ object: ManagedObject, _ group: RowGroup, _ row: Int32, _ rebasing: inout Rebasing
    ) throws {
        if object.state == .deleted, group.batch.version(at: Int(row)) != graph.version(of: object) {
            graph.contested[object] = []
            return
        }
        let contested = rebasing.contested(in: object, group.batch, Int(row))
        // What was never loaded can't be kept beside a newer row.
        if contested.contains(where: { graph.isDeferred($0, inRowOf: object) }) {
            graph.contested[object] = Set(contested.map(\.slot))
            return
        }
        try rebasing.rebase(object, group, row, keeping: contested)
    }

    /// Keeps objects that others have deleted and that have pending changes; loses those whose only pending changes are removals
    /// from their to-many relationships, which have no members in the store any more.
    private func stay(_ objects: Set<ManagedObject>) throws {
        if objects.isEmpty { return }
        removeLinks(to: objects)
        let kept = objects.filter(\.isKept)
        for object in kept { try loadAgain(object) }
        for object in kept where object.row >= 0 && object.hasChanges { try keepReferences(of: object) }
        for object in objects where object.hasChanges { graph.contested[object] = [] }
        try loseOrKeep(objects.filter { !$0.hasChanges })
    }

    /// Lets the to-many relationships of an object that others have deleted hold what was added to them and what refers to the object in
    /// the parent: in a context above, where it is to be deleted, its members may still do so.
    private func loadAgain(_ object: ManagedObject) throws {
        Refreshing(graph: graph).unload(object)
        if let overlay = object.overlay {
            for (slot, value) in overlay.slots.enumerated() {
                guard case .collection(let state) = value else { continue }
                try FaultLoader(graph: graph).load(state, of: object, slot: slot)
            }
        }
        graph.noteChange(of: object)
        graph.didChangeAll(object)
    }

    /// Removes objects from the many-to-many relationships of others, as their links are gone with their rows.
    private func removeLinks(to objects: Set<ManagedObject>) {
        for owner in graph.identities.all {
            guard let overlay = owner.overlay else { continue }
            var isChanged = false
            for property in owner.entity.properties where property.relationship?.isManyToMany == true {
                guard case .collection(let state) = overlay.slots[property.slot] else { continue }
                for member in state.members.union(state.removed).intersection(objects) {
                    state.settleOut(member)
                    isChanged = true
                }
            }
            if !isChanged { continue }
            graph.noteChange(of: owner)
            graph.didChangeAll(owner)
        }
    }

    /// Lets an object that others have deleted go on referring to what is there, which refers back to it.
    private func keepReferences(of object: ManagedObject) throws {
        let ends = RelationshipEnds(graph: graph)
        var lost: [Int] = []
        try graph.withoutUndo {
            try forEachReference(of: object) { slot, relationship, inverse, target in
                if object.overlay?.slots[slot].isDirty == true {
                    if relationship.isOneToOne { alignPartner(object, slot, inverse, target) }
                    return
                }
                guard try exists(target) else {
                    lost.append(object.place(of: slot).column)
                    return
                }
                if !relationship.isOneToOne {
                    let state = graph.collection(of: target, slot: inverse)
                    ends.changing(target, inverse) { state.renew(object) }
                } else if graph.rawTarget(of: target, slot: inverse) == nil {
                    ends.point(target, inverse, at: object)
                } else if graph.rawTarget(of: target, slot: inverse) !== object {
                    lost.append(object.place(of: slot).column)
                }
            }
        }
        if !lost.isEmpty { try clearCommittedReferences(lost, of: object) }
    }

    /// Makes the partner refer back; clears the object's reference if the partner has another one.
    private func alignPartner(
        _ object: ManagedObject, _ slot: Int, _ inverse: Int, _ partner: ManagedObject
    ) {
        let ends = RelationshipEnds(graph: graph)
        guard partner.isKept, graph.ensureLoaded(partner) || partner.state == .inserted else { return }
        let rival = graph.rawTarget(of: partner, slot: inverse)
        if rival === object { return }
        if rival == nil {
            ends.point(partner, inverse, at: object)
        } else {
            ends.point(object, slot, at: nil)
        }
    }

    /// Removes references from the row that an object was changed from; that is no change of the object.
    private func clearCommittedReferences(_ columns: [Int], of object: ManagedObject) throws {
        guard let group = object.group else { return }
        var builder = RowBatchBuilder(model: graph.model)
        builder.append(Int(object.row), of: group.batch, version: graph.version(of: object))
        for column in columns { builder.setNull(column) }
        graph.fill(object, RowGroup(try builder.finish(), site: group.site), 0)
        graph.didChangeAll(object)
    }

    private func exists(_ object: ManagedObject) throws -> Bool {
        guard object.isKept, object.state == .unchanged else { return object.isKept }
        return try hasRow(object)
    }

    /// Whether the parent has a row of an object now.
    func hasRow(_ object: ManagedObject) throws -> Bool {
        try graph.parent.rows([object.key], entityIndex: object.rootIndex).count == 1
    }
}
