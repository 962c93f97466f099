import ContextCore

/// An entity of the older model whose rows are backfilled.
struct BackfillSource: Hashable {
    let index: Int
    /// Whether rows of its subentities are included.
    let includesSubentities: Bool
}

extension SchemaTransition {
    /// Returns the older entities whose rows become rows of a newer entity, without those that leave its tree or are removed.
    func sources(of entity: EntityMapping) -> [BackfillSource] {
        let kept = entity.layout.familyIndices.compactMap { origin(of: new.entities[$0])?.layout.index }
        if let origin = origin(of: entity), Set(origin.layout.familyIndices).isSubset(of: kept) {
            return [BackfillSource(index: origin.layout.index, includesSubentities: true)]
        }
        return kept.map { BackfillSource(index: $0, includesSubentities: false) }
    }
}
