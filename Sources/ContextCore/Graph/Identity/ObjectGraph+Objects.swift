// Creates objects and fills faults with rows.
extension ObjectGraph {
    /// Returns the object of a row: the registered instance, or a new one.
    func object(_ group: RowGroup, _ row: Int32) -> ManagedObject {
        var objects = RowObjects(group, row, in: self)
        return objects.object(row)
    }

    /// Returns the objects of all rows of a group.
    func objects(_ group: RowGroup) -> [ManagedObject] {
        let count = group.batch.count
        if count == 0 { return [] }
        var objects = RowObjects(group, 0, in: self)
        return [ManagedObject](unsafeUninitializedCapacity: count) { found, madeCount in
            for row in 0..<count { found.initializeElement(at: row, to: objects.object(Int32(row))) }
            madeCount = count
        }
    }

    /// Updates a registered object from a row that was fetched again.
    ///
    /// A fault is filled. A loaded object moves to the new group only if the group has prefetched relationships and the
    /// same version of the row. Rows of a parent context are ignored, because they may include pending changes, which
    /// don't change the version.
    func update(_ object: ManagedObject, _ group: RowGroup, _ row: Int32) {
        if object.isFault { return fill(object, group, row) }
        if group.hasLoadedValues { copyLoadedValues(of: group, row, in: object) }
        guard group.hasFetchedRelationships, object.row >= 0, object.group !== group, !parent.needsBaseRows,
            version(of: object) == group.batch.version(at: Int(row))
        else { return }
        object.group = group
        object.row = row
    }

    /// Returns the registered object with a key.
    ///
    /// Call this before creating an object: the row may belong to a dependent of a deleted object that is not loaded yet.
    @inline(__always)
    func registeredObject(_ key: Int64, _ entity: EntityLayout) -> ManagedObject? {
        if hasUnloadedDependents { loadDependents(rootIndex: entity.rootIndex) }
        return identities.object(key, rootIndex: entity.rootIndex)
    }

    /// Returns the registered object with a key, or a fault.
    func fault(_ key: Int64, _ entity: EntityLayout) -> ManagedObject {
        if let known = registeredObject(key, entity) { return known }
        recordOrphanFault(key, entity)
        return make(ObjectOrigin(graph: self, entity: entity, key: key, state: .unchanged))
    }

    /// Returns the registered object with a key, or a fault; nil if the row doesn't exist.
    ///
    /// If the entity has subentities, the row is fetched, because it determines the class.
    func resolve(_ key: Int64, _ entity: EntityLayout) throws -> ManagedObject? {
        if let known = registeredObject(key, entity) { return known }
        if !entity.hasSubentities { return fault(key, entity) }
        let batch = try parent.rows([key], entityIndex: entity.index)
        return batch.count == 1 ? object(RowGroup(batch), 0) : nil
    }

    /// Creates an object of its entity's class and registers it.
    func make(_ origin: ObjectOrigin) -> ManagedObject {
        let objectClass = origin.entityReference.withUnretained { $0.objectClass }
        let object = objectClass.init(creation: ObjectCreation(origin))
        identities.register(object)
        return object
    }

    /// Fills a fault with its row, or detaches it if the row belongs to another entity with other columns.
    func fill(_ object: ManagedObject, _ group: RowGroup, _ row: Int32) {
        let entity = model.layouts[group.batch.entityIndex(at: Int(row))]
        if !object.isExactly(entity) { return detachMismatched(from: object, entity) }
        object.group = group
        object.row = row
        callAwakeFromFetch(object)
    }

    /// Detaches an object that was made for a reference whose key belongs to a row of another entity.
    ///
    /// This library never saves such a reference, but foreign keys don't prevent other programs from writing it.
    func detachMismatched(from object: ManagedObject, _ entity: EntityLayout) {
        deferError(entityMismatchError(object.objectID, object.entity, for: entity))
        detach(object)
    }

    /// Returns the error of a reference to a row of another entity.
    func entityMismatchError(_ id: ObjectID, _ entity: EntityLayout, for actual: EntityLayout) -> StoreError {
        StoreError(
            .corrupt,
            "A relationship refers to \(id) as an object of \(entity.name), but it is stored as an object of \(actual.name).",
            remedy: "Run 'storectl check', which finds the reference, and correct it in the database.")
    }

