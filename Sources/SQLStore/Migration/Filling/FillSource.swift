import ContextCore

/// An entity whose rows are filled, as the older model has it.
struct FillSource: Hashable {
    let index: Int
    /// Whether the rows of all that inherit from it are meant too.
    let includesSubentities: Bool
}

extension SchemaTransition {
    /// The older entities whose rows become those of a newer one.
    func sources(of entity: EntityMapping) -> [FillSource] {
        if let origin = origin(of: entity) {
            return [FillSource(index: origin.layout.index, includesSubentities: true)]
        }
        return entity.layout.familyIndices.compactMap { origin(of: new.entities[$0]) }.map {
            FillSource(index: $0.layout.index, includesSubentities: false)
        }
    }
}
