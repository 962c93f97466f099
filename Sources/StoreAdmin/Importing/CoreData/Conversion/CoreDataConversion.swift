import ContextCore
import Foundation

/// Converts a model of Core Data to entity descriptions, and remarks what has no place or another form in them.
///
/// What the rows of a store contain decides some types: see ``CoreDataFacts``. A required property becomes optional if rows have no value.
struct CoreDataConversion {
    /// The entities, sorted like those of the source.
    private(set) var entities: [EntityDescription] = []
    private(set) var remarks: [ImportRemark] = []
    /// The names of the entities in the model, by those of the source.
    private(set) var entityNames: [String: String] = [:]
    /// The names of the properties in the model; a part of a composite is written `address.city`.
    private(set) var propertyNames: [CoreDataFacts.Property: String] = [:]
    /// The added inverses of relationships without one, by those relationships.
    private(set) var addedInverses: [CoreDataFacts.Property: String] = [:]

    let source: CoreDataModel
    let facts: CoreDataFacts
    private var names = CoreDataNames()

    init(_ source: CoreDataModel, _ facts: CoreDataFacts = CoreDataFacts()) {
        self.source = source
        self.facts = facts
        nameEntities()
        nameProperties()
        for entity in source.entities { addEntity(entity) }
        remarkOtherParts()
    }

    mutating func remark(_ kind: ImportRemark.Kind, _ subject: String, _ text: String) {
        remarks.append(ImportRemark(kind: kind, subject: subject, text: text))
    }

    // MARK: Names

    private mutating func nameEntities() {
        for entity in source.entities {
            let name = names.reserveEntity(entity.name)
            entityNames[entity.name] = name
            if name != entity.name { remark(.changed, entity.name, "the entity is named \(name).") }
        }
    }

    private mutating func nameProperties() {
        for root in source.roots {
            for name in source.tree(ofRoot: root) {
                guard let entity = source.entity(named: name) else { continue }
                for attribute in entity.attributes
                where attribute.type != .undefined && attribute.type != .objectID {
                    let leaves = Self.parts(of: attribute).map(\.name)
                    let needs = CoreDataNames.Needs(endings: leaves.map { "_" + $0 })
                    nameProperty(attribute.name, of: name, root, needs)
                }
                for relationship in entity.relationships where !relationship.isTransient {
                    let inverse = inverse(of: relationship)
                    var needs = CoreDataNames.Needs()
                    if !relationship.isToMany {
                        needs.endings = inverse?.relationship.isOrdered == true ? ["_id", "_order"] : ["_id"]
                    } else {
                        needs.hasTable = inverse?.relationship.isToMany == true
                    }
                    nameProperty(relationship.name, of: name, root, needs)
                }
            }
        }
    }

    private mutating func nameProperty(
        _ name: String, of entity: String, _ root: String, _ needs: CoreDataNames.Needs
    ) {
        let property = CoreDataFacts.Property(entity: entity, name: name)
        let found = names.reserveProperty(name, of: entityNames[entity] ?? entity, root: root, needs)
        propertyNames[property] = found
        if found != name { remark(.changed, property.text, "the property is named \(found).") }
    }

    /// Returns the destination of a relationship of the source; nil if there is none of this name.
    func destination(of property: CoreDataFacts.Property) -> String? {
        source.entity(named: property.entity)?.relationships.first { $0.name == property.name }?.destination
    }

    /// Returns the inverse of a relationship, and the entity that declares it; nil if it has none.
    func inverse(
        of relationship: CoreDataModel.Relationship
    ) -> (entity: String, relationship: CoreDataModel.Relationship)? {
        guard let name = relationship.inverse else { return nil }
        for entity in source.lineage(of: relationship.destination) {
            let candidates = source.entity(named: entity)?.relationships ?? []
            guard let found = candidates.first(where: { $0.name == name }) else { continue }
            return found.inverse == relationship.name && !found.isTransient ? (entity, found) : nil
        }
        return nil
    }

    /// Returns the parts of a composite, with those of nested composites; empty for other attributes.
    static func parts(of attribute: CoreDataModel.Attribute) -> [(
        name: String, path: String, part: CoreDataModel.Attribute
    )] {
        attribute.parts.flatMap { part -> [(name: String, path: String, part: CoreDataModel.Attribute)] in
            let nested = parts(of: part)
            if part.type != .composite { return [(part.name, part.name, part)] }
            return nested.map { inner in
                (part.name + ImportedNames.capitalized(inner.name), "\(part.name).\(inner.path)", inner.part)
            }
        }
    }

