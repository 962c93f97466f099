/// Turns changed many-to-many and ordered relationships into links.
struct LinkEncoding {
    /// How far apart new members of an ordered relationship are placed, so that others fit between them.
    static let gap: Int64 = 1 << 20

    let graph: ObjectGraph

    func encode(_ work: SaveWork, _ save: inout EncodedSave) throws {
        var changes: [LinkKey: ChangeSet.LinkChange] = [:]
        for object in work.kept {
            guard let overlay = object.overlay else { continue }
            for (slot, value) in overlay.slots.enumerated() {
                guard case .collection(let state) = value, state.isDirty,
                    let relationship = object.entity.properties[slot].relationship
                else { continue }
                let key = LinkKey(entityIndex: relationship.sourceIndex, slot: slot)
                if relationship.isManyToMany {
                    if isListed(from: key, relationship) {
                        note(state, object, in: &changes[key, default: key.change])
                    }
                }
                if state.isOrdered { try place(state, object, slot, in: &changes[key, default: key.change]) }
            }
        }
        for object in work.deleted { unlink(object, in: &changes) }
        save.changes.links = changes.filter { !$0.value.placed.isEmpty || !$0.value.removed.isEmpty }
            .sorted { ($0.key.entityIndex, $0.key.slot) < ($1.key.entityIndex, $1.key.slot) }
            .map(\.value)
    }

    /// Both ends of a many-to-many relationship know their links; an ordered end lists them, or else the first one in the model.
    private func isListed(from key: LinkKey, _ relationship: RelationshipLayout) -> Bool {
        relationship.isListingEnd(in: graph.model, slot: key.slot)
    }

    private func note(_ state: ToManyState, _ object: ManagedObject, in change: inout ChangeSet.LinkChange) {
        if !state.isOrdered {
            change.placed += state.added.filter(\.isKept).map {
                RelatedRows.Link(owner: object.key, target: $0.key)
            }
        }
        change.removed += state.removed.map { RelatedRows.Link(owner: object.key, target: $0.key) }
    }

    /// Gives members of an ordered relationship positions: only those that are new or stand elsewhere now.
    private func place(
        _ state: ToManyState, _ object: ManagedObject, _ slot: Int, in change: inout ChangeSet.LinkChange
    ) throws {
        if !state.isLoaded { try FaultLoader(graph: graph).load(state, of: object, slot: slot) }
        let positions = ListPositions.assign(state.list.map { state.positions[$0] }, gap: Self.gap)
        for (member, position) in zip(state.list, positions) where state.positions[member] != position {
            state.positions[member] = position
            change.placed.append(RelatedRows.Link(owner: object.key, target: member.key, position: position))
        }
    }

    /// A deleted object's links go with it.
    private func unlink(_ object: ManagedObject, in changes: inout [LinkKey: ChangeSet.LinkChange]) {
        for property in object.entity.properties {
            guard let relationship = property.relationship, relationship.isManyToMany else { continue }
            let key = LinkKey(entityIndex: relationship.sourceIndex, slot: property.slot)
            guard isListed(from: key, relationship), let overlay = object.overlay,
                case .collection(let state) = overlay.slots[property.slot], state.isLoaded
            else { continue }
            let gone = state.members.subtracting(state.added).union(state.removed)
            changes[key, default: key.change].removed += gone.map {
                RelatedRows.Link(owner: object.key, target: $0.key)
            }
        }
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
    /// Whether there will be a row of the object after the next save.
    var isKept: Bool { state != .deleted && state != .detached }
}
