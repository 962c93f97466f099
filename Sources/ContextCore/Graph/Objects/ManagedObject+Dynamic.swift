// Access by name, for entities without a class and for tools that work with any store.
extension ManagedObject {
    /// The value of the named attribute.
    ///
    /// - Throws: ``StoreError/Code/unknownProperty`` if the entity has no such attribute, and errors of loading the object or an externally
    ///   stored value.
    public final subscript(name: String) -> StoredValue {
        get throws {
            let property = try attribute(named: name)
            try graph.load(self)
            let value = storedValue(at: property.slot)
            if mayHaveDeferredValues { try graph.throwDeferredError() }
            return value
        }
    }

    /// Sets the named attribute.
    ///
    /// - Throws: ``StoreError/Code/unknownProperty`` if the entity has no such attribute, or if the attribute has another type.
    public final func set(_ name: String, to value: some AttributeValue) throws {
        try set(name, toStored: value.storedValue)
    }

    /// Sets the named attribute to a stored value.
    ///
    /// - Throws: ``StoreError/Code/unknownProperty`` if the entity has no such attribute, or if the attribute has another type.
    public final func set(_ name: String, toStored value: StoredValue) throws {
        let property = try attribute(named: name)
        if let validation = property.validation, !value.isNull {
            let misfits = validation.failures(of: value).filter { $0.rule == .type || $0.rule == .capacity }
            if let misfit = misfits.first {
                throw StoreError(.unknownProperty, "\(entity.name).\(name) \(misfit.message).")
            }
        }
        if case .derived? = property.attribute?.storage {
            throw StoreError(
                .unknownProperty, "\(entity.name).\(name) is derived by every save, so it can't be set.",
                remedy: "Change the properties that it is derived from.")
        }
        try graph.load(self)
        write(value, property.slot)
    }

    /// Returns the target of the named to-one relationship.
    public final func object(_ name: String) throws -> ManagedObject? {
        let property = try relationship(named: name, isToMany: false)
        try graph.load(self)
        let target = graph.target(of: self, slot: property.slot)
        try graph.throwDeferredError()
        return target
    }

    /// Sets the named to-one relationship.
    public final func set(_ name: String, to target: ManagedObject?) throws {
        let property = try relationship(named: name, isToMany: false)
        if let target { try check(target, for: property) }
        try graph.load(self)
        InverseMaintenance(graph: graph).set(self, property.slot, to: target)
    }

    /// Returns the members of the named to-many relationship: in its order, or by identifier if it is not ordered.
    public final func objects(_ name: String) throws -> [ManagedObject] {
        let property = try relationship(named: name, isToMany: true)
        let state = graph.loadedCollection(of: self, slot: property.slot)
        try graph.throwDeferredError()
        let members = state.orderedMembers
        return members.filter(\.isLive)
    }

    /// Sets the members of the named to-many relationship.
    public final func set(_ name: String, to targets: [ManagedObject]) throws {
        let property = try relationship(named: name, isToMany: true)
        for target in targets { try check(target, for: property) }
        let maintenance = InverseMaintenance(graph: graph)
        if property.relationship?.description.isOrdered == true {
            maintenance.set(self, property.slot, toOrder: targets)
        } else {
            maintenance.set(self, property.slot, to: Set(targets))
        }
        try graph.throwDeferredError()
    }
}

// MARK: - Checks

extension ManagedObject {
    final func property(named name: String) throws -> PropertyLayout {
        guard let property = entity.property(named: name) else {
            throw StoreError(
                .unknownProperty, "\(entity.name) has no property “\(name)”.",
                remedy: Spelling.nearest(to: name, among: entity.properties.map(\.name))
                    .map { "Did you mean “\($0)”?" })
        }
        return property
    }

    private final func attribute(named name: String) throws -> PropertyLayout {
        let property = try property(named: name)
        if property.attribute == nil {
            throw StoreError(
                .unknownProperty, "\(entity.name).\(name) is a relationship, not an attribute.",
                remedy:
                    "Read a to-one relationship with object(_:) and a to-many relationship with objects(_:).")
        }
        return property
    }

    final func relationship(named name: String, isToMany: Bool) throws -> PropertyLayout {
        let property = try property(named: name)
        guard property.relationship?.description.isToMany == isToMany else {
            throw StoreError(
                .unknownProperty,
                "\(entity.name).\(name) is not a \(isToMany ? "to-many" : "to-one") relationship.",
                remedy:
                    "Read an attribute with object[name], a to-one relationship with object(_:), and a to-many "
                    + "relationship with objects(_:).")
        }
        return property
    }

    private final func check(_ target: ManagedObject, for property: PropertyLayout) throws {
        guard let relationship = property.relationship else { return }
        let destination = graph.model.layouts[relationship.destinationIndex]
        if !target.entity.isKind(of: destination) {
            throw StoreError(
                .unknownProperty,
                "\(entity.name).\(property.name) references \(destination.name), not \(target.entity.name).",
                remedy: "Set it to an object of \(destination.name) or of one of its subentities.")
        }
    }
}
