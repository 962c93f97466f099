extension ManagedObject {
    /// Inserts an object of the class's entity into a context, with the defaults of its model.
    ///
    /// Traps where the entity is abstract.
    public convenience init(insertingInto context: borrowing ObjectContext) {
        // Unretained, here and below: the caller keeps the context as long as this runs, the context keeps the graph, and this initialiser
        // keeps the object until it returns it.
        let graph = Unmanaged.passUnretained(context.graph)
        self.init(birth: ObjectBirth(graph.withUncounted { $0.originOfNewObject(Self.self) }))
        Unmanaged.passUnretained(self).withUncounted { object in
            graph.withUncounted { $0.enter(object) }
        }
    }
}

extension ObjectContext {
    /// Inserts an object of an entity by name, with the defaults of the model.
    ///
    /// - Throws: ``StoreError/Code/unknownProperty`` when the model has no such entity, or it is abstract.
    @discardableResult
    public func insert(_ entityName: String) throws -> ManagedObject {
        let entity = try graph.layout(named: entityName)
        if entity.isAbstract {
            throw StoreError(.unknownProperty, "\(entityName) is abstract, so there can be no object of it.")
        }
        let object = entity.objectClass.init(birth: ObjectBirth(graph.originOfNewObject(of: entity)))
        graph.enter(object)
        return object
    }

    /// Marks an object as deleted, and does at once what its delete rules say.
    ///
    /// The next save makes it final. In a block of `store.write` it may be the save that finds out which rows a cascade leads to, where the
    /// context has no objects of them and nothing asks for one.
    public func delete(_ object: ManagedObject) {
        graph.requireOwn(object, toBe: "deleted")
        DeletePropagation(graph: graph).delete(object)
    }

    /// The object with an identifier: the registered one, or a fault, whose row may not exist.
    ///
    /// A temporary identifier finds its object in the context that the object was made in, also after it was saved: the context remembers the
    /// latest 1,000 to 2,000 assignments of keys, one per inheritance tree and save, and fewer where keys are in no regular order.
    ///
    /// - Throws: ``StoreError/Code/objectNotFound`` when the identifier is not one of the context's store.
    public func object(with id: ObjectID) throws -> ManagedObject {
        let rootIndex = try graph.rootIndex(of: id)
        if let known = graph.identities.object(id.key, rootIndex: rootIndex), known.state != .detached {
            return known
        }
        if id.isTemporary { return try object(with: graph.permanentID(of: id)) }
        let entity = graph.model.layouts[rootIndex]
        return entity.hasSubentities ? try existingObject(with: id) : graph.fault(id.key, entity)
    }

    /// The object with an identifier, as its class.
    ///
    /// - Throws: ``StoreError/Code/objectNotFound`` when it is not one of the class.
    public func object<Object: ManagedObject>(with id: ObjectID, as type: Object.Type) throws -> Object {
        let object = try object(with: id)
        // The common case by one comparison, which makes the downcast certain: a cast asks the runtime.
        if Swift.type(of: object) == type { return unsafeDowncast(object, to: type) }
        guard let object = object as? Object else { throw graph.notFound(id) }
        return object
    }

    /// The object with an identifier, fetched if it is not registered yet.
    ///
    /// - Throws: ``StoreError/Code/objectNotFound`` when there is no such object.
    public func existingObject(with id: ObjectID) throws -> ManagedObject {
        let entity = try graph.layout(of: id)
        try graph.begin(about: entity)
        if id.isTemporary, graph.identities.object(id.key, rootIndex: entity.rootIndex) == nil {
            return try existingObject(with: graph.permanentID(of: id))
        }
        if let known = graph.identities.object(id.key, rootIndex: entity.rootIndex) {
            if known.isDeleted { throw graph.notFound(id) }
            if !known.isFault { return known }
        }
        let batch = try graph.parent.rows([id.key], entityIndex: entity.rootIndex)
        guard batch.count == 1 else { throw graph.notFound(id) }
        return graph.object(RowGroup(batch), 0)
    }

    /// Fetches an object's row if that has not been done, and throws what a property could not.
    public func load(_ object: ManagedObject) throws {
        graph.requireOwn(object, toBe: "loaded")
        try graph.load(object)
    }
}

extension ObjectGraph {
    /// The identifier that an object got when it was saved, by the temporary one that it had in this context.
    ///
    /// - Throws: ``StoreError/Code/objectNotFound`` where it has got none here.
    fileprivate func permanentID(of id: ObjectID) throws -> ObjectID {
        guard let key = permanentKeys.key(of: id.key) else { throw notFound(id) }
        return ObjectID(space: id.space, key: key)
    }
}
