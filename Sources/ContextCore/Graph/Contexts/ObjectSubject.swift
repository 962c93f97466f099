/// An object with its pending changes, as predicates see it.
struct ObjectSubject: PredicateSubject {
    let object: ManagedObject

    var key: Int64 { object.key }
    var entityIndex: Int { object.entity.index }

    func value(column: Int) throws -> StoredValue {
        try load()
        return object.graph.currentValue(of: object, column: column)
    }

    func target(_ hop: ResolvedHop) throws -> ObjectSubject? {
        try load()
        let target = object.graph.target(of: object, slot: hop.slot)
        try object.graph.throwDeferredError()
        return target.flatMap { $0.isKept ? ObjectSubject(object: $0) : nil }
    }

    func members(_ hop: ResolvedHop) throws -> [ObjectSubject] {
        let state = object.graph.loadedCollection(of: object, slot: hop.slot)
        try object.graph.throwDeferredError()
        return state.members.filter(\.isKept).map(ObjectSubject.init)
    }

    private func load() throws {
        if object.isFault { try FaultLoader(graph: object.graph).fire(object) }
    }
}
