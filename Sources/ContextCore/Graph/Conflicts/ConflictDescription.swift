/// Says what a store's conflict means in terms of objects: base, mine and theirs.
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

    /// The properties that were changed on either side.
    private func properties(_ conflict: RowConflict, _ entity: EntityLayout) throws -> [SaveConflict.Property]
    {
        let stored = try graph.parent.rows([conflict.key], entityIndex: conflict.entityIndex)
        guard stored.count == 1,
            let object = graph.identities.object(conflict.key, rootIndex: entity.rootIndex),
            let group = object.group, object.row >= 0
        else { return [] }
        return entity.properties.compactMap { property in
            guard !property.columns.isEmpty else { return nil }
            let base = group.batch.rawValue(of: property, at: Int(object.row))
            let theirs = stored.rawValue(of: property, at: 0)
            let mine = graph.currentRawValue(of: object, property)
            if base == theirs && base == mine { return nil }
            return SaveConflict.Property(name: property.name, base: base, mine: mine, theirs: theirs)
        }
    }
}
