/// Corrects the relationships of an object that is inserted again because another context deleted its row.
struct Reinsertion {
    let graph: ObjectGraph

    /// Removes references and members that the store no longer has, and members that now have another owner, and marks the
    /// links that this context has loaded as added.
    func restoreRelationships(_ object: ManagedObject) throws {
        for property in object.entity.properties {
            guard let relationship = property.relationship else { continue }
            addOwnersThatHaveMember(object, property.slot, relationship)
            // An updated object may have changed only its links, which can't conflict, so it is refreshed too.
            let related = related(to: object, property.slot, relationship).filter {
                $0.state == .unchanged || $0.state == .updated && relationship.isOneToOne
            }
            try ChangeMerging(graph: graph).updateOrDetach(related)
        }
        let editing = RelationshipEditing(graph: graph)
        editing.removeLostReferences(of: [object])
        // Not undoable: the links existed before the undo group of this save.
        graph.withoutUndo { editing.markLinksAdded(of: object) }
    }

    /// Adds to a many-to-many relationship that isn't loaded the objects whose own end is loaded and has the object.
    ///
    /// The links were deleted with the row, so other links that only the store had are lost.
    private func addOwnersThatHaveMember(
        _ object: ManagedObject, _ slot: Int, _ relationship: RelationshipLayout
    ) {
        guard relationship.isManyToMany, let inverse = relationship.inverseSlot else { return }
        if case .collection(let state)? = object.overlay?.slots[slot], state.isLoaded { return }
        let destination = graph.model.layouts[relationship.destinationIndex]
        let owners = graph.identities.objects(rootIndex: destination.rootIndex).filter { owner in
            guard owner.isLive, owner.entity.isKind(of: destination),
                case .collection(let state)? = owner.overlay?.slots[inverse]
            else { return false }
            return state.members.contains(object)
        }
        let state = graph.collection(of: object, slot: slot)
        if !state.isLoaded { state.load() }
        let editing = RelationshipEditing(graph: graph)
        // Not undoable: the links existed before the undo group of this save.
        graph.withoutUndo {
            for owner in owners.sorted(by: { TemporaryKeys.precedes($0.key, $1.key) }) {
                editing.addMember(object, slot, owner)
            }
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
}
