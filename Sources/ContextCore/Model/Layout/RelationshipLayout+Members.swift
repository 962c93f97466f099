extension RelationshipLayout {
    /// Whether this end of a relationship releases its members: the end that doesn't list the links.
    ///
    /// If both ends are the same relationship, the relationship of each object does.
    func releasesMembers(in layouts: [EntityLayout], slot: Int) -> Bool {
        guard isManyToMany, !description.isOrdered else { return false }
        return inverseSlot == slot && destinationIndex == sourceIndex
            || !isLinkOwner(in: layouts, slot: slot)
    }
}

extension ObjectModel {
    /// Returns the root entities of the inheritance trees in which a many-to-many relationship can release its members.
    static func memberReleasingRoots(in layouts: [EntityLayout]) -> [Int] {
        Set(
            layouts.filter { layout in
                layout.properties.contains {
                    $0.relationship?.releasesMembers(in: layouts, slot: $0.slot) == true
                }
            }.map(\.rootIndex)
        ).sorted()
    }
}
