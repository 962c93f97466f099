/// The state of an in-memory store.
///
/// It is a persistent data structure: a copy takes constant time, and write sessions change their own copy.
struct MemorySnapshot: Sendable {
    let schema: MemorySchema
    /// The rows of each inheritance tree, by the index of its root entity in the model.
    var tables: [RowTable]
    var links: MemoryLinkTable
    /// The position of each row in each ordered one-to-many relationship, by the number of the relationship and the row's key.
    var orders: [SortedMap<Int64, Int64>]
    var history = MemoryHistory()
    var userInfo: [String: String] = [:]

    var model: ObjectModel { schema.model }

    init(_ schema: MemorySchema) {
        self.schema = schema
        tables = schema.indexes.map(RowTable.init)
        links = MemoryLinkTable(opposites: schema.oppositeEnds)
        orders = Array(repeating: SortedMap(), count: schema.orderCount)
    }

    /// Returns the row with a key, if its entity is the given one or a subentity.
    func row(_ key: Int64, entityIndex: Int) -> StoredRow? {
        let layout = model.layouts[entityIndex]
        guard let row = tables[layout.rootIndex].rows[key] else { return nil }
        return layout.index == layout.rootIndex || layout.familyIndices.contains(row.entityIndex) ? row : nil
    }

    /// Returns the links of a row's to-many relationship, sorted by position and then by key.
    func links(of owner: Int64, entityIndex: Int, slot: Int) -> [RelatedRows.Link] {
        var found: [RelatedRows.Link] = []
        var isOrdered = false
        switch schema.relationships[entityIndex][slot] {
        case .referring(let rootIndex, let index, let order):
            tables[rootIndex].forEachKey(in: index, referringTo: owner) { key in
                let position = order.flatMap { orders[$0][key] } ?? 0
                isOrdered = isOrdered || position != 0
                found.append(RelatedRows.Link(owner: owner, target: key, position: position))
            }
        case .links(let end):
            links.forEach(of: owner, end: end) { target, position in
                isOrdered = isOrdered || position != 0
                found.append(RelatedRows.Link(owner: owner, target: target, position: position))
            }
        case .reference, nil:
            break
        }
        if isOrdered { found.sort { ($0.position, $0.target) < ($1.position, $1.target) } }
        return found
    }
}
