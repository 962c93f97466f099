/// Fetches what is touched and not loaded, together with what is likely to be touched next.
struct FaultLoader {
    /// How many siblings are fetched along with a fault.
    static let batchSize = 500

    let graph: ObjectGraph

    // MARK: Objects

    /// Fetches the row of a fault, and the rows of its siblings with it.
    ///
    /// - Throws: ``StoreError/Code/objectNotFound`` when there is no row any more.
    func fire(_ object: ManagedObject) throws {
        guard object.isFault else { return }
        if let (group, row) = cachedRow(object) {
            graph.fill(object, group, row)
            return
        }
        try graph.faulting.check(object, property: nil)
        let keys = siblings(of: object)
        let batch = try graph.parent.rows(keys, entityIndex: object.entity.rootIndex)
        let group = RowGroup(batch)
        if let origin = object.group { origin.addReferences(group, slot: originSlot(object)) }
        for row in 0..<batch.count {
            let found = graph.identities.object(batch.key(at: row), rootIndex: object.entity.rootIndex)
            if let found, found.isFault { graph.fill(found, group, Int32(row)) }
        }
        if object.isFault { throw graph.inaccessible(object) }
    }

    /// Makes the object of a key whose class only its row can tell, with its siblings' rows.
    func polymorphic(_ birth: ObjectBirth) throws -> ManagedObject? {
        let fault = ManagedObject(birth: birth)
        let batch = try graph.parent.rows(siblings(of: fault), entityIndex: birth.entity.index)
        let group = RowGroup(batch)
        fault.group?.addReferences(group, slot: originSlot(fault))
        guard let (found, row) = cachedRow(fault) else { throw graph.inaccessible(fault) }
        return graph.object(found, row)
    }

    private func cachedRow(_ object: ManagedObject) -> (RowGroup, Int32)? {
        object.group?.reference(object.key, slot: originSlot(object))
    }

    /// The slot through which a fault was reached; kept where a loaded object keeps its row.
    private func originSlot(_ object: ManagedObject) -> Int { -2 - Int(object.row) }

    /// The keys of the faults that are worth fetching together with one.
    private func siblings(of object: ManagedObject) -> [Int64] {
        var keys: Set<Int64> = [object.key]
        if let origin = object.group {
            let layout = graph.model.layouts
            for row in 0..<origin.batch.count where keys.count < Self.batchSize {
                let owner = layout[origin.batch.entityIndex(at: row)]
                guard originSlot(object) < owner.properties.count else { continue }
                if let key = origin.batch.reference(owner.places[originSlot(object)], at: row),
                    !isLoaded(key, object)
                {
                    keys.insert(key)
                }
            }
        } else {
            for key in graph.looseFaults(of: object.entity, atMost: Self.batchSize) { keys.insert(key) }
        }
        return Array(keys)
    }

    private func isLoaded(_ key: Int64, _ sibling: ManagedObject) -> Bool {
        guard let object = graph.identities.object(key, rootIndex: sibling.entity.rootIndex) else {
            return false
        }
        return !object.isFault
    }

    // MARK: Relationships

    /// Fills in a to-many relationship, for the object and its siblings.
    func load(_ state: ToManyState, of owner: ManagedObject, slot: Int) throws {
        guard let relationship = owner.entity.properties[slot].relationship else { return }
        if let found = owner.group?.links(of: owner.key, slot: slot), owner.row >= 0 {
            state.load(members(found.links, found.targets, relationship, state))
            return
        }
        try graph.faulting.check(owner, property: relationship.description.name)
        let owners = owner.row >= 0 ? owner.group.map { ownersNear(owner, $0) } ?? [owner.key] : [owner.key]
        let plan = RelatedPlan(entityIndex: owner.entity.index, slot: slot, owners: owners)
        let rows = try graph.parent.related(plan)
        let group =
            owner.row >= 0 ? owner.group ?? RowGroup(.empty(graph.model)) : RowGroup(.empty(graph.model))
        group.addLinks(rows, owners: owners, slot: slot)
        if let found = group.links(of: owner.key, slot: slot) {
            state.load(members(found.links, found.targets, relationship, state))
        }
    }

    /// The owners of one fetch whose relationship is worth loading together: those from this one on.
    private func ownersNear(_ owner: ManagedObject, _ group: RowGroup) -> [Int64] {
        let rows = Int(owner.row)..<min(Int(owner.row) + Self.batchSize, group.batch.count)
        return rows.filter {
            graph.model.layouts[group.batch.entityIndex(at: $0)].isKind(of: owner.entity)
                || $0 == Int(owner.row)
        }
        .map { group.batch.key(at: $0) }
    }

    private func members(
        _ links: ArraySlice<RelatedRows.Link>, _ targets: RowIndex, _ relationship: RelationshipLayout,
        _ state: ToManyState
    ) -> [ManagedObject] {
        let destination = graph.model.layouts[relationship.destinationIndex]
        var members: [ManagedObject] = []
        members.reserveCapacity(links.count)
        for link in links {
            let object =
                if let (group, row) = targets[link.target] {
                    graph.object(group, row)
                } else {
                    graph.fault(link.target, destination)
                }
            if state.isOrdered { state.positions[object] = link.position }
            if object.state != .deleted && object.state != .detached { members.append(object) }
        }
        return members
    }
}
