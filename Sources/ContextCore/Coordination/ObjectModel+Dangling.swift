extension ObjectModel {
    /// Whether a to-one relationship may refer to a row that doesn't exist.
    ///
    /// This is so if its inverse has the delete rule ``DeleteRule/noAction``.
    package func mayDangle(_ relationship: RelationshipLayout) -> Bool {
        guard let slot = relationship.inverseSlot else { return false }
        let inverse = layouts[relationship.destinationIndex].properties[slot].relationship
        return inverse?.description.deleteRule == .noAction
    }
}
