/// Takes objects back to what the store says.
struct Refreshing {
    let graph: ObjectGraph

    func refresh(_ object: ManagedObject, mergeChanges: Bool) throws {
        try graph.throwDeferredError()
        guard object.state == .unchanged || object.state == .updated || object.state == .deleted else {
            return
        }
        let batch = try graph.parent.rows([object.key], entityIndex: object.rootIndex)
        guard batch.count == 1 else { throw graph.inaccessible(object) }
        if !mergeChanges { revert(object) }
        // What is read along is no fault of the program's.
        try graph.withoutFaultingPolicy {
            let loaded = loadedRelationships(of: object)
            let before = others(object, loaded)
            unload(object)
            try Rebasing.rebase(object, RowGroup(batch), 0, in: graph)
            // Those who came and those who went are read again too, so that both ends agree.
            let merging = ChangeMerging(graph: graph)
            var related = before.union(others(object, loaded))
            if !mergeChanges { related.formUnion(graph.contested.keys.filter { refers($0, to: object) }) }
            try merging.followOrLose(Array(related))
            // What was taken back at the other ends may be what others have changed too.
            if !mergeChanges { try merging.catchUp() }
        }
        graph.pruneChanges()
    }

    /// The relationships of an object that are loaded, and have an inverse.
    private func loadedRelationships(of object: ManagedObject) -> [Int] {
        object.entity.properties.compactMap { property in
            guard let relationship = property.relationship, relationship.inverseSlot != nil else {
                return nil
            }
            if !relationship.description.isToMany { return object.row >= 0 ? property.slot : nil }
            guard case .collection(let state)? = object.overlay?.slots[property.slot], state.isLoaded else {
                return nil
            }
            return property.slot
        }
    }

    /// The registered objects at the other ends of relationships.
    private func others(_ object: ManagedObject, _ slots: [Int]) -> Set<ManagedObject> {
        var others: Set<ManagedObject> = []
        for slot in slots {
            if object.entity.properties[slot].relationship?.description.isToMany == true {
                others.formUnion(graph.loadedCollection(of: object, slot: slot).members)
            } else if let target = graph.rawTarget(of: object, slot: slot) {
                others.insert(target)
            }
        }
        return others.filter { $0 !== object && $0.isKept && !$0.isFault }
    }

    /// Whether a to-one relationship of an object refers to another one.
    private func refers(_ object: ManagedObject, to target: ManagedObject) -> Bool {
        object.isKept
            && object.entity.properties.contains { property in
                property.relationship?.description.isToMany == false
                    && graph.rawTarget(of: object, slot: property.slot) === target
            }
    }

    func refreshAll(mergeChanges: Bool) throws {
        try graph.throwDeferredError()
        if !mergeChanges { rollback() }
        let objects = graph.identities.all
        var changed: [Int: [ManagedObject]] = [:]
        for object in objects where object.isKept || object.state == .deleted {
            unload(object)
            if object.overlay == nil, object.state == .unchanged {
                graph.turnIntoFault(object)
            } else if object.row >= 0 || graph.isInsertedAgain(object) {
                changed[object.rootIndex, default: []].append(object)
            }
        }
        for object in objects { graph.didChangeAll(object) }
        graph.noteEverything()
        var rebasing = Rebasing(graph: graph)
        var gone = Set(changed.values.joined().filter { $0.state != .inserted })
        for (rootIndex, objects) in changed.sorted(by: { $0.key < $1.key }) {
            let group = RowGroup(try graph.parent.rows(objects.map(\.key), entityIndex: rootIndex))
            for row in 0..<group.batch.count {
                guard let object = graph.identities.object(group.batch.key(at: row), rootIndex: rootIndex)
                else { continue }
                gone.remove(object)
                try rebasing.rebase(object, group, Int32(row))
            }
        }
        try rebasing.alignEnds()
        try ChangeMerging(graph: graph).loseOrKeep(Array(gone))
        graph.pruneChanges()
    }

    /// Gives registered objects the rows of a fetch, under what is pending in them.
    func refresh(from group: RowGroup) throws {
        var rebasing = Rebasing(graph: graph)
        for row in 0..<Int32(group.batch.count) {
            let entity = graph.model.layouts[group.batch.entityIndex(at: Int(row))]
            guard
                let object = graph.identities.object(
                    group.batch.key(at: Int(row)), rootIndex: entity.rootIndex),
                object.row >= 0, object.state != .inserted, object.state != .detached
            else { continue }
            unload(object)
            try rebasing.rebase(object, group, row)
        }
        try rebasing.alignEnds()
        graph.pruneChanges()
    }

