/// The objects of a group's rows, one after the other: the registered ones, or new ones.
///
/// What new ones are all born with is put together once: to count anew who holds it takes longer than all else that a row asks for.
struct RowObjects {
    private let graph: ObjectGraph
    let group: RowGroup
    private let isLoaded: Bool
    private var birth: ObjectBirth

    /// - Parameter row: One of the rows that will be asked for.
    init(_ group: RowGroup, _ row: Int32, in graph: ObjectGraph) {
        self.graph = graph
        self.group = group
        isLoaded = group.batch.isWhole
        birth = ObjectBirth(
            graph: graph, entity: graph.model.layouts[group.batch.entityIndex(at: Int(row))], key: 0,
            group: isLoaded ? group : nil, state: .unchanged)
    }

    /// The object of a row.
    mutating func object(_ row: Int32) -> ManagedObject {
        let (key, entityIndex) = group.batch.keyAndEntity(at: Int(row))
        if birth.entity.index != entityIndex { birth.entity = graph.model.layouts[entityIndex] }
        if let known = graph.registered(key, birth.entity) {
            if known.isOf(birth.entity) {
                if isLoaded { graph.update(known, group, row) }
                return known
            }
            graph.part(from: known, birth.entity)
        }
        birth.key = key
        if !isLoaded {
            graph.noteLooseFault(key, birth.entity)
            return graph.make(birth)
        }
        birth.row = row
        let object = graph.make(birth)
        graph.awake(object)
        return object
    }
}
