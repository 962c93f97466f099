/// Loads faults and relationships, each together with those of its siblings, which are likely to be accessed next.
struct FaultLoader {
    /// The maximum number of rows to fetch with one fault.
    static let batchSize = 500

    let graph: ObjectGraph

    // MARK: Objects

    /// Fetches the row of a fault together with the rows of its siblings.
    ///
    /// - Throws: ``StoreError/Code/objectNotFound`` if the row no longer exists.
    func fire(_ object: ManagedObject) throws {
        if try loadRow(object) { return }
        if graph.faulting.inaccessible == .error { throw graph.inaccessible(object) }
        graph.detach(object)
    }

    /// Whether an object is new or has a row; fetches the row of a fault.
    func exists(_ object: ManagedObject) throws -> Bool {
        try loadRow(object) && object.state != .detached
    }

    /// Fetches the row of a fault together with the rows of its siblings, and returns false if there is no row.
    private func loadRow(_ object: ManagedObject) throws -> Bool {
        guard object.isFault else { return true }
        // A row that was fetched before may be of an object that a parent context has deleted since.
        if let (group, row) = cachedRow(object),
            !graph.parent.isMarkedDeleted(object.key, rootIndex: object.rootIndex)
        {
            graph.fill(object, group, row)
            if object.state == .detached { try graph.throwDeferredError() }
            return true
        }
        try check(object)
        let batch = try rows(siblings(of: object), for: object)
        let group = RowGroup(batch, site: object.group?.site)
        if let origin = object.group {
            origin.addReferences(group, slot: originSlot(object), epoch: epoch(object))
        }
        for row in 0..<batch.count {
            let found = graph.identities.object(batch.key(at: row), rootIndex: object.rootIndex)
            if let found, found.isFault { graph.fill(found, group, Int32(row)) }
        }
        if object.state == .detached { try graph.throwDeferredError() }
        return !object.isFault
    }

    /// Whether the parent currently has a row for an object.
    func hasRow(_ object: ManagedObject) throws -> Bool {
        try graph.parent.rows([object.key], entityIndex: object.rootIndex).count == 1
    }

    private func rows(_ keys: [Int64], for object: ManagedObject) throws -> RowBatch {
        do {
            return try graph.parent.rows(keys, entityIndex: object.rootIndex)
        } catch {
            if object.group == nil { for key in keys { graph.recordOrphanFault(key, object.entity) } }
            throw error
        }
    }

    /// Fetches an object whose class depends on its row, together with its siblings; nil if there is no row.
    ///
    /// - Parameter mayBeMissing: Whether a missing row is no error, whatever the faulting policy says.
    func fetchPolymorphicTarget(_ origin: ObjectOrigin, mayBeMissing: Bool) throws -> ManagedObject? {
        let fault = ManagedObject(creation: ObjectCreation(origin))
        if let (found, row) = cachedRow(fault) { return graph.object(found, row) }
        try check(fault)
        let batch = try graph.parent.rows(siblings(of: fault), entityIndex: origin.entity.index)
        let group = RowGroup(batch, site: fault.group?.site)
        fault.group?.addReferences(group, slot: originSlot(fault), epoch: epoch(fault))
        if let (found, row) = cachedRow(fault) { return graph.object(found, row) }
        if graph.faulting.inaccessible == .error, !mayBeMissing { throw graph.inaccessible(fault) }
        return nil
    }

    /// Checks whether the faulting policy allows loading a fault; the error or warning names the relationship of the
    /// fault.
    private func check(_ object: ManagedObject) throws {
        guard let origin = object.group, origin.batch.count > 0 else {
            return try graph.faulting.check(object.entity.name, fetchedAt: nil)
        }
        let source = graph.model.layouts[origin.batch.entityIndex(at: 0)]
        let slot = originSlot(object)
        guard source.properties.indices.contains(slot) else {
            return try graph.faulting.check(object.entity.name, fetchedAt: origin.site)
        }
        try graph.faulting.check(
            "\(object.entity.name), through \(source.name).\(source.properties[slot].name),",
            fetchedAt: origin.site)
    }

    private func cachedRow(_ object: ManagedObject) -> (RowGroup, Int32)? {
        object.group?.reference(object.key, slot: originSlot(object), epoch: epoch(object))
    }

    /// The epoch of the object's inheritance tree; rows that were fetched for siblings are valid until it changes.
    private func epoch(_ object: ManagedObject) -> Int { graph.epoch(rootIndex: object.rootIndex) }

    /// The slot through which a fault was reached, encoded in the `row` of the fault.
    private func originSlot(_ object: ManagedObject) -> Int { -2 - Int(object.row) }

    /// Returns the keys of a fault and of the siblings to fetch together with it.
    private func siblings(of object: ManagedObject) -> [Int64] {
        guard let origin = object.group else { return orphanSiblings(of: object) }
        var keys: Set<Int64> = [object.key]
        let slot = originSlot(object)
        var row = origin.cursors[slot] ?? 0
        while row < origin.batch.count, keys.count < Self.batchSize {
            let owner = graph.model.layouts[origin.batch.entityIndex(at: row)]
            if slot < owner.slotLocations.count,
                let key = origin.batch.reference(owner.slotLocations[slot], at: row),
                !isLoaded(key, object),
                origin.reference(key, slot: slot, epoch: epoch(object)) == nil
            {
                keys.insert(key)
            }
            row += 1
        }
        origin.cursors[slot] = row
        return Array(keys)
    }

