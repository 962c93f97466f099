import ContextCore

/// Finds the destination rows of relationships of any kind, for many rows at once.
struct RelationshipTargets<Reader: RowReader> {
    private let reader: Reader

    init(_ reader: Reader) { self.reader = reader }

    /// Returns the destination rows of a relationship, each with the key of its owner.
    func targets(
        of keys: [Int64], _ layout: EntityLayout, _ slot: Int
    ) throws(StoreError) -> [(owner: Int64, target: RowHeader)] {
        let property = layout.properties[slot]
        guard let relationship = property.relationship, !keys.isEmpty else { return [] }
        let links: [(owner: Int64, target: Int64)]
        if let column = property.columns.first {
            links = try reader.references(in: column, of: keys, layout).map { ($0.key, $0.target) }
        } else {
            let plan = RelatedPlan(entityIndex: layout.index, slot: slot, owners: keys, includesRows: false)
            links = try reader.related(plan).links.map { ($0.owner, $0.target) }
        }
        if links.isEmpty { return [] }
        let destination = reader.mapping.model.layouts[relationship.destinationIndex]
        let found = try reader.headers(of: Set(links.map(\.target)), in: destination)
            .filter { destination.familyIndices.contains($0.entityIndex) }
        let headers = Dictionary(found.map { ($0.key, $0) }) { first, _ in first }
        return links.compactMap { link in headers[link.target].map { (link.owner, $0) } }
    }
}
