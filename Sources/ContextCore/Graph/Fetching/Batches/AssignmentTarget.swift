/// The property that an assignment sets, resolved once for all rows of a batch that assign it.
struct AssignmentTarget {
    private enum Kind {
        case attribute(ValueValidation?)
        case reference(destinationIndex: Int)
    }

    let path: PropertyPath
    /// The columns of the property, or that of a composite's part.
    let columns: Range<Int>
    private let entity: EntityLayout
    private let kind: Kind

    init(_ path: PropertyPath, of entity: EntityLayout) throws {
        self.path = path
        self.entity = entity
        guard let name = path.names.first, let property = entity.property(named: name) else {
            throw Self.error(
                path, entity, "the entity has no such property", remedy: "Check the spelling of the name.")
        }
        switch property.kind {
        case .attribute(let attribute):
            if path.names.count > 1 {
                let (column, part) = try Self.part(path, property, attribute, entity)
                columns = column..<column + 1
                kind = .attribute(ValueValidation(part))
                return
            }
            try Self.checkIsAssignable(path, property, attribute, entity)
            columns = property.columns
            kind = .attribute(property.validation)
        case .relationship(let relationship):
            let column = try Self.column(path, property, relationship, entity)
            columns = column..<column + 1
            kind = .reference(destinationIndex: relationship.destinationIndex)
        }
    }

    private static func part(
        _ path: PropertyPath, _ property: PropertyLayout, _ attribute: AttributeDescription,
        _ entity: EntityLayout
    ) throws -> (column: Int, part: AttributeDescription) {
        let name = path.names.joined(separator: ".")
        guard case .composite(let parts) = attribute.type,
            let part = parts.first(where: { $0.name == path.names[1] }),
            let column = property.columns.first(where: { entity.columns[$0].name == name })
        else { throw error(path, entity, "the composite has no such part") }
        return (column, part)
    }

    private static func checkIsAssignable(
        _ path: PropertyPath, _ property: PropertyLayout, _ attribute: AttributeDescription,
        _ entity: EntityLayout
    ) throws {
        switch attribute.storage {
        case .stored: break
        case .transient: throw error(path, entity, "it is transient, so it is not stored")
        case .derived: throw error(path, entity, "it is derived, so each save calculates it")
        }
        if property.transformer != nil { throw error(path, entity, "it has a value transformer") }
    }

    private static func column(
        _ path: PropertyPath, _ property: PropertyLayout, _ relationship: RelationshipLayout,
        _ entity: EntityLayout
    ) throws -> Int {
        guard path.names.count == 1 else {
            throw error(path, entity, "it is a property of another object")
        }
        guard let column = property.columns.first else {
            throw error(path, entity, "it is a to-many relationship")
        }
        if relationship.inverseSlot != nil, !relationship.inverseIsToMany {
            throw error(path, entity, "it is a one-to-one relationship")
        }
        return column
    }

    // MARK: Values

    /// Returns the assigned value as the store represents it: a reference as its key.
    ///
    /// - Throws: ``StoreError`` if the value has another type, or a size that can't be encoded. The store checks the other rules.
    func storedValue(of value: PropertyAssignment.Value, in graph: ObjectGraph) throws -> StoredValue {
        switch (kind, value) {
        case (.attribute(let validation), .stored(let value)):
            try check(value, validation)
            return value
        case (.reference(let destination), .object(let id)):
            guard let id else { return .null }
            guard try graph.rootIndex(of: id) == graph.model.layouts[destination].rootIndex, !id.isTemporary
            else { throw graph.notFoundError(id) }
            return .int(id.key)
        case (.attribute, .object):
            throw error(
                "it is an attribute, and the assigned value is an object",
                remedy: "Assign a value of the attribute's type.")
        case (.reference, .stored):
            throw error(
                "it is a relationship, and the assigned value is not an object", remedy: "Assign an ObjectID."
            )
        }
    }

    private func check(_ value: StoredValue, _ validation: ValueValidation?) throws {
        guard !value.isNull, let validation, !validation.quick.accepts(value) else { return }
        let misfits = validation.failures(of: value).filter { $0.rule == .type || $0.rule == .capacity }
        if let misfit = misfits.first { throw error("it \(misfit.message)") }
    }

    /// Returns the part of a stored value that belongs to a column of the target.
    func part(_ column: Int, of value: StoredValue) -> StoredValue {
        guard case .composite(let parts) = value else { return value }
        return parts[column - columns.lowerBound]
    }

    /// Sets the target's columns in the current row of a builder to an assigned value.
    ///
    /// - Throws: The errors of ``storedValue(of:in:)``.
    func set(
        _ value: PropertyAssignment.Value, in builder: inout RowBatchBuilder, _ graph: ObjectGraph
    ) throws {
        let value = try storedValue(of: value, in: graph)
        for column in columns { builder.set(column, to: part(column, of: value)) }
    }

    // MARK: Errors

    private func error(_ reason: String, remedy: String = Self.remedy) -> StoreError {
        Self.error(path, entity, reason, remedy: remedy)
    }

    private static func error(
        _ path: PropertyPath, _ entity: EntityLayout, _ reason: String, remedy: String = Self.remedy
    ) -> StoreError {
        StoreError(
            .unknownProperty,
            "A batch can't set \(entity.name).\(path.names.joined(separator: ".")): \(reason).",
            remedy: remedy)
    }

    private static let remedy = "Fetch the objects, set the property in them, and save."
}
