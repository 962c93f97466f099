import ContextCore

extension CoreDataConversion {
    /// Returns the description of a relationship; nil if the model can't have it.
    mutating func convertedRelationship(
        _ relationship: CoreDataModel.Relationship, of entity: CoreDataModel.Entity
    ) -> RelationshipDescription? {
        let property = CoreDataFacts.Property(entity: entity.name, name: relationship.name)
        guard let name = propertyNames[property] else {
            remark(.omitted, property.text, "transient relationships are not in the store.")
            return nil
        }
        let inverse = inverse(of: relationship)
        // A model requires that the destination itself declares the inverse.
        let destination = inverse?.entity ?? relationship.destination
        if destination != relationship.destination {
            remark(.changed, property.text, "its destination is \(destination), which declares the inverse.")
        }
        var description = RelationshipDescription(name, to: entityNames[destination] ?? destination)
        description.inverseName = inverse.flatMap {
            propertyNames[CoreDataFacts.Property(entity: $0.entity, name: $0.relationship.name)]
        }
        description.isToMany = relationship.isToMany
        description.isOrdered = relationship.isOrdered
        description.deleteRule = Self.rule(relationship.deleteRule)
        description.versionHashModifier = relationship.versionHashModifier
        if relationship.isToMany {
            setCounts(relationship, &description)
        } else {
            setOptionality(relationship, &description, property)
        }
        return description
    }

    private func setCounts(
        _ relationship: CoreDataModel.Relationship, _ description: inout RelationshipDescription
    ) {
        description.isOptional = true
        // A required relationship to many objects needs at least one.
        let minimum = max(relationship.minimumCount, relationship.isOptional ? 0 : 1)
        description.minimumCount = minimum > 0 ? minimum : nil
        description.maximumCount = relationship.maximumCount > 0 ? relationship.maximumCount : nil
    }

    private mutating func setOptionality(
        _ relationship: CoreDataModel.Relationship, _ description: inout RelationshipDescription,
        _ property: CoreDataFacts.Property
    ) {
        let facts = facts.references[property] ?? CoreDataFacts.Reference()
        description.isOptional = relationship.isOptional
        if !relationship.isOptional, facts.missing > 0 {
            description.isOptional = true
            remark(
                .changed, property.text,
                "optional, because \(Quantity.text(facts.missing, "object has", "objects have")) no destination."
            )
        }
        if facts.disagreements > 0 {
            remark(
                .changed, property.text,
                "\(Quantity.text(facts.disagreements, "destination doesn't", "destinations don't")) refer back; "
                    + "'storectl check --repair' pairs them.")
        }
    }

    private static func rule(_ rule: CoreDataModel.DeleteRule) -> DeleteRule {
        switch rule {
        case .noAction: .noAction
        case .nullify: .nullify
        case .cascade: .cascade
        case .deny: .deny
        }
    }

    /// Adds inverses to the relationships to many objects that have none, because a model requires them.
    mutating func addInverses() {
        for entity in source.entities {
            for relationship in entity.relationships where relationship.isToMany && !relationship.isTransient
            {
                if inverse(of: relationship) != nil { continue }
                let property = CoreDataFacts.Property(entity: entity.name, name: relationship.name)
                guard let name = propertyNames[property], let owner = entityNames[entity.name],
                    let destination = entityNames[relationship.destination]
                else { continue }
                let wanted = ImportedNames.uncapitalized(owner) + "Of" + ImportedNames.capitalized(name)
                let endings = relationship.isOrdered ? ["_id", "_order"] : ["_id"]
                let added = reserveName(wanted, of: relationship.destination, .init(endings: endings))
                add(RelationshipDescription(added, to: owner, inverse: name), to: destination)
                update(owner) { description in
                    guard let place = description.relationships.firstIndex(where: { $0.name == name }) else {
                        return
                    }
                    description.relationships[place].inverseName = added
                }
                recordAddedInverse(added, of: property)
                remark(
                    .changed, property.text,
                    "it has the inverse \(destination).\(added), which a model requires.")
            }
        }
    }
}
