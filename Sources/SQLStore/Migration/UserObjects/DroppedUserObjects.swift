/// Divides user-defined indexes and constraints that PostgreSQL drops with a column into those that are recreated and those that are lost.
struct DroppedUserObjects {
    /// The objects that are recreated, because columns with the same names exist afterwards.
    private(set) var recreatedObjects: [UserObject] = []
    /// The objects that are lost.
    private(set) var lostObjects: [UserObject] = []

    init(_ script: AlterScript) {
        for object in script.userObjects {
            guard
                let change = script.changes.first(where: { $0.isSuccessor && $0.origin?.name == object.table }
                )
            else {
                if script.droppedTables.contains(where: { $0.name == object.table }) {
                    lostObjects.append(object)
                }
                continue
            }
            let staying = Set(change.table.columns.compactMap { change.origin(of: $0.name)?.name })
            let dropped = Set((change.origin?.columns ?? []).map(\.name)).subtracting(staying)
            if object.columns.isDisjoint(with: dropped) { continue }
            let names = Set(change.table.columns.map(\.name))
            let isRenamed = change.table.columns.contains { column in
                change.origin(of: column.name).map { $0.name != column.name } ?? false
            }
            if object.columns.isSubset(of: names), change.table.name == object.table, !isRenamed {
                recreatedObjects.append(object)
            } else {
                lostObjects.append(object)
            }
        }
    }
}

extension UserObject {
    /// A description such as `index mine of game`.
    package var summary: String { "\(kind.rawValue) \(name) of \(table)" }
}
