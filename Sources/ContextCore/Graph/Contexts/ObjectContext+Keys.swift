// Access by key, for tools that work with any store.
extension ObjectContext {
    /// Returns the objects of an entity, or of its subentities, that have the given keys, and fetches those that are not loaded.
    ///
    /// The dictionary lacks the keys without an object, and those of objects that are deleted.
    package func objects(withKeys keys: some Sequence<Int64>, of entity: EntityLayout) throws
        -> [Int64: ManagedObject]
    {
        try graph.prepareToRead(about: entity)
        var objects: [Int64: ManagedObject] = [:]
        var missing: Set<Int64> = []
        for key in keys where key > 0 {
            if let known = graph.identities.object(key, rootIndex: entity.rootIndex), !known.isFault {
                objects[key] = known
            } else {
                missing.insert(key)
            }
        }
        for chunk in missing.sorted().chunks(ofCount: Self.keysPerFetch) {
            let group = RowGroup(try graph.parent.rows(Array(chunk), entityIndex: entity.rootIndex))
            for object in graph.objects(group) { objects[object.key] = object }
        }
        try graph.throwDeferredError()
        return objects.filter { $0.value.isLive && $0.value.entity.isKind(of: entity) }
    }

    private static let keysPerFetch = 500

    /// The identity of the store, which is part of the identifiers of its objects.
    package var storeID: UUID { graph.identifiers.storeID }

    /// Returns the version of an object's row when it was fetched or saved; 0 for an object without a row.
    package func version(of object: ManagedObject) -> Int64 { graph.version(of: object) }
}
