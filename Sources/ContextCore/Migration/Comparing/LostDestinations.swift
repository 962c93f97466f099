/// The older entities to which a relationship can no longer refer in the newer model.
package struct LostDestinations: Sendable, Hashable {
    /// The entities, by their older names, that still exist but no longer inherit from the relationship's destination.
    package var moved: [String] = []
    /// The entities that were removed.
    package var removed: [String] = []

    package var isEmpty: Bool { moved.isEmpty && removed.isEmpty }
    package var names: [String] { moved + removed }
}

extension ModelMatching {
    /// Returns the newer entity of an older one; nil if it was removed.
    package func successor(of origin: EntityLayout, in new: ObjectModel) -> EntityLayout? {
        entities.first { $0.value == origin.name }.flatMap { new.layout(named: $0.key) }
    }

    /// Returns the concrete entities at or below an older entity that aren't at or below a newer one.
    package func lostDestinations(
        from origin: EntityLayout, in old: ObjectModel, to entity: EntityLayout, in new: ObjectModel
    ) -> LostDestinations {
        var lost = LostDestinations()
        for member in origin.familyIndices.map({ old.layouts[$0] }) where !member.isAbstract {
            guard let successor = successor(of: member, in: new) else {
                lost.removed.append(member.name)
                continue
            }
            if !successor.isKind(of: entity) { lost.moved.append(member.name) }
        }
        return lost
    }
}

extension ModelComparison {
    /// Returns a change for each relationship whose destination has lost entities, because references to their objects are removed.
    func lostReferences(_ matching: ModelMatching) -> [ModelChange] {
        new.layouts.flatMap { entity in
            entity.properties.compactMap { property in
                guard let relationship = property.relationship, relationship.sourceIndex == entity.index
                else {
                    return nil
                }
                return change(of: property, relationship, in: entity, matching)
            }
        }
    }

    private func change(
        of property: PropertyLayout, _ relationship: RelationshipLayout, in entity: EntityLayout,
        _ matching: ModelMatching
    ) -> ModelChange? {
        // A one-to-many relationship is stored as the references of its inverse.
        let isToMany = relationship.description.isToMany
        if isToMany, relationship.inverseSlot != nil, !relationship.inverseIsToMany { return nil }
        var lost = LostDestinations()
        for origin in entity.familyIndices.compactMap({ origin(of: new.layouts[$0], matching) }) {
            guard
                let older = matching.property(property.name, of: entity, from: origin, in: old)?.relationship
            else { continue }
            let found = matching.lostDestinations(
                from: old.layouts[older.destinationIndex], in: old,
                to: new.layouts[relationship.destinationIndex], in: new)
            for name in found.moved where !lost.moved.contains(name) {
                if !isToMany || !isReported(older, to: name, matching) { lost.moved.append(name) }
            }
            for name in found.removed where !lost.removed.contains(name) { lost.removed.append(name) }
        }
        // References that may dangle stay when their objects are removed.
        if !isToMany, new.mayDangle(relationship) { lost.removed = [] }
        if lost.isEmpty { return nil }
        let isRequired = !isToMany && !relationship.description.isOptional
        return ModelChange(
            entity.name, .relationship(property.name),
            .destinationsLost(moved: lost.moved, removed: lost.removed, isRequired: isRequired))
    }

    /// Whether the loss of links is reported as the loss of the inverse, in the destination entity.
    private func isReported(_ older: RelationshipLayout, to name: String, _ matching: ModelMatching) -> Bool {
        guard let slot = older.inverseSlot, let origin = old.layout(named: name),
            let entity = matching.successor(of: origin, in: new)
        else { return false }
        let inverse = old.layouts[older.destinationIndex].properties[slot].name
        return matching.successors(of: entity, in: new, from: origin, in: old)[inverse] == nil
    }
}
