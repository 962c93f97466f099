#if Postgres
import ContextCore
import SQLStore

/// Writes links of many-to-many relationships, and places in ordered ones.
struct LinkWriter {
    let store: PostgresStore
    let connection: PostgresConnection
    private var reader: SessionReader { SessionReader(store: store, connection: connection) }
    private var notes: LinkNotes<SessionReader> { LinkNotes(reader) }

    init(store: PostgresStore, connection: PostgresConnection) {
        self.store = store
        self.connection = connection
    }

    func write(_ change: ChangeSet.LinkChange, _ history: inout HistoryEncoder) throws(StoreError) {
        let entity = store.mapping.entities[change.entityIndex]
        switch entity.collections[change.slot] {
        case .links(let links):
            try run(ArrayStatements.removal(of: links), change.removed, hasPosition: false)
            try run(ArrayStatements.placement(of: links), change.placed, hasPosition: links.position != nil)
            try notes.note(change.placed + change.removed, change, &history)
        case .children(let children):
            guard let position = children.position else { return }
            try run(
                ArrayStatements.placement(of: children, position: position), change.placed, hasPosition: true)
            try notes.note(change.placed, change, &history)
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
        for (slot, collection) in entity.collections.sorted(by: { $0.key < $1.key }) {
            guard case .links(let links) = collection else { continue }
            let plan = RelatedPlan(entityIndex: entityIndex, slot: slot, owners: keys, includesRows: false)
            let lost = try reader.related(plan).links
            if lost.isEmpty { continue }
            try run(ArrayStatements.removal(of: links), lost, hasPosition: false)
            let change = ChangeSet.LinkChange(entityIndex: entityIndex, slot: slot, placed: [], removed: lost)
            try notes.note(lost, change, &history)
        }
    }
}
#endif
