import ContextCore

/// An entity whose rows are filled, as the older model has it.
struct FillSource: Hashable {
    let index: Int
    /// Whether the rows of all that inherit from it are meant too.
    let includesSubentities: Bool
}

extension SchemaTransition {
    /// The older entities whose rows become those of a newer one, without those that leave its tree or are removed.
    func sources(of entity: EntityMapping) -> [FillSource] {
        let kept = entity.layout.familyIndices.compactMap { origin(of: new.entities[$0])?.layout.index }
        if let origin = origin(of: entity), Set(origin.layout.familyIndices).isSubset(of: kept) {
            return [FillSource(index: origin.layout.index, includesSubentities: true)]
        }
        return kept.map { FillSource(index: $0, includesSubentities: false) }
    }
}
