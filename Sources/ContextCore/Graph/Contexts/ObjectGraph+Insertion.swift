import Foundation

// Insertion, and finding entities.
extension ObjectGraph {
    /// The layout of a class's entity.
    func layout(of type: ManagedObject.Type) -> EntityLayout {
        // Unretained, here and below: the graph keeps it.
        layoutReference(of: type).takeUnretainedValue()
    }

    /// The same, uncounted.
    @inline(__always)
    private func layoutReference(of type: ManagedObject.Type) -> Unmanaged<EntityLayout> {
        if ObjectIdentifier(type) == lastClass, let lastLayout { return lastLayout }
        return findLayout(of: type)
    }

    @inline(never)
    private func findLayout(of type: ManagedObject.Type) -> Unmanaged<EntityLayout> {
        let id = ObjectIdentifier(type)
        let layout = layoutsByClass[id] ?? modelLayout(of: type)
        if let lastClass, let lastLayout, layoutsByClass[id] == nil {
            // Most blocks work with one class, and need no table.
            layoutsByClass[lastClass] = lastLayout.takeUnretainedValue()
            layoutsByClass[id] = layout
        }
        (lastClass, lastLayout) = (id, .passUnretained(layout))
        return .passUnretained(layout)
    }

    private func modelLayout(of type: ManagedObject.Type) -> EntityLayout {
        guard let layout = model.layouts.first(where: { $0.description.objectClass == type }) else {
            programmingError(
                "The context's model has no entity with the class \(type). Add the class to the model of its store."
            )
        }
        return layout
    }

    /// Whether an entity is there as long as the graph is.
    func keeps(_ entity: EntityLayout) -> Bool {
        (model.layouts.indices.contains(entity.index) && model.layouts[entity.index] === entity)
            || layoutsByClass.values.contains { $0 === entity }
    }

    func layout(named name: String) throws -> EntityLayout {
        guard let layout = model.layout(named: name) else {
            throw StoreError(.unknownProperty, "The model has no entity “\(name)”.")
        }
        return layout
    }

    /// The layout of the uppermost entity that an identifier is of.
    func layout(of id: ObjectID) throws -> EntityLayout { model.layouts[try rootIndex(of: id)] }

    /// Where that entity stands in the model.
    func rootIndex(of id: ObjectID) throws -> Int {
        if let rootIndex = identifiers.rootIndex(of: id) { return rootIndex }
        // Ours name the uppermost entity; one from outside that names another would give a row the wrong class.
        guard id.storeID == identifiers.storeID, let layout = model.layout(named: id.entityName),
            layout.index == layout.rootIndex
        else { throw notFound(id) }
        return layout.index
    }

    /// What checks a request of an entity's objects before it goes to the store.
    func checker(of entity: EntityLayout, groupedBy: [ResolvedExpression]? = nil) -> RequestChecker {
        RequestChecker(entity, in: model, storeID: identifiers.storeID, groupedBy: groupedBy)
    }

    func notFound(_ id: ObjectID) -> StoreError {
        StoreError(.objectNotFound, "There is no object \(id) in this store.")
    }

    /// What a new object of a class is made of.
    @inline(__always)
    func originOfNewObject(_ type: ManagedObject.Type) -> ObjectOrigin {
        layoutReference(of: type).withUncounted { entity in
            requirePrecondition(
                !entity.isAbstract,
                "\(entity.name) is abstract, so there can be no object of it. Insert one of its subentities."
            )
            return originOfNewObject(of: entity)
        }
    }

    @inline(__always)
    func originOfNewObject(of entity: EntityLayout) -> ObjectOrigin {
        ObjectOrigin(graph: self, entity: entity, key: temporaryKey(), state: .inserted)
    }

    /// Registers a new object, gives it its defaults and lets it awake.
    func enter(_ object: ManagedObject) {
        identities.register(object)
        hasTemporaryKeys = true
        changes.track(object)
        changeCount += 1
        if notesUndo { undo?.record(.inserted(object)) }
        overlayReference(of: object).withUncounted { overlay in
            object.forEachDefault { overlay.slots[$0] = .value($1.storedValue) }
        }
        if isObserved { note(inserted: object) }
        if object.hasObjectClass { object.awakeFromInsert() }
    }
}

extension AttributeDefault {
    /// The value for one new object.
    var storedValue: StoredValue {
        switch self {
        case .value(let value): value
        case .now: Date().storedValue
        case .newUUID: .uuid(UUID())
        }
    }
}