    /// Turns an object into a fault and discards its changes.
    func refault(_ object: ManagedObject) {
        object.group = nil
        object.row = -1
        object.overlay = nil
        if object.state == .updated { object.state = .unchanged }
        recordOrphanFault(object.key, object.entity)
    }

    /// Detaches an object from the context.
    func detach(_ object: ManagedObject) {
        object.state = .detached
        object.overlay = nil
        identities.forget(object)
        deletionCount += 1
        if isObserved { didChangeAll(object) }
    }

    /// Whether a property was changed both in the context and in the store.
    ///
    /// If so, even setting the base value is a change, because the store has another value.
    @inline(__always)
    func isContested(_ object: ManagedObject, _ slot: Int) -> Bool {
        !contested.isEmpty && contested[object]?.contains(slot) == true
    }

    /// Calls `awakeFromFetch` on an object after its row was fetched.
    func callAwakeFromFetch(_ object: ManagedObject) {
        guard object.hasObjectClass else { return }
        let outer = awaking
        awaking = ObjectIdentifier(object)
        object.awakeFromFetch()
        awaking = outer
    }

    /// Removes and returns the keys of orphan faults to fetch together with another one.
    func removeOrphanFaults(of entity: EntityLayout, atMost count: Int) -> [Int64] {
        identities.removeOrphanFaults(rootIndex: entity.rootIndex, atMost: count) {
            isOrphanFault($0, entity)
        }
    }

    /// Records an orphan fault.
    func recordOrphanFault(_ key: Int64, _ entity: EntityLayout) {
        identities.recordOrphanFault(key, rootIndex: entity.rootIndex) { isOrphanFault($0, entity) }
    }

    private func isOrphanFault(_ key: Int64, _ entity: EntityLayout) -> Bool {
        guard let object = identities.object(key, rootIndex: entity.rootIndex) else { return false }
        return object.isFault && object.group == nil
    }

    /// Returns the error for an object whose row is no longer in the store.
    func inaccessible(_ object: ManagedObject) -> StoreError {
        StoreError(
            .objectNotFound, "\(object.objectID) is no longer in the store.",
            remedy:
                "Refresh the context, or use existingObject(with:) for objects that may have been deleted.")
    }
}

extension ObjectGraph {
    /// Returns the value of a required to-one relationship without a target: a new detached object.
    func detachedObject<Target: ManagedObject>(of type: Target.Type, for object: ManagedObject, slot: Int)
        -> Target
    {
        let destination = object.entity.properties[slot].relationship.map {
            model.layouts[$0.destinationIndex]
        }
        return Target(
            creation: ObjectCreation(
                ObjectOrigin(
                    graph: self, entity: destination ?? object.entity, key: temporaryKey(), state: .detached))
        )
    }
}

extension ObjectGraph {
    /// Casts objects to the class that a request returns.
    func typed<Object: ManagedObject>(
        _ objects: [ManagedObject], of entity: EntityLayout, as type: Object.Type
    ) -> [Object] {
        let isOneClass = !entity.hasSubentities && entity.objectClass == type
        if !isOneClass, objects.contains(where: { Swift.type(of: $0) != type }) {
            return objects.map { typed($0, as: type) }
        }
        // Safe: an array of references that are all of the class, because the entity has one class or the types were just checked.
        return unsafeBitCast(objects, to: [Object].self)
    }

    /// Casts an object to the class that a request returns.
    func typed<Object: ManagedObject>(_ object: ManagedObject, as type: Object.Type) -> Object {
        // Comparing the types suffices in the common case; a cast would call the runtime.
        if Swift.type(of: object) == type { return unsafeDowncast(object, to: type) }
        guard let typed = object as? Object else {
            programmingError(
                "Objects of \(object.entity.name) have the class \(Swift.type(of: object)), not \(type). Create the store's model from "
                    + "the classes, or fetch objects of ManagedObject.")
        }
        return typed
    }
}
