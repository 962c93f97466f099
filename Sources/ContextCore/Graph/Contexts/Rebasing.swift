/// Gives objects newer rows, and lets whatever lies over and around the rows follow.
struct Rebasing {
    let graph: ObjectGraph
    private var ends: RelationshipEnds { RelationshipEnds(graph: graph) }

    init(graph: ObjectGraph) { self.graph = graph }

    /// Lets an object's committed values be those of another row; its pending changes stay over them.
    ///
    /// A change that the row has already is none any more. Relationships that were loaded elsewhere follow what the row says.
    func rebase(_ object: ManagedObject, _ group: RowGroup, _ row: Int32) throws {
        var partners: [Move] = []
        let old = object.row >= 0 ? object.group.map { ($0, Int(object.row)) } : nil
        for property in object.entity.properties {
            guard let relationship = property.relationship, !relationship.description.isToMany,
                let inverse = relationship.inverseSlot, let old
            else { continue }
            let place = object.place(of: property.slot)
            let move = Move(
                object: object, slot: property.slot, inverse: inverse,
                destination: graph.model.layouts[relationship.destinationIndex],
                from: old.0.batch.reference(place, at: old.1), to: group.batch.reference(place, at: Int(row)))
            if move.from == move.to { continue }
            if relationship.isOneToOne { partners.append(move) } else { try follow(move) }
        }
        graph.fill(object, group, row)
        dropWhatIsCommitted(in: object)
        graph.noteChange(of: object)
        graph.didChangeAll(object)
        for move in partners { try release(move) }
    }

    /// Takes a partner that the store has given the object back from it, where the object has another one pending.
    private func release(_ move: Move) throws {
        guard case .object(let pending)? = move.object.overlay?.slots[move.slot], pending?.key != move.to,
            let key = move.to, let partner = try graph.resolve(key, move.destination), partner.isKept
        else { return }
        if partner.state == .unchanged, partner.row >= 0 {
            // Its row was saved together with the object's.
            let rows = try graph.parent.rows([key], entityIndex: partner.rootIndex)
            if rows.count == 1 { try rebase(partner, RowGroup(rows), 0) }
        }
        if graph.rawTarget(of: partner, slot: move.inverse) === move.object {
            ends.point(partner, move.inverse, at: nil)
        }
    }

    /// Lets an object's committed values be those of a row that its own context has saved.
    func adopt(_ object: ManagedObject, _ group: RowGroup, _ row: Int32) {
        (object.group, object.row) = (group, row)
        dropWhatIsCommitted(in: object)
        graph.noteChange(of: object)
        graph.didChangeAll(object)
    }

    /// One to-one relationship that leads elsewhere in the store now.
    private struct Move {
        let object: ManagedObject
        let slot: Int
        let inverse: Int
        let destination: EntityLayout
        let from: Int64?
        let to: Int64?
    }

    private func follow(_ move: Move) throws {
        if let from = owner(move.from, move), let state = known(from, move.inverse) {
            ends.changing(from, move.inverse) { state.settleOut(move.object) }
        }
        guard case .object(let pending)? = move.object.overlay?.slots[move.slot] else {
            if let to = owner(move.to, move), let state = known(to, move.inverse) {
                ends.changing(to, move.inverse) { state.settleIn(move.object) }
            }
            return
        }
        if let pending, pending.key == move.to {
            if let state = known(pending, move.inverse) {
                ends.changing(pending, move.inverse) { state.settleIn(move.object) }
            }
        } else if let key = move.to, let to = try graph.resolve(key, move.destination) {
            let state = graph.collection(of: to, slot: move.inverse)
            ends.changing(to, move.inverse) { state.remove(move.object) }
        }
    }

    private func owner(_ key: Int64?, _ move: Move) -> ManagedObject? {
        key.flatMap { graph.identities.object($0, rootIndex: move.destination.rootIndex) }
    }

    private func known(_ owner: ManagedObject, _ slot: Int) -> ToManyState? {
        if case .collection(let state)? = owner.overlay?.slots[slot] { state } else { nil }
    }

    private func dropWhatIsCommitted(in object: ManagedObject) {
        guard let overlay = object.overlay, object.row >= 0 else { return }
        for property in object.entity.properties where !property.columns.isEmpty {
            let value = overlay.slots[property.slot]
            guard value.isDirty else { continue }
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
