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
        let ends = RelationshipEnds(graph: graph)
        ends.removeLostReferences(of: object)
        // The links are older than what the save's undo group did, so that undo keeps them.
        graph.withoutUndo { ends.renewLinks(of: object) }
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
}
