extension ObjectModel {
    /// Whether a to-one relationship may lead to a row that isn't there.
    ///
    /// It may when the relationship that leads back has the delete rule ``DeleteRule/noAction``, and only then.
    package func mayDangle(_ relationship: RelationshipLayout) -> Bool {
        guard let slot = relationship.inverseSlot else { return false }
        let inverse = layouts[relationship.destinationIndex].properties[slot].relationship
        return inverse?.description.deleteRule == .noAction
    }
}
