/// Lets an object that is inserted again, since others have deleted its row, refer to what the store still has and to nothing else.
struct Reinsertion {
    let graph: ObjectGraph

    /// Drops members and references that are no longer in the store, and members that have another owner by now.
    func followStore(_ object: ManagedObject) throws {
        for property in object.entity.properties {
            guard let relationship = property.relationship else { continue }
            // A partner that is saved too may be changed in its links alone, which is no conflict.
            let related = related(to: object, property.slot, relationship).filter {
                $0.state == .unchanged || $0.state == .updated && relationship.isOneToOne
            }
            try ChangeMerging(graph: graph).followOrLose(related)
        }
        RelationshipEnds(graph: graph).removeLostReferences(of: object)
        for property in object.entity.properties {
            guard let relationship = property.relationship, relationship.isManyToMany else { continue }
            renewLinks(of: object, property.slot, relationship)
        }
    }

    private func related(
        to object: ManagedObject, _ slot: Int, _ relationship: RelationshipLayout
    ) -> [ManagedObject] {
        if !relationship.description.isToMany {
            return graph.rawTarget(of: object, slot: slot).map { [$0] } ?? []
        }
        guard case .collection(let state)? = object.overlay?.slots[slot] else { return [] }
        return Array(state.members)
    }

    /// Lets links count as added at their other ends too: they are gone with the object's row.
    private func renewLinks(
        of object: ManagedObject, _ slot: Int, _ relationship: RelationshipLayout
    ) {
        guard let inverse = relationship.inverseSlot else { return }
        for member in related(to: object, slot, relationship) {
            let back = graph.collection(of: member, slot: inverse)
            RelationshipEnds(graph: graph).changing(member, inverse) { back.renew(object) }
        }
    }
}
