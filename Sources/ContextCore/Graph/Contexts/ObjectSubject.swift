import Foundation

/// Evaluates predicates on an object with its pending changes.
struct ObjectSubject: PredicateSubject {
    let object: ManagedObject

    var key: Int64 { object.key }
    var entityIndex: Int { object.entity.index }

    func value(column: Int) throws -> StoredValue {
        try load()
        let graph = object.graph
        let property = object.entity.properties[object.entity.columns[column].slot]
        // A predicate can only compare an externally stored value with nil, and the value is never nil.
        if object.mayHaveDeferredValues, graph.isDeferred(property, of: object) { return .data(Data()) }
        let value = graph.currentValue(of: object, column: column)
        try graph.throwDeferredError()
        return value
    }

    func target(_ hop: RelationshipStep) throws -> ObjectSubject? {
        try load()
        // A pending change may reference an object that was deleted in the store.
        return try object.graph.existingTarget(of: object, slot: hop.slot).map(ObjectSubject.init)
    }

    func members(_ hop: RelationshipStep) throws -> [ObjectSubject] {
        let state = object.graph.loadedCollection(of: object, slot: hop.slot)
        try object.graph.throwDeferredError()
        return state.members.filter(\.isLive).map(ObjectSubject.init)
    }

    private func load() throws {
        if object.isFault { try FaultLoader(graph: object.graph).fire(object) }
    }
}
