import Foundation

extension ObjectModel {
    /// Creates a model from declarations that may have problems, so that index predicates can be checked too.
    ///
    /// It contains entities and properties with unique names and their types. It omits everything that predicates don't depend on. A
    /// relationship without a destination refers to its own entity.
    convenience init(sketching hierarchy: EntityHierarchy) {
        var ignored = ModelProblems()
        let entities = hierarchy.entities.indices.map { hierarchy.sketch(of: $0) }
        let sketch = EntityHierarchy(entities, &ignored)
        let inverses = InverseResolution(sketch, &ignored)
        self.init(layouts: LayoutBuilder(sketch, inverses, []).layouts(), indicesByName: sketch.indices)
    }
}

extension EntityHierarchy {
    fileprivate func sketch(of index: Int) -> EntityDescription {
        let entity = entities[index]
        var names = Set(lineage(of: index).dropLast().flatMap { entities[$0].propertyNames })
        let attributes = entity.attributes.filter { names.insert($0.name).inserted }
        let relationships = entity.relationships.filter { names.insert($0.name).inserted }
        return EntityDescription(
            entity.name, superentity: superentities[index].map { entities[$0].name },
            attributes: attributes.map(\.sketch),
            relationships: relationships.map { relationship in
                let isKnown = indices[relationship.destinationName] != nil
                return RelationshipDescription(
                    relationship.name, to: isKnown ? relationship.destinationName : entity.name,
                    isToMany: relationship.isToMany)
            })
    }
}

extension AttributeDescription {
    fileprivate var sketch: AttributeDescription {
        let storage: AttributeStorage = storage == .transient ? .transient : .stored
        return AttributeDescription(
            name, type.sketch, isOptional: isOptional, storage: storage, transformerName: transformerName,
            externalThreshold: externalThreshold)
    }
}

extension AttributeType {
    fileprivate var sketch: AttributeType {
        switch self {
        case .decimal(let precision, let scale) where !Self.isValidDecimal(precision, scale):
            Decimal.attributeType
        case .composite(let parts): .composite(parts.map(\.sketch))
        default: self
        }
    }
}