    /// Returns the keys of an orphan fault and of those to fetch together with it.
    ///
    /// Most orphan faults are created and loaded one at a time.
    private func orphanSiblings(of object: ManagedObject) -> [Int64] {
        let orphans = graph.removeOrphanFaults(of: object.entity, atMost: Self.batchSize)
        if orphans.count == 1, orphans[0] == object.key { return orphans }
        if orphans.isEmpty { return [object.key] }
        return Array(Set(orphans).union([object.key]))
    }

    private func isLoaded(_ key: Int64, _ sibling: ManagedObject) -> Bool {
        guard let object = graph.identities.object(key, rootIndex: sibling.entity.rootIndex) else {
            return false
        }
        return !object.isFault
    }

    // MARK: Relationships

    /// Loads a to-many relationship of an object and of its siblings.
    func load(_ state: ToManyState, of owner: ManagedObject, slot: Int) throws {
        let wasDirty = owner.state == .updated && state.isDirty
        try loadMembers(state, of: owner, slot)
        // The store may have all pending additions and removals already.
        if wasDirty, !state.isDirty { graph.updateState(of: owner) }
    }

    private func loadMembers(_ state: ToManyState, of owner: ManagedObject, _ slot: Int) throws {
        guard let relationship = owner.entity.properties[slot].relationship else { return }
        if owner.state == .detached { return state.load() }
        if graph.hasUnloadedDependents {
            graph.loadDependents(rootIndex: graph.model.layouts[relationship.destinationIndex].rootIndex)
            if state.isCurrent { return }
        }
        let epoch = graph.epoch(of: relationship)
        if let found = owner.group?.links(of: owner.key, slot: slot, epoch: epoch), owner.row >= 0 {
            return try fill(state, found.links, found.targets, relationship)
        }
        try graph.faulting.check(
            "\(owner.entity.name).\(relationship.description.name)", fetchedAt: owner.group?.site)
        let owners = owners(with: owner, slot, epoch)
        let plan = RelatedPlan(entityIndex: owner.entity.index, slot: slot, owners: owners)
        let rows = try graph.parent.related(plan)
        let group =
            owner.row >= 0 ? owner.group ?? RowGroup(.empty(graph.model)) : RowGroup(.empty(graph.model))
        group.addLinks(rows, owners: owners, slot: slot, epoch: epoch)
        if let found = group.links(of: owner.key, slot: slot, epoch: epoch) {
            try fill(state, found.links, found.targets, relationship)
        }
    }

    /// Returns the keys of the owners whose relationship is loaded together: owners of the same fetch, in fixed windows
    /// of rows.
    ///
    /// The windows don't depend on the owner that is accessed first.
    private func owners(with owner: ManagedObject, _ slot: Int, _ epoch: Int) -> [Int64] {
        guard owner.row >= 0, let group = owner.group else { return [owner.key] }
        let start = Int(owner.row) / Self.batchSize * Self.batchSize
        let rows = start..<min(start + Self.batchSize, group.batch.count)
        return rows.compactMap { row in
            let key = group.batch.key(at: row)
            if row == Int(owner.row) { return key }
            guard graph.model.layouts[group.batch.entityIndex(at: row)].isKind(of: owner.entity),
                group.links(of: key, slot: slot, epoch: epoch) == nil
            else { return nil }
            return key
        }
    }

    private func fill(
        _ state: ToManyState, _ links: ArraySlice<RelatedRows.Link>, _ targets: RowIndex,
        _ relationship: RelationshipLayout
    ) throws {
        let destination = graph.model.layouts[relationship.destinationIndex]
        var members = Set<ManagedObject>(minimumCapacity: links.count)
        var order: [ManagedObject] = []
        func append(_ object: consuming ManagedObject, _ link: RelatedRows.Link) {
            if state.isOrdered {
                state.positions[copy object] = link.position
                order.append(copy object)
            }
            // `update(with:)` instead of `insert`, which would retain the object once more for its return value.
            members.update(with: object)
        }
        var place = links.startIndex
        var objects: RowObjects?
        func use(_ group: RowGroup, _ row: Int32) -> RowObjects {
            if let known = objects, known.group === group { return known }
            return RowObjects(group, row, in: graph)
        }
        while place < links.endIndex {
            // Rows that were fetched together are mostly in one group, in the order of the links.
            if var cursor = targets.cursor, let first = cursor.next(links[place].target) {
                let groupCount = targets.groups.count
                var run = use(cursor.group, first)
                var row: Int32? = first
                while let found = row {
                    append(run.object(found), links[place])
                    place += 1
                    // `awakeFromFetch` may have fetched newer rows.
                    guard place < links.endIndex, targets.groups.count == groupCount else { break }
                    row = cursor.next(links[place].target)
                }
                targets.advanceCursor(to: cursor)
                objects = run
            } else {
                let target = links[place].target
                let found: ManagedObject?
                if let (group, row) = targets[target] {
                    objects = use(group, row)
                    found = objects?.object(row)
                } else {
                    found = try graph.resolve(target, destination)
                }
                if let found { append(found, links[place]) }
                place += 1
            }
        }
        state.load(members, order)
    }
}
