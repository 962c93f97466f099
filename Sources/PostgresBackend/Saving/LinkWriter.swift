#if Postgres
import ContextCore
import SQLStore

/// Writes links of many-to-many relationships, and places in ordered ones.
struct LinkWriter {
    let store: PostgresStore
    let connection: PostgresConnection

    func write(_ change: ChangeSet.LinkChange, _ history: inout HistoryEncoder) throws(StoreError) {
        let entity = store.mapping.entities[change.entityIndex]
        switch entity.collections[change.slot] {
        case .links(let links):
            try run(ArrayStatements.removal(of: links), change.removed, hasPosition: false)
            try run(ArrayStatements.placement(of: links), change.placed, hasPosition: links.position != nil)
            try note(change.placed + change.removed, change, both: true, &history)
        case .children(let children):
            guard let position = children.position else { return }
            try run(
                ArrayStatements.placement(of: children, position: position), change.placed, hasPosition: true)
            try note(change.placed, change, both: false, &history)
        case nil: break
        }
    }

    private func run(_ sql: String, _ links: [RelatedRows.Link], hasPosition: Bool) throws(StoreError) {
        if links.isEmpty { return }
        var parameters = PostgresParameters()
        parameters.append(keys: links.lazy.map(\.owner))
        parameters.append(keys: links.lazy.map(\.target))
        if hasPosition { parameters.append(keys: links.lazy.map(\.position)) }
        try connection.run(sql, parameters)
    }

    /// Deletes the links of rows that are about to be deleted; the rows at their other ends change.
    func deleteLinks(of keys: [Int64], entityIndex: Int, _ history: inout HistoryEncoder) throws(StoreError) {
        let entity = store.mapping.entities[entityIndex]
        let reader = SessionReader(store: store, connection: connection)
        for (slot, collection) in entity.collections.sorted(by: { $0.key < $1.key }) {
            guard case .links(let links) = collection else { continue }
            let plan = RelatedPlan(entityIndex: entityIndex, slot: slot, owners: keys, includesRows: false)
            let lost = try reader.related(plan).links
            if lost.isEmpty { continue }
            try run(ArrayStatements.removal(of: links), lost, hasPosition: false)
            let change = ChangeSet.LinkChange(entityIndex: entityIndex, slot: slot, placed: [], removed: lost)
            try note(lost, change, both: true, &history)
        }
    }

    // MARK: History

    /// Notes that the rows at the ends of links changed: both ends, or only the owners.
    private func note(
        _ links: [RelatedRows.Link], _ change: ChangeSet.LinkChange, both: Bool,
        _ history: inout HistoryEncoder
    ) throws(StoreError) {
        let layout = store.model.layouts[change.entityIndex]
        guard let relationship = layout.properties[change.slot].relationship else { return }
        try note(Set(links.map(\.owner)), of: layout, property: relationship.description.name, &history)
        guard both, let inverseSlot = relationship.inverseSlot else { return }
        let destination = store.model.layouts[relationship.destinationIndex]
        try note(
            Set(links.map(\.target)), of: destination, property: destination.properties[inverseSlot].name,
            &history)
    }

    private func note(
        _ keys: Set<Int64>, of layout: EntityLayout, property: String, _ history: inout HistoryEncoder
    ) throws(StoreError) {
        guard layout.hasSubentities else {
            let number = store.mapping.entities[layout.index].number
            return history.append(.update, entity: number, properties: [property], keys: keys.sorted())
        }
        let rows = try SessionReader(store: store, connection: connection).headers(of: keys, in: layout)
        for (index, keys) in Dictionary(grouping: rows, by: \.entityIndex).sorted(by: { $0.key < $1.key }) {
            history.append(
                .update, entity: store.mapping.entities[index].number, properties: [property],
                keys: keys.map(\.key).sorted())
        }
    }
}
#endif
