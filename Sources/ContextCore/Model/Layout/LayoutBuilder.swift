/// Creates the layouts of a model from valid declarations.
struct LayoutBuilder {
    private let hierarchy: EntityHierarchy
    private let entities: [EntityDescription]
    private let slots: [[String: Int]]
    private let transformers: [String: any AttributeTransformer]

    init(
        _ hierarchy: EntityHierarchy, _ inverses: InverseResolution,
        _ transformers: [any AttributeTransformer]
    ) {
        self.hierarchy = hierarchy
        self.transformers = Dictionary(
            transformers.map { (type(of: $0).name, $0) }, uniquingKeysWith: { first, _ in first })
        let entities = hierarchy.entities.enumerated().map { index, entity in
            Self.resolved(entity, at: index, inverses)
        }
        self.entities = entities
        slots = entities.indices.map { index in
            let names = hierarchy.lineage(of: index).flatMap { entities[$0].propertyNames }
            return Dictionary(
                names.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
        }
    }

    /// Returns the layouts, in the order of the model.
    func layouts() -> [EntityLayout] {
        entities.indices.map(layout)
    }

    private func layout(at index: Int) -> EntityLayout {
        let lineage = hierarchy.lineage(of: index)
        var properties: [PropertyLayout] = []
        var columns: [ColumnLayout] = []
        for ancestor in lineage {
            for name in entities[ancestor].propertyNames {
                let kind = kind(of: name, declaredAt: ancestor)
                let first = columns.count
                columns += self.columns(of: kind, name: name, slot: properties.count)
                properties.append(
                    PropertyLayout(
                        name: name, slot: properties.count, kind: kind, columns: first..<columns.count,
                        transformer: transformer(of: kind)))
            }
        }
        return EntityLayout(
            description: entities[index], index: index, superentityIndex: hierarchy.superentities[index],
            rootIndex: lineage[0], familyIndices: hierarchy.family(of: index), properties: properties,
            columns: columns,
            uniqueConstraints: lineage.flatMap { uniqueConstraints(declaredAt: $0, columns) },
            indexes: lineage.flatMap { entities[$0].indexes },
            contributions: properties.filter(contributes).map(\.slot),
            hasSaveHooks: lineage.contains {
                entities[$0].objectClass != nil && entities[$0].hasDeletionHooks
            })
    }

    /// Whether the destination derives an attribute over the inverse of the relationship.
    private func contributes(_ property: PropertyLayout) -> Bool {
        guard let relationship = property.relationship, let inverse = relationship.description.inverseName
        else {
            return false
        }
        let family =
            hierarchy.family(of: relationship.destinationIndex)
            + hierarchy.lineage(of: relationship.destinationIndex)
        return family.contains { index in
            entities[index].attributes.contains { attribute in
                guard case .derived(let derivation) = attribute.storage else { return false }
                return derivation.relationshipName == inverse
            }
        }
    }

    /// Returns the unique constraints that an entity declares, with their columns.
    private func uniqueConstraints(declaredAt index: Int, _ columns: [ColumnLayout]) -> [UniqueColumns] {
        entities[index].uniqueConstraints.map { constraint in
            UniqueColumns(
                entityIndex: index, names: constraint.properties,
                columns: constraint.properties.compactMap { name in columns.firstIndex { $0.name == name } })
        }
    }

    private func kind(of name: String, declaredAt index: Int) -> PropertyLayout.Kind {
        if let attribute = entities[index].attributes.first(where: { $0.name == name }) {
            return .attribute(attribute)
        }
        guard let relationship = entities[index].relationships.first(where: { $0.name == name }),
            let destination = hierarchy.indices[relationship.destinationName]
        else { programmingError("The model has no valid property “\(name)”.") }
        let inverse = entities[destination].relationships.first { $0.name == relationship.inverseName }
        return .relationship(
            RelationshipLayout(
                description: relationship, sourceIndex: index, destinationIndex: destination,
                inverseSlot: inverse.flatMap { slots[destination][$0.name] },
                inverseIsToMany: inverse?.isToMany ?? false,
                isPolymorphic: hierarchy.family(of: destination).count > 1))
    }

    private func transformer(of kind: PropertyLayout.Kind) -> (any AttributeTransformer)? {
        guard case .attribute(let attribute) = kind, let name = attribute.transformerName else { return nil }
        return transformers[name]
    }

    private func columns(of kind: PropertyLayout.Kind, name: String, slot: Int) -> [ColumnLayout] {
        switch kind {
        case .relationship(let relationship):
            guard !relationship.description.isToMany else { return [] }
            return [
                ColumnLayout(
                    name: name, kind: .reference(destinationIndex: relationship.destinationIndex),
                    isOptional: relationship.description.isOptional, slot: slot, isExternal: false)
            ]
        case .attribute(let attribute):
            guard attribute.storage != .transient else { return [] }
            guard case .composite(let parts) = attribute.type else {
                return [
                    ColumnLayout(
                        name: name, kind: .attribute(attribute.type), isOptional: attribute.isOptional,
                        slot: slot, isExternal: attribute.externalThreshold != nil)
                ]
            }
            return parts.map { part in
                ColumnLayout(
                    name: "\(name).\(part.name)", kind: .attribute(part.type),
                    isOptional: attribute.isOptional || part.isOptional, slot: slot, isExternal: false)
            }
        }
    }

    private static func resolved(
        _ entity: EntityDescription, at index: Int, _ inverses: InverseResolution
    ) -> EntityDescription {
        var resolved = entity
        resolved.relationships = entity.relationships.map { inverses.resolved($0, of: index) }
        return resolved
    }
}

extension EntityDescription {
    /// The names of the declared properties, without inherited ones, sorted by their bytes.
    var propertyNames: [String] {
        (attributes.map(\.name) + relationships.map(\.name)).sortedByBytes { $0 }
    }
}
