/// Applies the change set of a child context to its parent as pending changes.
struct ChangeSetApplication {
    let graph: ObjectGraph

    /// Applies all changes; if there are conflicts, it applies none and returns the conflicts.
    func apply(_ changes: ChangeSet) throws -> SaveReceipt {
        let deletions = try changes.deletes.map(conflicts)
        let conflicts =
            try changes.updates.flatMap(conflicts) + deletions.joined().filter { $0.reason != .deleted }
        if !conflicts.isEmpty { return SaveReceipt(conflicts: conflicts) }
        var references = MissingReferences(graph, changes)
        let missing = try references.conflicts(changes)
        if !missing.isEmpty { return SaveReceipt(conflicts: missing) }
        let restored = changes.inserts.flatMap(insert)
        RelationshipEditing(graph: graph).removeLostReferences(of: restored)
        for insertion in changes.inserts { try setReferences(insertion.rows, nil) }
        for update in changes.updates { try set(update) }
        for link in changes.links { try applyLinks(link) }
        for (deletion, found) in zip(changes.deletes, deletions) {
            delete(deletion, except: Set(found.map(\.key)))
        }
        return SaveReceipt()
    }

    // MARK: Conflicts

    /// Returns the conflicts of updates.
    ///
    /// A property that the child changed must have the same value in the parent as in the child's base row.
    private func conflicts(_ update: ChangeSet.Update) throws -> [RowConflict] {
        guard let base = update.baseRows else { return [] }
        try updateOutdatedObjects(base, update.entityIndex)
        return try (0..<base.count).compactMap { row in
            try conflict(update.entityIndex, base, row, columns: update.columns)
        }
    }

    /// Returns the conflicts of deletions, including those of objects that are already deleted in this context, which
    /// the caller ignores.
    private func conflicts(_ deletion: ChangeSet.Deletion) throws -> [RowConflict] {
        guard let base = deletion.baseRows else { return [] }
        try updateOutdatedObjects(base, deletion.entityIndex)
        let columns = Array(graph.model.layouts[deletion.entityIndex].columns.indices)
        return try (0..<base.count).compactMap { row in
            try conflict(deletion.entityIndex, base, row, columns: columns)
        }
    }

    /// Updates unchanged objects whose row the child has read in a newer version than this context has.
    ///
    /// The rows are read again, because the base row of an object that the child inserted, and that was only marked as
    /// deleted in this context, may never have been stored.
    private func updateOutdatedObjects(_ base: RowBatch, _ entityIndex: Int) throws {
        let rootIndex = graph.model.layouts[entityIndex].rootIndex
        let older = (0..<base.count).filter { row in
            guard let object = graph.identities.object(base.key(at: row), rootIndex: rootIndex) else {
                return false
            }
            return object.state == .unchanged && object.row >= 0
                && base.version(at: row) > graph.version(of: object)
        }
        if older.isEmpty { return }
        let group = RowGroup(try graph.parent.rows(older.map(base.key(at:)), entityIndex: rootIndex))
        for row in 0..<group.batch.count {
            guard let object = graph.identities.object(group.batch.key(at: row), rootIndex: rootIndex),
                object.state == .unchanged, group.batch.version(at: row) > graph.version(of: object)
            else { continue }
            try Rebasing.rebase(object, group, Int32(row), in: graph)
        }
    }

    private func conflict(_ entityIndex: Int, _ base: RowBatch, _ row: Int, columns: [Int]) throws
        -> RowConflict?
    {
        let object = graph.fault(base.key(at: row), graph.model.layouts[entityIndex])
        guard try FaultLoader(graph: graph).exists(object), object.isLive else {
            return RowConflict(entityIndex: entityIndex, key: object.key, reason: .deleted)
        }
        let isSame = columns.allSatisfy {
            hasBaseValue(object, $0, as: base, row)
        }
        if isSame { return nil }
        return RowConflict(
            entityIndex: entityIndex, key: object.key,
            reason: .changed(storedVersion: graph.version(of: object)))
    }

    /// Whether an object still has the value in the child's base row.
    private func hasBaseValue(_ object: ManagedObject, _ column: Int, as base: RowBatch, _ row: Int) -> Bool {
        guard base.isDeferred(column, at: row) else {
            return graph.currentValue(of: object, column: column) == base.value(column, at: row)
        }
        let property = object.entity.properties[object.entity.columns[column].slot]
        guard let group = object.group, object.row >= 0,
            object.overlay?.slots[property.slot].isDirty != true
        else { return false }
        // The property has no pending change in this context, so both are stored values.
        return group.batch.hasSameValue(property, at: Int(object.row), as: base, at: row, areStored: true)
    }

    // MARK: Rows

    /// Inserts objects, and returns those that were deleted in this context and are restored.
    private func insert(_ insertion: ChangeSet.Insertion) -> [ManagedObject] {
        let entity = graph.model.layouts[insertion.entityIndex]
        var restored: [ManagedObject] = []
        for row in 0..<insertion.rows.count {
            let (object, isRestored) = newObject(insertion.rows.key(at: row), entity)
            if isRestored { restored.append(object) }
            let version = insertion.rows.version(at: row)
            if version > RowBatch.firstVersion, object.state == .inserted {
                graph.lastVersions[object.objectID] = max(version, graph.lastVersions[object.objectID] ?? 0)
            }
            setAttributes(object, insertion.rows, row, columns: nil)
        }
        return restored
    }