    /// Lets objects without pending changes be fetched again when they are touched.
    func refreshUnchanged() {
        for object in graph.identities.all where object.state == .unchanged {
            unload(object)
            if object.overlay == nil { graph.turnIntoFault(object) }
            graph.didChangeAll(object)
        }
    }

    /// Undoes everything that has not been saved.
    func rollback() {
        graph.deferredError = nil
        graph.forgetUnseenDependents()
        for object in graph.changes.objects {
            switch object.state {
            case .inserted:
                object.state = .detached
                graph.identities.forget(object)
            case .deleted: object.state = .unchanged
            case .updated, .unchanged, .detached: break
            }
            drop(object)
        }
        followStoreLater()
        graph.deletionCount += 1
        graph.pruneChanges()
        graph.undo?.clear()
        graph.lastVersions = [:]
    }

    /// Turns unchanged objects into faults if others have changed or deleted objects that were changed in this context: a merge kept
    /// those, and the objects that they refer to, behind the store.
    private func followStoreLater() {
        let behind = graph.unmerged.union(graph.contested.keys)
        if behind.isEmpty { return }
        refreshUnchanged()
        // What else is in them, such as transient values, goes too.
        for object in behind where object.state == .unchanged && object.row >= 0 {
            graph.turnIntoFault(object)
            graph.didChangeAll(object)
        }
        // The next fetch finds those that are gone.
        (graph.contested, graph.unmerged) = ([:], behind.filter(\.isFault))
    }

    /// Drops what is not saved in one object, and in those at the other ends of its relationships only if that is done for all.
    private func drop(_ object: ManagedObject) {
        defer { graph.didChangeAll(object) }
        guard let overlay = object.overlay else { return }
        for (slot, value) in overlay.slots.enumerated() where value.isDirty {
            overlay.slots[slot] = .unchanged
        }
        if overlay.isEmpty { object.overlay = nil }
        if object.state == .updated { object.state = .unchanged }
    }

    /// Takes back what is not saved in one object, at the other ends of its relationships too.
    func revert(_ object: ManagedObject) {
        if object.state == .deleted { takeBackDeletion(of: object) }
        guard let overlay = object.overlay else { return }
        // What is taken back in one slot may change another one, which is looked at as it was.
        for (slot, value) in Array(overlay.slots).enumerated() where value.isDirty {
            switch value {
            case .object: revertReference(object, slot)
            case .collection(let state): revertCollection(object, slot, state)
            case .value: graph.change(object, slot, to: .unchanged)
            case .unchanged, .settled: break
            }
        }
        if overlay.isEmpty { object.overlay = nil }
    }

    /// Takes back a deletion that is not saved, at the other ends of the object's relationships too.
    ///
    /// What was deleted with the object stays deleted.
    func bringBack(_ object: ManagedObject) {
        Undoing(graph: graph).bringBack(object)
        for (slot, relationship) in object.entity.propagations
        where relationship.description.deleteRule == .nullify {
            if relationship.description.isToMany {
                for member in graph.loadedCollection(of: object, slot: slot).members {
                    rejoin(object, slot, member, relationship)
                }
            } else if let target = graph.rawTarget(of: object, slot: slot) {
                rejoin(object, slot, target, relationship)
            }
        }
    }

    /// Brings an object back, and lets the other ends of its one-to-one relationships refer to it again, whatever they refer to by now;
    /// members that have another owner by now have been removed from it.
    private func takeBackDeletion(of object: ManagedObject) {
        bringBack(object)
        let ends = RelationshipEnds(graph: graph)
        for property in object.entity.properties {
            guard let relationship = property.relationship, relationship.isOneToOne,
                let inverse = relationship.inverseSlot,
                let partner = graph.rawTarget(of: object, slot: property.slot), partner.isKept,
                let rival = graph.rawTarget(of: partner, slot: inverse), rival !== object
            else { continue }
            if graph.rawTarget(of: rival, slot: property.slot) === partner {
                ends.point(rival, property.slot, at: nil)
            }
            ends.point(partner, inverse, at: object)
        }
        ends.removeLostReferences(of: object)
    }