    // MARK: Entities

    private mutating func addEntity(_ entity: CoreDataModel.Entity) {
        var description = EntityDescription(entityNames[entity.name] ?? entity.name)
        description.superentityName = entity.superentity.flatMap { entityNames[$0] }
        description.isAbstract = entity.isAbstract
        description.versionHashModifier = entity.versionHashModifier
        for attribute in entity.attributes {
            if let converted = convertedAttribute(attribute, of: entity) {
                description.attributes.append(converted)
            }
        }
        for relationship in entity.relationships {
            if let converted = convertedRelationship(relationship, of: entity) {
                description.relationships.append(converted)
            }
        }
        entities.append(description)
        addConstraints(of: entity)
        for name in entity.fetchedProperties {
            remark(
                .omitted, "\(entity.name).\(name)", "fetched properties are requests, which a program makes.")
        }
        if entity.hasUserInfo {
            remark(.omitted, entity.name, "the user info of the entity or of its properties.")
        }
    }

    private mutating func addConstraints(of entity: CoreDataModel.Entity) {
        let place = entities.count - 1
        for constraint in entity.uniqueConstraints {
            let properties = constraint.compactMap { name(of: $0, in: entity.name) }
            guard properties.count == constraint.count, !properties.isEmpty else {
                remark(
                    .omitted, entity.name, "the unique constraint on \(constraint.joined(separator: ", ")).")
                continue
            }
            entities[place].uniqueConstraints.append(UniqueConstraint(properties))
        }
        for index in entity.indexes {
            let elements = index.elements.compactMap { element in
                name(of: element.property, in: entity.name).map {
                    IndexDescription.Element($0, isDescending: element.isDescending)
                }
            }
            guard !index.isSpecial, elements.count == index.elements.count, !elements.isEmpty else {
                remark(
                    .omitted, entity.name,
                    "the index \(index.name), whose properties or kind a model can't express.")
                continue
            }
            let isReference =
                elements.count == 1 && isRelationship(index.elements[0].property, of: entity.name)
            let isUnique = entities[place].uniqueConstraints.contains {
                $0.properties == elements.map(\.property)
            }
            let description = IndexDescription(elements)
            // The store creates indexes for relationships and for unique constraints.
            if isReference || isUnique || entities[place].indexes.contains(description) { continue }
            entities[place].indexes.append(description)
        }
    }

    /// Returns the name in the model of an entity's own or inherited property.
    func name(of property: String, in entity: String) -> String? {
        for owner in source.lineage(of: entity) {
            if let name = propertyNames[CoreDataFacts.Property(entity: owner, name: property)] { return name }
        }
        return nil
    }

    private func isRelationship(_ property: String, of entity: String) -> Bool {
        source.lineage(of: entity).contains { owner in
            source.entity(named: owner)?.relationships.contains { $0.name == property } == true
        }
    }

    private mutating func remarkOtherParts() {
        for name in source.configurations.keys.sorted() {
            let members = source.configurations[name] ?? []
            remark(
                .omitted, name,
                "the configuration with \(members.joined(separator: ", ")); a store has all entities.")
        }
        for name in source.fetchRequests {
            remark(.omitted, name, "fetch request templates are requests, which a program makes.")
        }
    }

    /// Adds a relationship to an entity, after all entities are converted.
    mutating func add(_ relationship: RelationshipDescription, to entity: String) {
        guard let place = entities.firstIndex(where: { $0.name == entity }) else { return }
        entities[place].relationships.append(relationship)
    }

    /// Changes the description of an entity.
    mutating func update(_ entity: String, _ change: (inout EntityDescription) -> Void) {
        guard let place = entities.firstIndex(where: { $0.name == entity }) else { return }
        change(&entities[place])
    }

    mutating func recordAddedInverse(_ name: String, of property: CoreDataFacts.Property) {
        addedInverses[property] = name
    }

    /// Reserves the name of a property that the source doesn't have.
    mutating func reserveName(_ name: String, of entity: String, _ needs: CoreDataNames.Needs) -> String {
        let root = source.lineage(of: entity).last ?? entity
        return names.reserveProperty(name, of: entityNames[entity] ?? entity, root: root, needs)
    }
}
