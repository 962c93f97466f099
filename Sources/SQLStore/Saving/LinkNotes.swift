package import ContextCore

/// Notes in the history which rows have other links now.
package struct LinkNotes<Reader: RowReader> {
    private let reader: Reader

    package init(_ reader: Reader) { self.reader = reader }

    /// Notes that the rows at the ends of links changed: both ends of a many-to-many relationship, otherwise the owners.
    package func note(
        _ links: [RelatedRows.Link], _ change: ChangeSet.LinkChange, _ history: inout HistoryEncoder
    ) throws(StoreError) {
        let layout = reader.mapping.model.layouts[change.entityIndex]
        guard let relationship = layout.properties[change.slot].relationship else { return }
        try note(Set(links.map(\.owner)), of: layout, property: relationship.description.name, &history)
        guard relationship.isManyToMany, let inverseSlot = relationship.inverseSlot else { return }
        let destination = reader.mapping.model.layouts[relationship.destinationIndex]
        try note(
            Set(links.map(\.target)), of: destination, property: destination.properties[inverseSlot].name,
            &history)
    }

    private func note(
        _ keys: Set<Int64>, of layout: EntityLayout, property: String, _ history: inout HistoryEncoder
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
