import ContextCore

/// The places of a model's properties in a store, in the terms of the source.
struct CoreDataPlaces: Sendable {
    let model: CoreDataModel
    let tables: CoreDataTables

    /// An attribute without parts, or a part of a composite.
    struct Leaf: Sendable {
        let property: CoreDataFacts.Property
        let attribute: CoreDataModel.Attribute
        let column: String
        /// The composite that it is part of; nil for an attribute.
        let composite: CoreDataFacts.Property?
    }

    /// A to-one relationship, or the added inverse of a relationship to many objects.
    struct Reference: Sendable {
        let property: CoreDataFacts.Property
        let column: String
        let destination: String
        /// The column of the destination that refers back, if the relationship is one-to-one.
        let backColumn: String?
    }

    /// Returns the numbers of an entity and its subentities in the store.
    func numbers(ofFamily entity: String) -> [Int64] {
        model.tree(ofRoot: entity).compactMap { tables.entities[$0]?.number }
    }

    /// Returns the table of an entity; nil if the store has neither the entity nor a subentity.
    func table(of entity: String) -> String? {
        model.tree(ofRoot: entity).lazy.compactMap { tables.entities[$0]?.table }.first
    }

    /// Returns the stored attributes and parts of an entity, including inherited ones.
    func leaves(of entity: String) -> [Leaf] {
        guard let place = tables.entities[entity] else { return [] }
        return model.lineage(of: entity).flatMap { owner -> [Leaf] in
            (model.entity(named: owner)?.attributes ?? []).flatMap { attribute -> [Leaf] in
                let property = CoreDataFacts.Property(entity: owner, name: attribute.name)
                if attribute.type != .composite {
                    return place.attributes[attribute.name].map {
                        [Leaf(property: property, attribute: attribute, column: $0, composite: nil)]
                    } ?? []
                }
                return CoreDataConversion.parts(of: attribute).compactMap { _, path, part in
                    let name = "\(attribute.name).\(path)"
                    return place.attributes[name].map {
                        Leaf(
                            property: CoreDataFacts.Property(entity: owner, name: name), attribute: part,
                            column: $0,
                            composite: property)
                    }
                }
            }
        }
    }

    /// Returns the to-one relationships of an entity, including inherited ones.
    func references(of entity: String) -> [Reference] {
        guard let place = tables.entities[entity] else { return [] }
        return model.lineage(of: entity).flatMap { owner -> [Reference] in
            (model.entity(named: owner)?.relationships ?? []).compactMap { relationship in
                guard let column = place.references[relationship.name] else { return nil }
                return Reference(
                    property: CoreDataFacts.Property(entity: owner, name: relationship.name), column: column,
                    destination: relationship.destination, backColumn: backColumn(of: relationship))
            }
        }
    }

    private func backColumn(of relationship: CoreDataModel.Relationship) -> String? {
        guard let inverse = relationship.inverse else { return nil }
        return model.tree(ofRoot: relationship.destination).lazy.compactMap {
            tables.entities[$0]?.references[inverse]
        }.first
    }
}
