extension ManagedObject {
    /// Inserts an object of the class's entity into a context, with the default values of the model.
    ///
    /// Traps if the entity is abstract.
    public convenience init(insertingInto context: borrowing ObjectContext) {
        // Unretained, here and below: the caller retains the context during this call, the context retains the graph,
        // and this initializer retains the object until it returns.
        let graph = Unmanaged.passUnretained(context.graph)
        self.init(creation: ObjectCreation(graph.withUnretained { $0.originOfNewObject(Self.self) }))
        Unmanaged.passUnretained(self).withUnretained { object in
            graph.withUnretained { $0.insert(object) }
        }
    }
}

extension ObjectContext {
    /// Inserts an object of the named entity, with the default values of the model.
    ///
    /// - Throws: ``StoreError/Code/unknownProperty`` if the model has no such entity, or if it is abstract.
    @discardableResult
    public func insert(_ entityName: String) throws -> ManagedObject {
        let entity = try graph.layout(named: entityName)
        if entity.isAbstract {
            throw StoreError(
                .unknownProperty, "\(entityName) is abstract, so it can't have objects.",
                remedy: "Insert an object of one of its subentities.")
        }
        let object = entity.objectClass.init(creation: ObjectCreation(graph.originOfNewObject(of: entity)))
        graph.insert(object)
        return object
    }

    /// Marks an object as deleted and applies its delete rules immediately.
    ///
    /// The next save deletes the row. In a block of `store.write`, the save finds the rows that a cascade deletes
    /// without loading their objects, if the context has loaded no object that may be one of them.
    public func delete(_ object: ManagedObject) {
        graph.requireOwnership(object, toBe: "deleted")
        DeletePropagation(graph: graph).delete(object)
    }

    /// Returns the object with an identifier: the registered instance, or a fault, whose row may not exist.
    ///
    /// A temporary identifier returns its object in the context that inserted the object, even after a save. The
    /// context records the latest 1,000 to 2,000 assignments of keys, one per inheritance tree and save, and fewer if
    /// the keys are not consecutive.
    ///
    /// - Throws: ``StoreError/Code/objectNotFound`` if the identifier doesn't belong to the context's store.
    public func object(with id: ObjectID) throws -> ManagedObject {
        let rootIndex = try graph.rootIndex(of: id)
        if let known = graph.identities.object(id.key, rootIndex: rootIndex), known.state != .detached {
            return known
        }
        if id.isTemporary { return try object(with: graph.permanentID(of: id)) }
        let entity = graph.model.layouts[rootIndex]
        return entity.hasSubentities ? try existingObject(with: id) : graph.fault(id.key, entity)
    }

    /// Returns the object with an identifier, as its class.
    ///
    /// - Throws: ``StoreError/Code/objectNotFound`` if the object is of another class.
    public func object<Object: ManagedObject>(with id: ObjectID, as type: Object.Type) throws -> Object {
        let object = try object(with: id)
        // Comparing the types suffices in the common case; a cast would call the runtime.
        if Swift.type(of: object) == type { return unsafeDowncast(object, to: type) }
        guard let object = object as? Object else { throw graph.notFoundError(id) }
        return object
    }

    /// Returns the object with an identifier, and fetches it if it is not loaded.
    ///
    /// - Throws: ``StoreError/Code/objectNotFound`` if there is no such object.
    public func existingObject(with id: ObjectID) throws -> ManagedObject {
        let entity = try graph.layout(of: id)
        try graph.prepareToRead(about: entity)
        if id.isTemporary, graph.identities.object(id.key, rootIndex: entity.rootIndex) == nil {
            return try existingObject(with: graph.permanentID(of: id))
        }
        if let known = graph.identities.object(id.key, rootIndex: entity.rootIndex) {
            if known.isDeleted { throw graph.notFoundError(id) }
            if !known.isFault { return known }
        }
        let batch = try graph.parent.rows([id.key], entityIndex: entity.rootIndex)
        guard batch.count == 1 else { throw graph.notFoundError(id) }
        return graph.object(RowGroup(batch), 0)
    }

    /// Loads an object if it is a fault, and throws the deferred error of an earlier property access, if any.
    public func load(_ object: ManagedObject) throws {
        graph.requireOwnership(object, toBe: "loaded")
        try graph.load(object)
    }
}

extension ObjectGraph {
    /// Returns the permanent identifier that a save assigned to an object with a temporary one.
    ///
    /// - Throws: ``StoreError/Code/objectNotFound`` if this context has no record of the assignment.
    fileprivate func permanentID(of id: ObjectID) throws -> ObjectID {
        guard let key = permanentKeys.key(of: id.key) else { throw notFoundError(id) }
        return ObjectID(space: id.space, key: key)
    }
}