    /// Returns the object for a row that the child inserted.
    ///
    /// It may have been deleted in this context and restored by undo in the child.
    private func newObject(
        _ key: Int64, _ entity: EntityLayout
    ) -> (object: ManagedObject, isRestored: Bool) {
        if let known = graph.identities.object(key, rootIndex: entity.rootIndex) {
            if known.state == .deleted {
                Refreshing(graph: graph).restoreDeleted(known)
                return (known, true)
            }
            if known.isFault, known.isExactly(entity) {
                // The program references a fault that was made from the identifier.
                (known.group, known.row, known.state) = (nil, -1, .inserted)
                return (trackInsertion(of: known), false)
            }
            // This context has restored it too, for example by undo.
            if known.isLive, known.isExactly(entity) { return (known, false) }
            graph.detach(known)
        }
        let new = graph.make(ObjectOrigin(graph: graph, entity: entity, key: key, state: .inserted))
        return (trackInsertion(of: new), false)
    }

    /// Records the insertion of an object and returns the object.
    private func trackInsertion(of object: ManagedObject) -> ManagedObject {
        graph.changes.track(object)
        graph.changeCount += 1
        graph.undo?.record(.inserted(object))
        graph.recordForFollowers(inserted: object)
        return object
    }

    private func set(_ update: ChangeSet.Update) throws {
        let entity = graph.model.layouts[update.entityIndex]
        let columns = Set(update.columns)
        for row in 0..<update.rows.count {
            setAttributes(graph.fault(update.rows.key(at: row), entity), update.rows, row, columns: columns)
        }
        try setReferences(update.rows, columns)
    }

    private func setAttributes(_ object: ManagedObject, _ rows: RowBatch, _ row: Int, columns: Set<Int>?) {
        for property in object.entity.properties
        where property.attribute != nil && isIncluded(property, columns) {
            object.write(rows.storedValue(of: property, at: row), property.slot)
        }
    }

    private func setReferences(_ rows: RowBatch, _ columns: Set<Int>?) throws {
        for row in 0..<rows.count {
            let object = graph.fault(rows.key(at: row), graph.model.layouts[rows.entityIndex(at: row)])
            for property in object.entity.properties where isIncluded(property, columns) {
                guard let relationship = property.relationship else { continue }
                let key = rows.reference(object.location(of: property.slot), at: row)
                let target = try key.flatMap {
                    try graph.resolve($0, graph.model.layouts[relationship.destinationIndex])
                }
                InverseMaintenance(graph: graph).set(object, property.slot, to: target)
            }
            // A restored object may still have its references, while their targets lack it as a member.
            if columns == nil { RelationshipEditing(graph: graph).addToOwners(of: object) }
        }
    }

    private func isIncluded(_ property: PropertyLayout, _ columns: Set<Int>?) -> Bool {
        if property.columns.isEmpty { return false }
        guard let columns else { return true }
        return property.columns.contains(where: columns.contains)
    }

    /// Deletes objects, except for those that are already deleted, which undo could not restore.
    private func delete(_ deletion: ChangeSet.Deletion, except gone: Set<Int64>) {
        let entity = graph.model.layouts[deletion.entityIndex]
        for key in deletion.keys where !gone.contains(key) {
            // A failed save restores object by object, so all dependents have to be loaded.
            DeletePropagation(graph: graph, leavesDependentsUnloaded: false).delete(graph.fault(key, entity))
        }
    }

    // MARK: Links

    private func applyLinks(_ change: ChangeSet.LinkChange) throws {
        let entity = graph.model.layouts[change.entityIndex]
        guard let relationship = entity.properties[change.slot].relationship else { return }
        let destination = graph.model.layouts[relationship.destinationIndex]
        if relationship.isManyToMany {
            let inverses = InverseMaintenance(graph: graph)
            for (owner, target) in try linkedObjects(change.removed, entity, destination)
            where isLinked(owner, target, change) {
                inverses.remove(target, from: owner, change.slot)
            }
            for (owner, target) in try linkedObjects(change.placed, entity, destination)
            where !isLinked(owner, target, change) {
                inverses.add(target, to: owner, change.slot)
            }
        }
        for (key, order) in change.orders.sorted(by: { $0.key < $1.key }) {
            guard let owner = try graph.resolve(key, entity) else { continue }
            try self.order(owner, change.slot, order, destination)
        }
    }

    private func linkedObjects(
        _ links: [RelatedRows.Link], _ entity: EntityLayout, _ destination: EntityLayout
    ) throws
        -> [(ManagedObject, ManagedObject)]
    {
        try links.compactMap { link in
            guard let owner = try graph.resolve(link.owner, entity),
                let target = try graph.resolve(link.target, destination)
            else { return nil }
            return (owner, target)
        }
    }

    private func isLinked(_ owner: ManagedObject, _ target: ManagedObject, _ change: ChangeSet.LinkChange)
        -> Bool
    {
        graph.loadedCollection(of: owner, slot: change.slot).members.contains(target)
    }

    /// Merges the child's order of a list with this context's order.
    private func order(
        _ owner: ManagedObject, _ slot: Int, _ order: ChangeSet.ListOrder, _ destination: EntityLayout
    ) throws {
        let list = graph.loadedCollection(of: owner, slot: slot).list
        let present = Set(list)
        let mine = try order.members.compactMap { try graph.resolve($0, destination) }
        let added = Set(mine.filter { order.added.contains($0.key) && present.contains($0) })
        // Added members are already in the list, at its end.
        let merged = ListMerging.merge(
            mine, into: list.filter { !added.contains($0) }, added: added, removed: [],
            isReordered: order.isReordered)
        InverseMaintenance(graph: graph).set(owner, slot, toOrder: merged)
    }
}
