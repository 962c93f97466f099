/// Returns the objects of a group's rows: registered instances, or new ones.
///
/// It stores the origin of new objects, because reference counting for each row would take longer than everything else.
struct RowObjects {
    private let graph: ObjectGraph
    let group: RowGroup
    private let isLoaded: Bool
    /// The entity of the last row.
    private var entity: EntityLayout
    private var origin: ObjectOrigin

    /// - Parameter row: Any of the rows whose objects are needed.
    init(_ group: RowGroup, _ row: Int32, in graph: ObjectGraph) {
        self.graph = graph
        self.group = group
        isLoaded = group.batch.hasAllColumns
        entity = graph.model.layouts[group.batch.entityIndex(at: Int(row))]
        origin = ObjectOrigin(
            graph: graph, entity: entity, key: 0, group: isLoaded ? group : nil, state: .unchanged)
    }

    /// Returns the object of a row.
    mutating func object(_ row: Int32) -> ManagedObject {
        let header = group.batch.header(at: Int(row))
        let key = header.key
        if entity.index != header.entityIndex { setEntity(to: graph.model.layouts[header.entityIndex]) }
        if let known = graph.registeredObject(key, entity) {
            if known.isExactly(entity) {
                if isLoaded { graph.update(known, group, row) }
                return known
            }
            graph.detachMismatched(from: known, entity)
        }
        origin.key = key
        if !isLoaded {
            graph.recordOrphanFault(key, entity)
            return graph.make(origin)
        }
        origin.row = row
        let object = graph.make(origin)
        graph.callAwakeFromFetch(object)
        return object
    }

    private mutating func setEntity(to entity: EntityLayout) {
        self.entity = entity
        origin.entity = entity
    }
}
