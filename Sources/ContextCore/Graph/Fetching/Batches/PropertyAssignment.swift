/// The name of a property and the value that a batch sets.
public struct PropertyAssignment: Hashable, Sendable {
    /// The value of an assignment.
    public enum Value: Hashable, Sendable {
        /// The value of an attribute, as stored.
        case stored(StoredValue)
        /// The target of a to-one relationship.
        case object(ObjectID?)
    }

    /// The property; two names for a part of a composite.
    public var path: PropertyPath
    /// The value to set.
    public var value: Value

    /// Creates an assignment.
    public init(_ path: PropertyPath, _ value: Value) {
        self.path = path
        self.value = value
    }

    /// Sets an attribute.
    public static func set(_ path: PropertyPath, to value: some AttributeValue) -> PropertyAssignment {
        PropertyAssignment(path, .stored(value.storedValue))
    }

    /// Sets a to-one relationship.
    public static func set(_ path: PropertyPath, to object: ObjectID?) -> PropertyAssignment {
        PropertyAssignment(path, .object(object))
    }
}

/// An assignment to a property of a class, checked by the compiler.
public struct TypedAssignment<Root: ManagedObject>: Hashable, Sendable {
    /// The untyped assignment.
    public let assignment: PropertyAssignment

    /// Creates a typed assignment from an untyped one, without checking it.
    public init(_ assignment: PropertyAssignment) { self.assignment = assignment }

    /// Sets an attribute.
    public static func set<Value: AttributeValue>(_ path: KeyPath<Root, Value>, to value: Value)
        -> TypedAssignment
    {
        TypedAssignment(.set(PropertyPathCache.path(of: path), to: value))
    }

    /// Sets an optional to-one relationship.
    public static func set<Target: ManagedObject>(
        _ path: KeyPath<Root, Target?>, to object: Target?
    ) -> TypedAssignment {
        set(path, to: object?.objectID)
    }

    /// Sets a to-one relationship.
    public static func set<Target: ManagedObject>(
        _ path: KeyPath<Root, Target>, to object: Target
    ) -> TypedAssignment {
        TypedAssignment(.set(PropertyPathCache.path(of: path), to: object.objectID))
    }

    /// Sets an optional to-one relationship to the object with an identifier.
    public static func set<Target: ManagedObject>(
        _ path: KeyPath<Root, Target?>, to object: ObjectID?
    ) -> TypedAssignment {
        TypedAssignment(.set(PropertyPathCache.path(of: path), to: object))
    }
}

extension PropertyAssignment {
    /// Returns the columns to write, with their values.
    func columns(of entity: EntityLayout, in graph: ObjectGraph) throws -> [(column: Int, value: StoredValue)]
    {
        guard let name = path.names.first, let property = entity.property(named: name) else {
            throw assignmentError(
                entity, "the entity has no such property", remedy: "Check the spelling of the name.")
        }
        switch (property.kind, value) {
        case (.attribute(let attribute), .stored(let value)):
            if path.names.count > 1 { return [try partAssignment(value, of: property, attribute, entity)] }
            return try wholeColumns(value, property, attribute, entity)
        case (.relationship(let relationship), .object(let id)):
            return [(try column(of: property, relationship, entity), try key(of: id, relationship, graph))]
        case (.attribute, .object):
            throw assignmentError(
                entity, "it is an attribute, and the assigned value is an object",
                remedy: "Assign a value of the attribute's type.")
        case (.relationship, .stored):
            throw assignmentError(
                entity, "it is a relationship, and the assigned value is not an object",
                remedy: "Assign an ObjectID.")
        }
    }

    private func wholeColumns(
        _ value: StoredValue, _ property: PropertyLayout, _ attribute: AttributeDescription,
        _ entity: EntityLayout
    ) throws -> [(column: Int, value: StoredValue)] {
        switch attribute.storage {
        case .stored: break
        case .transient: throw assignmentError(entity, "it is transient, so it is not stored")
        case .derived: throw assignmentError(entity, "it is derived, so each save calculates it")
        }
        if property.transformer != nil { throw assignmentError(entity, "it has a value transformer") }
        try check(value, property.validation, entity)
        guard case .composite = attribute.type else { return [(property.columns.lowerBound, value)] }
        guard case .composite(let parts) = value, parts.count == property.columns.count else {
            if value.isNull { return property.columns.map { ($0, .null) } }
            throw assignmentError(entity, "it is a composite, and the value has other parts")
        }
        return Array(zip(property.columns, parts))
    }

    private func partAssignment(
        _ value: StoredValue, of property: PropertyLayout, _ attribute: AttributeDescription,
        _ entity: EntityLayout
    ) throws -> (column: Int, value: StoredValue) {
        let name = path.names.joined(separator: ".")
        guard case .composite(let parts) = attribute.type,
            let part = parts.first(where: { $0.name == path.names[1] }),
            let column = property.columns.first(where: { entity.columns[$0].name == name })
        else { throw assignmentError(entity, "the composite has no such part") }
        try check(value, ValueValidation(part), entity)
        return (column, value)
    }

    /// Checks that a value has a type and a size that can be encoded; the store checks the other rules.
    private func check(_ value: StoredValue, _ validation: ValueValidation?, _ entity: EntityLayout) throws {
        guard !value.isNull, let validation else { return }
        let misfits = validation.failures(of: value).filter { $0.rule == .type || $0.rule == .capacity }
        if let misfit = misfits.first { throw assignmentError(entity, "it \(misfit.message)") }
    }

    private func column(
        of property: PropertyLayout, _ relationship: RelationshipLayout, _ entity: EntityLayout
    ) throws -> Int {
        guard path.names.count == 1 else {
            throw assignmentError(entity, "it is a property of another object")
        }
        guard let column = property.columns.first else {
            throw assignmentError(entity, "it is a to-many relationship")
        }
        if relationship.inverseSlot != nil, !relationship.inverseIsToMany {
            throw assignmentError(entity, "it is a one-to-one relationship")
        }
        return column
    }

    private func key(
        of id: ObjectID?, _ relationship: RelationshipLayout, _ graph: ObjectGraph
    ) throws -> StoredValue {
        guard let id else { return .null }
        let destination = graph.model.layouts[relationship.destinationIndex]
        guard try graph.rootIndex(of: id) == destination.rootIndex, !id.isTemporary else {
            throw graph.notFoundError(id)
        }
        return .int(id.key)
    }

    private func assignmentError(
        _ entity: EntityLayout, _ reason: String,
        remedy: String = "Fetch the objects, set the property in them, and save."
    ) -> StoreError {
        StoreError(
            .unknownProperty,
            "A batch can't set \(entity.name).\(path.names.joined(separator: ".")): \(reason).",
            remedy: remedy)
    }
}
