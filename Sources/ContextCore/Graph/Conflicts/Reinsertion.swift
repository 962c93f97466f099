/// Removes references that the store no longer has from an object that is inserted again because another context
/// deleted its row.
struct Reinsertion {
    let graph: ObjectGraph

    /// Removes references and members that the store no longer has, and members that now have another owner.
    func removeMissingReferences(_ object: ManagedObject) throws {
        for property in object.entity.properties {
            guard let relationship = property.relationship else { continue }
            // An updated object may have changed only its links, which can't conflict, so it is refreshed too.
            let related = related(to: object, property.slot, relationship).filter {
                $0.state == .unchanged || $0.state == .updated && relationship.isOneToOne
            }
            try ChangeMerging(graph: graph).updateOrDetach(related)
        }
        let editing = RelationshipEditing(graph: graph)
        editing.removeLostReferences(of: object)
        // Not undoable: the links existed before the undo group of this save.
        graph.withoutUndo { editing.markLinksAdded(of: object) }
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
