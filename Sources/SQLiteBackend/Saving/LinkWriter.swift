#if SQLite
import ContextCore
import SQLStore

/// Writes links of many-to-many relationships, and places in ordered ones.
struct LinkWriter {
    let store: SQLiteStore
    let connection: SQLiteConnection
    private let texts = RowStatements(.sqlite)

    init(store: SQLiteStore, connection: SQLiteConnection) {
        self.store = store
        self.connection = connection
    }

    /// Takes out what is gone before anything is placed, since both ends of a relationship may have changed.
    func write(_ changes: [ChangeSet.LinkChange], _ history: inout HistoryEncoder) throws(StoreError) {
        let notes = LinkNotes(SessionReader(store: store, connection: connection))
        for change in changes where !change.removed.isEmpty {
            try notes.note(try remove(change), change, &history)
        }
        for change in changes where !change.placed.isEmpty {
            try place(change)
            try notes.note(change.placed, change, &history)
        }
    }

    // MARK: Removing

    /// Removes links; returns those that were there.
    private func remove(_ change: ChangeSet.LinkChange) throws(StoreError) -> [RelatedRows.Link] {
        switch store.mapping.entities[change.entityIndex].collections[change.slot] {
        case .links(let links):
            return try remove(change.removed, links, isOwnInverse: isOwnInverse(change))
        case .children(let children):
            guard let position = children.position else { return [] }
            let statement = try connection.statement(
                texts.displacement(of: children, position: position).sql)
            defer { statement.reset() }
            return try change.removed.kept { link throws(StoreError) in
                statement.bind(1, link.target)
                try statement.run()
                statement.rewind()
                return connection.changedRows > 0
            }
        case nil: return []
        }
    }

    private func remove(
        _ removed: [RelatedRows.Link], _ links: CollectionMapping.Links, isOwnInverse: Bool
    ) throws(StoreError) -> [RelatedRows.Link] {
        let statement = try connection.statement(texts.removal(of: links).sql)
        defer { statement.reset() }
        func remove(_ owner: Int64, _ target: Int64) throws(StoreError) -> Bool {
            statement.bind(1, owner)
            statement.bind(2, target)
            try statement.run()
            statement.rewind()
            return connection.changedRows > 0
        }
        return try removed.kept { link throws(StoreError) in
            let wasThere = try remove(link.owner, link.target)
            if isOwnInverse { _ = try remove(link.target, link.owner) }
            return wasThere
        }
    }

    /// Deletes the links of rows that are about to be deleted; the rows at their other ends change.
    func deleteLinks(of keys: [Int64], entityIndex: Int, _ history: inout HistoryEncoder) throws(StoreError) {
        let entity = store.statements[entityIndex].entity
        let reader = SessionReader(store: store, connection: connection)
        let notes = LinkNotes(SessionReader(store: store, connection: connection))
        for (slot, collection) in entity.collections.sorted(by: { $0.key < $1.key }) {
            guard case .links(let links) = collection else { continue }
            let plan = RelatedPlan(entityIndex: entityIndex, slot: slot, owners: keys, includesRows: false)
            let lost = try reader.related(plan).links
            if lost.isEmpty { continue }
            let change = ChangeSet.LinkChange(entityIndex: entityIndex, slot: slot, removed: lost)
            _ = try remove(lost, links, isOwnInverse: isOwnInverse(change))
            try notes.note(lost, change, &history)
        }
    }

    // MARK: Placing

    private func place(_ change: ChangeSet.LinkChange) throws(StoreError) {
        switch store.mapping.entities[change.entityIndex].collections[change.slot] {
        case .links(let links):
            let hasPosition = links.position != nil
            try run(texts.placement(of: links).sql, change.placed) { link, statement in
                statement.bind(1, link.owner)
                statement.bind(2, link.target)
                if hasPosition { statement.bind(3, link.position) }
            }
            guard isOwnInverse(change) else { return }
            try run(texts.reflection(of: links).sql, change.placed) { link, statement in
                statement.bind(1, link.target)
                statement.bind(2, link.owner)
            }
        case .children(let children):
            guard let position = children.position else { return }
            try run(texts.placement(of: children, position: position).sql, change.placed) { link, statement in
                statement.bind(1, link.position)
                statement.bind(2, link.target)
            }
        case nil: break
        }
    }

    private func run(
        _ sql: String, _ links: [RelatedRows.Link], _ bind: (RelatedRows.Link, SQLiteStatement) -> Void
    ) throws(StoreError) {
        let statement = try connection.statement(sql)
        defer { statement.reset() }
        for link in links {
            bind(link, statement)
            try statement.run()
            statement.rewind()
        }
    }

    /// Whether each link is also one the other way round.
    private func isOwnInverse(_ change: ChangeSet.LinkChange) -> Bool {
        guard let relationship = store.model.layouts[change.entityIndex].properties[change.slot].relationship
        else { return false }
        return relationship.inverseSlot == change.slot
            && relationship.sourceIndex == relationship.destinationIndex
    }
}

extension Array {
    /// The elements for which something is true, found out one after the other.
    fileprivate func kept(_ isKept: (Element) throws(StoreError) -> Bool) throws(StoreError) -> [Element] {
        var kept: [Element] = []
        for element in self where try isKept(element) { kept.append(element) }
        return kept
    }
}
#endif