    /// Lets the other end of a relationship refer again to an object whose deletion had cleared it.
    private func rejoin(
        _ object: ManagedObject, _ slot: Int, _ other: ManagedObject, _ relationship: RelationshipLayout
    ) {
        guard other.isKept, let inverse = relationship.inverseSlot else { return }
        if relationship.inverseIsToMany {
            let state = graph.collection(of: other, slot: inverse)
            guard state.removed.contains(object) || isPending(object, slot, other) else { return }
            RelationshipEnds(graph: graph).enter(other, inverse, object)
            RelationshipEnds(graph: graph).putBack(other, inverse, object)
        } else if graph.rawTarget(of: other, slot: inverse) == nil,
            graph.committedKey(of: other, slot: inverse) == object.key
        {
            RelationshipEnds(graph: graph).point(other, inverse, at: object)
        }
    }

    /// Whether an object has been let into the relationship of another one since the last save.
    private func isPending(_ object: ManagedObject, _ slot: Int, _ other: ManagedObject) -> Bool {
        switch object.overlay?.slots[slot] {
        case .object(let target): target === other
        case .collection(let state): state.added.contains(other)
        case .unchanged, .value, .settled, nil: false
        }
    }

    /// Lets a to-one relationship lead again where it led when it was last saved.
    func revertReference(_ object: ManagedObject, _ slot: Int) {
        guard let relationship = object.entity.properties[slot].relationship else { return }
        let destination = graph.model.layouts[relationship.destinationIndex]
        do {
            let committed = try graph.committedKey(of: object, slot: slot)
                .flatMap { try graph.resolve($0, destination) }
            let target = committed.flatMap { $0.isKept ? $0 : nil }
            InverseMaintenance(graph: graph, takesBack: true).set(object, slot, to: target)
            let ends = RelationshipEnds(graph: graph)
            // It may refer to that by a change: others have let it refer elsewhere since.
            if committed !== target || object.overlay?.slots[slot].isDirty == true {
                ends.point(object, slot, at: committed)
            }
            if let target, let inverse = relationship.inverseSlot, relationship.inverseIsToMany {
                ends.putBack(target, inverse, object)
            }
        } catch {
            graph.keep(error)
        }
    }

    private func revertCollection(_ object: ManagedObject, _ slot: Int, _ state: ToManyState) {
        guard let relationship = object.entity.properties[slot].relationship else { return }
        let maintenance = InverseMaintenance(graph: graph, takesBack: true)
        for member in state.added {
            if let inverse = relationship.inverseSlot, !relationship.inverseIsToMany, member.row >= 0 {
                revertReference(member, inverse)
                // Its row names the object still, which others have removed it from.
                RelationshipEnds(graph: graph).changing(object, slot) { state.forget(member) }
            } else if let inverse = relationship.inverseSlot, relationship.inverseIsToMany {
                takeBackAddition(of: member, to: object, slot)
                takeBackAddition(of: object, to: member, inverse)
            } else {
                maintenance.remove(member, from: object, slot)
            }
        }
        for member in state.removed where member.isKept {
            if let inverse = relationship.inverseSlot, relationship.inverseIsToMany {
                takeBackRemoval(of: member, from: object, slot)
                takeBackRemoval(of: object, from: member, inverse)
            } else {
                maintenance.add(member, to: object, slot)
            }
        }
        if !state.isDirty { return }
        if graph.notesUndo, state.isLoaded, state.isReordered {
            graph.undo?.record(.reordered(object, slot: slot, old: state.list))
        }
        graph.withoutUndo { graph.change(object, slot, to: .unchanged) }
    }

    /// Takes back that a member was added at one end of a many-to-many relationship; a member that the store has by now stays.
    private func takeBackAddition(of member: ManagedObject, to owner: ManagedObject, _ slot: Int) {
        let ends = RelationshipEnds(graph: graph)
        if ends.collectionToLeave(of: owner, slot).added.contains(member) { ends.leave(owner, slot, member) }
    }

    /// Takes back that a member was removed at one end of a many-to-many relationship, unless the store has lost it by now.
    private func takeBackRemoval(of member: ManagedObject, from owner: ManagedObject, _ slot: Int) {
        let ends = RelationshipEnds(graph: graph)
        guard graph.collection(of: owner, slot: slot).removed.contains(member) else { return }
        ends.enter(owner, slot, member)
        ends.putBack(owner, slot, member)
    }

    /// Forgets who was in relationships, except for what is pending.
    func unload(_ object: ManagedObject) {
        object.group?.forgetRelated()
        guard let overlay = object.overlay, object.row >= 0 || object.isFault else { return }
        for (slot, value) in overlay.slots.enumerated() {
            guard case .collection(let state) = value else { continue }
            if state.isDirty { state.unload() } else { overlay.slots[slot] = .unchanged }
        }
        if overlay.isEmpty { object.overlay = nil }
    }
}
