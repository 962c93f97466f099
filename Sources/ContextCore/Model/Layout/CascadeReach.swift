/// The inheritance trees that a cascade reaches, if a save may delete their rows without loading objects.
///
/// That requires that no hook observes the deletion and that it changes nothing else: the relationships of the deleted rows are
/// only the inverse of the cascade, such cascades themselves, or relationships whose inverse doesn't change. `deny` rules,
/// which have to be checked, and rules that change the inverse need objects.
struct CascadeReach {
    /// The root entities of the inheritance trees, as indices in the model.
    let roots: Set<Int>

    /// Returns nil if the deletion needs objects.
    private init?(of relationship: RelationshipLayout, in layouts: [EntityLayout]) {
        var search = Search(layouts: layouts)
        guard search.follow(relationship) else { return nil }
        roots = search.roots
    }

    /// Returns the reach of each cascade of a model that needs no objects.
    static func all(in layouts: [EntityLayout]) -> [ObjectIdentifier: CascadeReach] {
        var reaches: [ObjectIdentifier: CascadeReach] = [:]
        for relationship in layouts.lazy.flatMap(\.properties).compactMap(\.relationship) {
            reaches[ObjectIdentifier(relationship)] = CascadeReach(of: relationship, in: layouts)
        }
        return reaches
    }

    private struct Search {
        let layouts: [EntityLayout]
        var roots: Set<Int> = []
        private var seen: Set<ObjectIdentifier> = []

        init(layouts: [EntityLayout]) { self.layouts = layouts }

        /// Follows a cascade through all levels; returns false if it needs objects.
        mutating func follow(_ cascade: RelationshipLayout) -> Bool {
            guard cascade.description.deleteRule == .cascade, cascade.description.isToMany,
                let inverseSlot = cascade.inverseSlot, !cascade.inverseIsToMany
            else { return false }
            guard seen.insert(ObjectIdentifier(cascade)).inserted else { return true }
            let destination = layouts[cascade.destinationIndex]
            roots.insert(destination.rootIndex)
            for index in destination.familyIndices {
                let layout = layouts[index]
                guard !layout.hasSaveHooks, layout.contributions.isEmpty else { return false }
                for property in layout.properties where property.slot != inverseSlot {
                    guard let relationship = property.relationship else { continue }
                    if !leavesInverseUnchanged(relationship), !follow(relationship) { return false }
                }
            }
            return true
        }

        /// Whether a deletion leaves the inverse of a relationship unchanged, and the relationship can't deny it.
        private func leavesInverseUnchanged(_ relationship: RelationshipLayout) -> Bool {
            guard !relationship.isManyToMany else { return false }
            switch relationship.description.deleteRule {
            case .noAction: return true
            case .nullify: return relationship.inverseSlot == nil
            case .cascade, .deny: return false
            }
        }
    }
}
