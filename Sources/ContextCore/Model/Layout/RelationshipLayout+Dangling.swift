extension ObjectModel {
    /// Whether a to-one relationship may refer to a row that doesn't exist.
    package func mayDangle(_ relationship: RelationshipLayout) -> Bool { relationship.mayDangle(in: layouts) }
}

extension RelationshipLayout {
    /// Whether a to-one relationship may refer to a row that doesn't exist.
    ///
    /// This is so if its inverse has the delete rule ``DeleteRule/noAction``.
    func mayDangle(in layouts: [EntityLayout]) -> Bool {
        guard let slot = inverseSlot else { return false }
        let inverse = layouts[destinationIndex].properties[slot].relationship
        return inverse?.description.deleteRule == .noAction
    }
}
