/// Lets an object that is inserted again, since others have deleted its row, refer to what the store still has and to nothing else.
struct Reinsertion {
    let graph: ObjectGraph

    /// Drops members and references that are no longer in the store, and members that have another owner by now.
    func followStore(_ object: ManagedObject) throws {
        for property in object.entity.properties {
            guard let relationship = property.relationship else { continue }
            if relationship.description.isToMany {
                guard case .collection(let state)? = object.overlay?.slots[property.slot] else { continue }
                try followStore(Array(state.members), relationship)
                dropStrangers(from: object, property.slot, state, relationship)
                if relationship.isManyToMany { renewLinks(of: object, state, relationship) }
            } else if let target = graph.rawTarget(of: object, slot: property.slot) {
                try followStore([target], relationship)
                if !target.isKept || relationship.isOneToOne && !refersBack(target, to: object, relationship)
                {
                    graph.change(object, property.slot, to: .object(nil))
                }
            }
        }
    }

    /// Gives objects their stored rows, and loses those that have none.
    private func followStore(_ objects: [ManagedObject], _ relationship: RelationshipLayout) throws {
        let known = objects.filter { $0.state == .unchanged || $0.state == .updated }
        if known.isEmpty { return }
        let rootIndex = graph.model.layouts[relationship.destinationIndex].rootIndex
        let group = RowGroup(try graph.parent.rows(known.map(\.key), entityIndex: rootIndex))
        var gone = Set(known)
        for row in 0..<group.batch.count {
            guard let object = graph.identities.object(group.batch.key(at: row), rootIndex: rootIndex) else {
                continue
            }
            gone.remove(object)
            if object.state == .unchanged { try Rebasing(graph: graph).rebase(object, group, Int32(row)) }
        }
        for object in gone where object.state == .unchanged { graph.lose(object) }
    }

    private func dropStrangers(
        from owner: ManagedObject, _ slot: Int, _ state: ToManyState, _ relationship: RelationshipLayout
    ) {
        for member in state.members where !member.isKept || !refersBack(member, to: owner, relationship) {
            RelationshipEnds(graph: graph).leave(owner, slot, member)
        }
    }

    /// The links of the object are gone with its row, at both ends.
    private func renewLinks(
        of object: ManagedObject, _ state: ToManyState, _ relationship: RelationshipLayout
    ) {
        guard let inverse = relationship.inverseSlot else { return }
        for member in state.members {
            let back = graph.collection(of: member, slot: inverse)
            RelationshipEnds(graph: graph).changing(member, inverse) { back.renew(object) }
        }
    }

    private func refersBack(
        _ member: ManagedObject, to owner: ManagedObject, _ relationship: RelationshipLayout
    ) -> Bool {
        guard let inverse = relationship.inverseSlot, !relationship.inverseIsToMany else { return true }
        return graph.rawTarget(of: member, slot: inverse) === owner
    }
}
