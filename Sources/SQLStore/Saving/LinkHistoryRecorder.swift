package import ContextCore

/// Records in the history which rows' links have changed.
package struct LinkHistoryRecorder<Reader: RowReader> {
    private let reader: Reader

    package init(_ reader: Reader) { self.reader = reader }

    /// Records the rows of changed links: both sides of a many-to-many relationship, otherwise the owners.
    package func recordLinks(
        _ links: [RelatedRows.Link], _ change: ChangeSet.LinkChange, _ history: inout HistoryEncoder
    ) throws(StoreError) {
        let layout = reader.mapping.model.layouts[change.entityIndex]
        guard let relationship = layout.properties[change.slot].relationship else { return }
        try recordUpdates(
            of: Set(links.map(\.owner)), in: layout, property: relationship.description.name, &history)
        guard relationship.isManyToMany, let inverseSlot = relationship.inverseSlot else { return }
        let destination = reader.mapping.model.layouts[relationship.destinationIndex]
        try recordUpdates(
            of: Set(links.map(\.target)), in: destination,
            property: destination.properties[inverseSlot].name, &history)
    }

    private func recordUpdates(
        of keys: Set<Int64>, in layout: EntityLayout, property: String, _ history: inout HistoryEncoder
    ) throws(StoreError) {
        let root = reader.mapping.model.layouts[layout.rootIndex]
        guard root.hasSubentities else {
            let number = reader.mapping.entities[layout.index].number
            return history.append(.update, entity: number, properties: [property], keys: keys.sorted())
        }
        let rows = try reader.headers(of: keys, in: layout)
        for (index, keys) in Dictionary(grouping: rows, by: \.entityIndex).sorted(by: { $0.key < $1.key }) {
            history.append(
                .update, entity: reader.mapping.entities[index].number, properties: [property],
                keys: keys.map(\.key).sorted())
        }
    }
}
