/// Describes a conflict of the store in terms of objects, with base, own and stored values.
struct ConflictDescription {
    let graph: ObjectGraph

    func describe(_ conflict: RowConflict) throws -> SaveConflict {
        let entity = graph.model.layouts[conflict.entityIndex]
        let id = graph.parent.identifiers.id(of: conflict.key, in: entity)
        switch conflict.reason {
        case .changed:
            return SaveConflict(
                objectID: id, entityName: entity.name, kind: .changed,
                properties: try properties(conflict, entity))
        case .deleted:
            return SaveConflict(objectID: id, entityName: entity.name, kind: .deleted, properties: [])
        case .duplicate(let constraint, let otherKey):
            let other = graph.parent.identifiers.id(of: otherKey, in: entity)
            return SaveConflict(
                objectID: id, entityName: entity.name, kind: .duplicate(properties: constraint, other: other),
                properties: [])
        case .missingReference(let property):
            return SaveConflict(
                objectID: id, entityName: entity.name, kind: .missingReference(property: property),
                properties: [])
        case .denied(let property):
            return SaveConflict(
                objectID: id, entityName: entity.name, kind: .denied(property: property), properties: [])
        }
    }

    /// Returns the properties that the context or the store changed.
    private func properties(_ conflict: RowConflict, _ entity: EntityLayout) throws -> [SaveConflict.Property]
    {
        let stored = RowGroup(try graph.parent.rows([conflict.key], entityIndex: conflict.entityIndex))
        guard stored.batch.count == 1,
            let object = graph.identities.object(conflict.key, rootIndex: entity.rootIndex),
            object.group != nil, object.row >= 0
        else { return [] }
        return entity.properties.compactMap { property in
            guard !property.columns.isEmpty else { return nil }
            let isDirty = object.overlay?.slots[property.slot].isDirty == true
            if !isDirty, graph.hasSameValue(property, of: object, as: stored, at: 0) { return nil }
            let values = SaveConflict.Property(property, of: object, stored)
            return isDirty && values.base == values.theirs && values.base == values.mine ? nil : values
        }
    }
}

extension SaveConflict.Property {
    /// Collects the base, own and stored values of a property.
    ///
    /// An externally stored value counts as null if the context never read it and the store has replaced it since.
    ///
    /// - Parameter stored: The object's current row in the store.
    init(_ property: PropertyLayout, of object: ManagedObject, _ stored: RowGroup) {
        let graph = object.graph
        let error = graph.deferredError
        // A value that can't be read counts as null, and the caller doesn't get its error.
        defer { graph.deferredError = error }
        self.init(
            name: property.name, base: graph.committedRawValue(of: object, property),
            mine: graph.currentRawValue(of: object, property),
            theirs: graph.rawValue(of: property, at: 0, in: stored))
    }
}
