/// A property by name, and the value that a batch gives it.
public struct PropertyAssignment: Hashable, Sendable {
    /// What a property is given.
    public enum Value: Hashable, Sendable {
        /// An attribute's value, as a store holds it.
        case stored(StoredValue)
        /// What a to-one relationship leads to; nil for nothing.
        case object(ObjectID?)
    }

    /// The property; a part of a composite has a path of two names.
    public var path: PropertyPath
    /// What it is given.
    public var value: Value

    /// Makes an assignment.
    public init(_ path: PropertyPath, _ value: Value) {
        self.path = path
        self.value = value
    }

    /// Gives an attribute a value.
    public static func set(_ path: PropertyPath, to value: some AttributeValue) -> PropertyAssignment {
        PropertyAssignment(path, .stored(value.storedValue))
    }

    /// Lets a to-one relationship lead to an object, or nowhere.
    public static func set(_ path: PropertyPath, to object: ObjectID?) -> PropertyAssignment {
        PropertyAssignment(path, .object(object))
    }
}

/// A property of a class, and the value that a batch gives it, checked by the compiler.
public struct TypedAssignment<Root: ManagedObject>: Hashable, Sendable {
    /// The assignment as data.
    public let assignment: PropertyAssignment

    /// Takes an assignment to be one of a property of a class.
    public init(_ assignment: PropertyAssignment) { self.assignment = assignment }

    /// Gives an attribute a value.
    public static func set<Value: AttributeValue>(_ path: KeyPath<Root, Value>, to value: Value)
        -> TypedAssignment
    {
        TypedAssignment(.set(PropertyPathCache.path(of: path), to: value))
    }

    /// Lets a to-one relationship lead to an object, or nowhere.
    public static func set<Target: ManagedObject>(
        _ path: KeyPath<Root, Target?>, to object: Target?
    ) -> TypedAssignment {
        set(path, to: object?.objectID)
    }

    /// Lets a to-one relationship lead to an object.
    public static func set<Target: ManagedObject>(
        _ path: KeyPath<Root, Target>, to object: Target
    ) -> TypedAssignment {
        TypedAssignment(.set(PropertyPathCache.path(of: path), to: object.objectID))
    }

    /// Lets a to-one relationship lead to the object with an identifier, or nowhere.
    public static func set<Target: ManagedObject>(
        _ path: KeyPath<Root, Target?>, to object: ObjectID?
    ) -> TypedAssignment {
        TypedAssignment(.set(PropertyPathCache.path(of: path), to: object))
    }
}

extension PropertyAssignment {
    /// The columns that are written, with their values.
    func columns(of entity: EntityLayout, in graph: ObjectGraph) throws -> [(column: Int, value: StoredValue)]
    {
        guard let name = path.names.first, let property = entity.property(named: name) else {
            throw refusal(entity, "it has no such property")
        }
        switch (property.kind, value) {
        case (.attribute(let attribute), .stored(let value)):
            if path.names.count > 1 { return [try part(value, of: property, attribute, entity)] }
            return try whole(value, property, attribute, entity)
        case (.relationship(let relationship), .object(let id)):
            return [(try column(of: property, relationship, entity), try key(of: id, relationship, graph))]
        case (.attribute, .object): throw refusal(entity, "it is an attribute")
        case (.relationship, .stored): throw refusal(entity, "it is a relationship")
        }
    }

    private func whole(
        _ value: StoredValue, _ property: PropertyLayout, _ attribute: AttributeDescription,
        _ entity: EntityLayout
    ) throws -> [(column: Int, value: StoredValue)] {
        switch attribute.storage {
        case .stored: break
        case .transient: throw refusal(entity, "it is transient, so no store keeps it")
        case .derived: throw refusal(entity, "it is derived, so the save works it out")
        }
        if property.transformer != nil { throw refusal(entity, "a transformer stands before it") }
        try check(value, property.validation, entity)
        guard case .composite = attribute.type else { return [(property.columns.lowerBound, value)] }
        guard case .composite(let parts) = value, parts.count == property.columns.count else {
            if value.isNull { return property.columns.map { ($0, .null) } }
            throw refusal(entity, "it is a composite")
        }
        return Array(zip(property.columns, parts))
    }

    private func part(
        _ value: StoredValue, of property: PropertyLayout, _ attribute: AttributeDescription,
        _ entity: EntityLayout
    ) throws -> (column: Int, value: StoredValue) {
        let name = path.names.joined(separator: ".")
        guard case .composite(let parts) = attribute.type,
            let part = parts.first(where: { $0.name == path.names[1] }),
            let column = property.columns.first(where: { entity.columns[$0].name == name })
        else { throw refusal(entity, "it has no such part") }
        try check(value, ValueValidation(part), entity)
        return (column, value)
    }

    /// A value of another type can't even be put into a row; the other rules are the store's to check.
    private func check(_ value: StoredValue, _ validation: ValueValidation?, _ entity: EntityLayout) throws {
        guard !value.isNull, let validation else { return }
        let misfits = validation.failures(of: value).filter { $0.rule == .type || $0.rule == .capacity }
        if let misfit = misfits.first { throw refusal(entity, "it \(misfit.message)") }
    }

    private func column(
        of property: PropertyLayout, _ relationship: RelationshipLayout, _ entity: EntityLayout
    ) throws -> Int {
        guard path.names.count == 1 else { throw refusal(entity, "it leads to another object") }
        guard let column = property.columns.first else { throw refusal(entity, "it leads to many objects") }
        if relationship.inverseSlot != nil, !relationship.inverseIsToMany {
            throw refusal(entity, "it is one of two sides that lead to one object each")
        }
        return column
    }

    private func key(
        of id: ObjectID?, _ relationship: RelationshipLayout, _ graph: ObjectGraph
    ) throws -> StoredValue {
        guard let id else { return .null }
        let destination = graph.model.layouts[relationship.destinationIndex]
        guard try graph.rootIndex(of: id) == destination.rootIndex, !id.isTemporary else {
            throw graph.notFound(id)
        }
        return .int(id.key)
    }

    private func refusal(_ entity: EntityLayout, _ reason: String) -> StoreError {
        StoreError(
            .unknownProperty,
            "A batch can't set \(entity.name).\(path.names.joined(separator: ".")): \(reason).",
            remedy: "Set it in objects, and save those.")
    }
}
