/// How far a cascade reaches whose rows a save may delete without making objects of them.
///
/// Nobody needs an object of a row that no hook hears of, and whose deletion changes nothing else: all its relationships are the way
/// back, such cascades themselves, or none of the other end's business. A rule that has to look (`deny`), and one that changes the
/// other end, need objects.
struct CascadeReach {
    /// The inheritance trees of the rows, by their roots' positions in the model.
    let roots: Set<Int>

    /// Nil where there have to be objects.
    private init?(of relationship: RelationshipLayout, in layouts: [EntityLayout]) {
        var search = Search(layouts: layouts)
        guard search.follow(relationship) else { return nil }
        roots = search.roots
    }

    /// How far each cascade of a model reaches that needs no objects.
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

        /// Follows a cascade down to its end; false where some object has to be looked at.
        mutating func follow(_ cascade: RelationshipLayout) -> Bool {
            guard cascade.description.deleteRule == .cascade, cascade.description.isToMany,
                let inverseSlot = cascade.inverseSlot, !cascade.inverseIsToMany
            else { return false }
            guard seen.insert(ObjectIdentifier(cascade)).inserted else { return true }
            let destination = layouts[cascade.destinationIndex]
            roots.insert(destination.rootIndex)
            for index in destination.familyIndices {
                let layout = layouts[index]
                guard !layout.mayHearOfSaves, layout.contributions.isEmpty else { return false }
                for property in layout.properties where property.slot != inverseSlot {
                    guard let relationship = property.relationship else { continue }
                    if !isHarmless(relationship), !follow(relationship) { return false }
                }
            }
            return true
        }

        /// Whether nothing at the other end of a relationship changes, or stands in the way, when an object is deleted.
        private func isHarmless(_ relationship: RelationshipLayout) -> Bool {
            guard !relationship.isManyToMany else { return false }
            switch relationship.description.deleteRule {
            case .noAction: return true
            case .nullify: return relationship.inverseSlot == nil
            case .cascade, .deny: return false
            }
        }
    }
}
