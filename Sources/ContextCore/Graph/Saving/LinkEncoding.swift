/// Encodes changed many-to-many and ordered relationships as links.
struct LinkEncoding {
    let graph: ObjectGraph

    func encode(_ work: SaveSelection, _ save: inout EncodedSave) throws {
        guard work.all.contains(where: { $0.entity.hasLinks }) else { return }
        var changes: [LinkKey: ChangeSet.LinkChange] = [:]
        lazy var saved = SavedObjects(work, isAll: work.count == graph.changes.objects.count)
        for object in work.insertedAndUpdated.lazy.filter(\.entity.hasLinks).flatMap(\.objects) {
            guard let overlay = object.overlay else { continue }
            for (slot, value) in overlay.slots.enumerated() {
                guard case .collection(let state) = value, state.isDirty,
                    let relationship = object.entity.properties[slot].relationship
                else { continue }
                let key = LinkKey(entityIndex: relationship.sourceIndex, slot: slot)
                if relationship.isManyToMany {
                    if encodesLinks(from: key, relationship) {
                        appendChange(state, object, saved, in: &changes[key, default: key.change])
                    }
                }
                if state.isOrdered {
                    try assignPositions(state, object, slot, saved, &save, &changes[key, default: key.change])
                }
            }
        }
        for object in work.deleted.lazy.filter(\.entity.hasLinks).flatMap(\.objects) {
            removeLinks(object, in: &changes)
        }
        save.changes.links = changes.filter { !$0.value.isEmpty }
            .sorted { ($0.key.entityIndex, $0.key.slot) < ($1.key.entityIndex, $1.key.slot) }
            .map(\.value)
    }

    /// Whether links are encoded from this property of a many-to-many relationship: it is ordered, or it is the first
    /// of the two in the model.
    private func encodesLinks(from key: LinkKey, _ relationship: RelationshipLayout) -> Bool {
        relationship.isLinkOwner(in: graph.model, slot: key.slot)
    }

    private func appendChange(
        _ state: ToManyState, _ object: ManagedObject, _ saved: SavedObjects,
        in change: inout ChangeSet.LinkChange
    ) {
        if !state.isOrdered {
            change.placed += state.added.filter(saved.willHaveRow).map {
                RelatedRows.Link(owner: object.key, target: $0.key)
            }
        }
        change.removed += state.removed.filter { $0.state != .inserted }.map {
            RelatedRows.Link(owner: object.key, target: $0.key)
        }
    }

    /// Assigns positions to the members of an ordered relationship that are new or have moved.
    private func assignPositions(
        _ state: ToManyState, _ object: ManagedObject, _ slot: Int, _ saved: SavedObjects,
        _ save: inout EncodedSave, _ change: inout ChangeSet.LinkChange
    ) throws {
        if !state.isLoaded, !graph.parent.needsBaseRows,
            let links = try append(state, to: object, slot, saved, &save)
        {
            change.placed += links
            return
        }
        if !state.isCurrent { try FaultLoader(graph: graph).load(state, of: object, slot: slot) }
        let list = state.list.filter { saved.willBeMember($0, of: object, slot, state) }
        let added = state.added
        let known = list.map { added.contains($0) ? nil : state.positions[$0] }
        let positions = ListPositions.assign(known, gap: ListPositions.gap)
        var positionsByMember: [ManagedObject: Int64] = [:]
        for (index, member) in list.enumerated() where known[index] != positions[index] {
            positionsByMember[member] = positions[index]
            let link = RelatedRows.Link(owner: object.key, target: member.key, position: positions[index])
            if added.contains(member) { change.placed.append(link) } else { change.moved.append(link) }
        }
        if graph.parent.needsBaseRows {
            change.moved = []
            change.orders[object.key] = ChangeSet.ListOrder(
                members: list.map(\.key), added: Set(added.lazy.map(\.key)), isReordered: state.isReordered)
        }
        save.setPositions(state, positionsByMember)
    }

    /// Appends new members to an ordered relationship that is not loaded.
    ///
    /// - Returns: The links; nil if the positions after the last member would overflow, which other programs' positions
    ///   may cause.
    private func append(
        _ state: ToManyState, to object: ManagedObject, _ slot: Int, _ saved: SavedObjects,
        _ save: inout EncodedSave
    ) throws -> [RelatedRows.Link]? {
        let plan = RelatedPlan(
            entityIndex: object.entity.index, slot: slot, owners: [object.key], includesRows: false)
        let stored = try graph.parent.related(plan).links
        let present = Set(stored.map(\.target))
        let coming = state.list.filter {
            saved.willBeMember($0, of: object, slot, state)
                && !(state.added.contains($0) && present.contains($0.key))
        }
        let moved = Set(coming.map(\.key))
        let last = stored.last { !moved.contains($0.target) }?.position ?? 0
        guard let behind = ListPositions.run(from: last, by: ListPositions.gap, count: coming.count) else {
            return nil
        }
        var placed: [ManagedObject: Int64] = [:]
        let links = zip(coming, behind).map { member, position in
            placed[member] = position
            return RelatedRows.Link(owner: object.key, target: member.key, position: position)
        }
        save.setPositions(state, placed)
        return links
    }

    /// Removes the links of a deleted object.
    private func removeLinks(_ object: ManagedObject, in changes: inout [LinkKey: ChangeSet.LinkChange]) {
        for property in object.entity.properties {
            guard let relationship = property.relationship, relationship.isManyToMany else { continue }
            let key = LinkKey(entityIndex: relationship.sourceIndex, slot: property.slot)
            guard encodesLinks(from: key, relationship), let overlay = object.overlay,
                case .collection(let state) = overlay.slots[property.slot], state.isLoaded
            else { continue }
            let gone = state.members.subtracting(state.added).union(state.removed)
            changes[key, default: key.change].removed += gone.map {
                RelatedRows.Link(owner: object.key, target: $0.key)
            }
        }
    }
}

/// The objects of a save.
private struct SavedObjects {
    private let inserted: Set<ManagedObject>
    /// All objects; nil if no other object has changes.
    private let all: Set<ManagedObject>?

    init(_ work: SaveSelection, isAll: Bool) {
        inserted = Set(work.inserted.flatMap(\.objects))
        all = isAll ? nil : Set(work.all.flatMap(\.objects))
    }

    /// Whether an object has a row after the save.
    func willHaveRow(_ object: ManagedObject) -> Bool {
        object.isLive && (object.state != .inserted || inserted.contains(object))
    }

    /// Whether an object is a member of a list in the store after the save.
    ///
    /// If the membership is a pending change of the object's own row, the save must include the object.
    func willBeMember(
        _ member: ManagedObject, of owner: ManagedObject, _ slot: Int, _ state: ToManyState
    ) -> Bool {
        if !willHaveRow(member) { return false }
        guard let all, owner.entity.properties[slot].relationship?.inverseIsToMany == false else {
            return true
        }
        return all.contains(member) || !member.hasChanges || !state.added.contains(member)
    }
}

private struct LinkKey: Hashable {
    let entityIndex: Int
    let slot: Int

    var change: ChangeSet.LinkChange {
        ChangeSet.LinkChange(entityIndex: entityIndex, slot: slot, placed: [], removed: [])
    }
}

extension ManagedObject {
    /// Whether the object will have a row after the next save.
    var isLive: Bool { state != .deleted && state != .detached }
}
