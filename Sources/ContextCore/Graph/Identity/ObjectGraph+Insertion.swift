import Foundation

// Insertion and entity lookup.
extension ObjectGraph {
    /// Returns the layout of a class's entity.
    func layout(of type: ManagedObject.Type) -> EntityLayout {
        // Unretained, here and below: the graph retains it.
        layoutReference(of: type).takeUnretainedValue()
    }

    /// The same as ``layout(of:)``, without reference counting.
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
            // Most blocks work with one class and need no table.
            layoutsByClass[lastClass] = lastLayout.takeUnretainedValue()
            layoutsByClass[id] = layout
        }
        (lastClass, lastLayout) = (id, .passUnretained(layout))
        return .passUnretained(layout)
    }

    private func modelLayout(of type: ManagedObject.Type) -> EntityLayout {
        guard let layout = model.layouts.first(where: { $0.description.objectClass == type }) else {
            programmingError(
                "The context's model has no entity with the class \(type). Add the class to the model of the store."
            )
        }
        return layout
    }

    /// Whether the graph retains an entity's layout.
    func retains(_ entity: EntityLayout) -> Bool {
        (model.layouts.indices.contains(entity.index) && model.layouts[entity.index] === entity)
            || layoutsByClass.values.contains { $0 === entity }
    }

    func layout(named name: String) throws -> EntityLayout {
        guard let layout = model.layout(named: name) else {
            throw StoreError(
                .unknownProperty, "The model has no entity “\(name)”.",
                remedy: Spelling.nearest(to: name, among: model.layouts.map(\.name))
                    .map { "Did you mean “\($0)”?" })
        }
        return layout
    }

    /// Returns the layout of the root entity of an identifier.
    func layout(of id: ObjectID) throws -> EntityLayout { model.layouts[try rootIndex(of: id)] }

    /// Returns the position of an identifier's root entity in the model.
    func rootIndex(of id: ObjectID) throws -> Int {
        if let rootIndex = identifiers.rootIndex(of: id) { return rootIndex }
        // Identifiers of this library contain the root entity; an identifier from another source may contain an entity
        // that the row doesn't have.
        guard id.storeID == identifiers.storeID, let layout = model.layout(named: id.entityName),
            layout.index == layout.rootIndex
        else { throw notFoundError(id) }
        return layout.index
    }

    /// Returns a checker that validates requests for an entity's objects before they go to the store.
    func checker(of entity: EntityLayout, groupedBy: [ResolvedExpression]? = nil) -> RequestChecker {
        RequestChecker(entity, in: model, storeID: identifiers.storeID, groupedBy: groupedBy)
    }

    func notFoundError(_ id: ObjectID) -> StoreError {
        StoreError(
            .objectNotFound, "There is no object \(id) in this store.",
            remedy: "Use an identifier of this store whose object still exists.")
    }

    /// Returns the origin of a new object of a class.
    @inline(__always)
    func originOfNewObject(_ type: ManagedObject.Type) -> ObjectOrigin {
        layoutReference(of: type).withUnretained { entity in
            requirePrecondition(
                !entity.isAbstract,
                "\(entity.name) is abstract, so it can't have objects. Insert an object of one of its subentities."
            )
            return originOfNewObject(of: entity)
        }
    }

    @inline(__always)
    func originOfNewObject(of entity: EntityLayout) -> ObjectOrigin {
        ObjectOrigin(graph: self, entity: entity, key: temporaryKey(), state: .inserted)
    }

    /// Registers a new object, sets its default values and calls `awakeFromInsert`.
    func insert(_ object: ManagedObject) {
        identities.register(object)
        hasTemporaryKeys = true
        changes.track(object)
        changeCount += 1
        if recordsUndo { undo?.record(.inserted(object)) }
        overlayReference(of: object).withUnretained { overlay in
            object.forEachDefault { overlay.slots[$0] = .value($1.storedValue) }
        }
        if isObserved { recordForFollowers(inserted: object) }
        if object.hasObjectClass { object.awakeFromInsert() }
    }
}

extension AttributeDefault {
    /// The default value for one new object.
    package var storedValue: StoredValue {
        switch self {
        case .value(let value): value
        case .now: Date().storedValue
        case .newUUID: .uuid(UUID())
        }
    }
}
