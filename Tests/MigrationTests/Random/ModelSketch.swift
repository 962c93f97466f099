import ContextCore

/// A model of the random migrations, with a number for each part that stays the same when the part is renamed or moved.
///
/// The oracle compares two sketches by these numbers, so it doesn't depend on the library's matching by names.
struct ModelSketch: Sendable {
    struct Attribute: Sendable {
        private(set) var id: Int
        var name: String
        var type: AttributeType
        var isOptional = true
        var defaultValue: StoredValue?
        var isIndexed = false
        var isUnique = false
        /// The name before the step that renamed it.
        var formerName: String?

        func numbered(_ id: Int) -> Attribute {
            var attribute = self
            attribute.id = id
            return attribute
        }
    }

    struct Entity: Sendable {
        let id: Int
        var name: String
        var parent: Int?
        var isAbstract = false
        var attributes: [Attribute] = []
        var formerName: String?
    }

    /// A relationship, as one end of an association.
    struct End: Sendable {
        let id: Int
        var name: String
        var isToMany: Bool
        var isOrdered = false
        var isOptional = true
        var formerName: String?
    }

    /// An entity of an association, with or without a relationship.
    struct Side: Sendable {
        var entity: Int
        var end: End?
    }

    /// Two entities with a relationship in one or both directions.
    struct Association: Sendable {
        var sides: [Side]
    }

    var entities: [Entity] = []
    var associations: [Association] = []
}

// MARK: - Looking up

extension ModelSketch {
    func entity(_ id: Int) -> Entity? { entities.first { $0.id == id } }

    /// Returns an entity and its superentities, the root last.
    func chain(_ id: Int) -> [Int] {
        var chain: [Int] = []
        var next: Int? = id
        while let current = next, !chain.contains(current) {
            chain.append(current)
            next = entity(current)?.parent
        }
        return chain
    }

    func root(of id: Int) -> Int { chain(id).last ?? id }
    func isKind(_ id: Int, of other: Int) -> Bool { chain(id).contains(other) }

    /// Returns the attributes of an entity, including inherited ones.
    func attributes(of id: Int) -> [Attribute] { chain(id).flatMap { entity($0)?.attributes ?? [] } }

    func attribute(_ id: Int) -> (owner: Entity, attribute: Attribute)? {
        for entity in entities {
            if let attribute = entity.attributes.first(where: { $0.id == id }) { return (entity, attribute) }
        }
        return nil
    }

    /// Returns the association and the side of an end.
    func place(ofEnd id: Int) -> (association: Int, side: Int)? {
        for (index, association) in associations.enumerated() {
            if let side = association.sides.firstIndex(where: { $0.end?.id == id }) { return (index, side) }
        }
        return nil
    }

    /// Returns the ends of an entity, including inherited ones.
    func ends(of id: Int) -> [End] {
        let chain = chain(id)
        return associations.flatMap(\.sides).filter { chain.contains($0.entity) }.compactMap(\.end)
    }

    func ends(declaredBy id: Int) -> [End] {
        associations.flatMap(\.sides).filter { $0.entity == id }.compactMap(\.end)
    }

    /// Returns the names of all properties of an entity by their numbers, including inherited ones.
    func propertyNames(of id: Int) -> [Int: String] {
        let attributes = attributes(of: id).map { ($0.id, $0.name) }
        let ends = ends(of: id).map { ($0.id, $0.name) }
        return Dictionary(attributes + ends) { first, _ in first }
    }

    /// The names of all properties and the entities that declare them, by their numbers.
    var declarations: [Int: (entity: Int, name: String)] {
        var declarations: [Int: (entity: Int, name: String)] = [:]
        for entity in entities {
            for (id, name) in propertyNames(declaredBy: entity.id) { declarations[id] = (entity.id, name) }
        }
        return declarations
    }

    /// Returns the names of the properties that an entity declares itself, by their numbers.
    func propertyNames(declaredBy id: Int) -> [Int: String] {
        let attributes = (entity(id)?.attributes ?? []).map { ($0.id, $0.name) }
        let ends = ends(declaredBy: id).map { ($0.id, $0.name) }
        return Dictionary(attributes + ends) { first, _ in first }
    }
}

extension ModelSketch {
    /// The new and old names of everything that the last step renamed.
    var renames: [[String]] {
        entities.flatMap { entity in
            let attributes = entity.attributes.map { ($0.name, $0.formerName) }
            let ends = ends(declaredBy: entity.id).map { ($0.name, $0.formerName) }
            let properties = (attributes + ends).compactMap { name, former in
                former.map { ["\(entity.id)", name, $0] }
            }
            return properties + (entity.formerName.map { [["entity", entity.name, $0]] } ?? [])
        }
    }
}

extension ModelSketch: CustomStringConvertible {
    /// A short description of the model for failure messages.
    var description: String {
        let entities = entities.map { entity in
            let attributes = entity.attributes.map { attribute in
                "\(attribute.name)#\(attribute.id) \(attribute.type)\(attribute.isOptional ? "?" : "")"
                    + (attribute.defaultValue.map { " = \($0)" } ?? "")
                    + (attribute.isUnique ? " unique" : "")
                    + (attribute.isIndexed ? " indexed" : "")
            }
            return "\(entity.isAbstract ? "abstract " : "")\(entity.name)#\(entity.id)"
                + (entity.parent.map { ": #\($0)" } ?? "") + " { \(attributes.joined(separator: "; ")) }"
        }
        let associations = associations.map { association in
            association.sides.map { side in
                "#\(side.entity).\(side.end.map { "\($0.name)#\($0.id)" } ?? "-")"
                    + (side.end?.isToMany == true ? "*" : "")
                    + (side.end?.isOrdered == true ? " ordered" : "")
                    + (side.end?.isOptional == false ? " required" : "")
            }.joined(separator: " <-> ")
        }
        return (entities + associations).joined(separator: "\n")
    }
}

// MARK: - The library's model

extension ModelSketch {
    /// - Parameter usesIdentifiers: Whether renaming identifiers give the former names; otherwise hints do.
    func model(usesIdentifiers: Bool) throws -> ObjectModel {
        try ObjectModel(entities: entities.map { description(of: $0, usesIdentifiers) })
    }

    private func description(of entity: Entity, _ usesIdentifiers: Bool) -> EntityDescription {
        func identifier(_ name: String?) -> String? { usesIdentifiers ? name : nil }
        let attributes = entity.attributes.map { attribute in
            AttributeDescription(
                attribute.name, attribute.type, isOptional: attribute.isOptional,
                default: attribute.defaultValue.map(AttributeDefault.value),
                renamingIdentifier: identifier(attribute.formerName))
        }
        var relationships: [RelationshipDescription] = []
        for association in associations {
            for (side, other) in [(0, 1), (1, 0)] where association.sides[side].entity == entity.id {
                guard let end = association.sides[side].end else { continue }
                relationships.append(
                    RelationshipDescription(
                        end.name, to: self.entity(association.sides[other].entity)?.name ?? "",
                        inverse: association.sides[other].end?.name, isToMany: end.isToMany,
                        isOrdered: end.isOrdered, isOptional: end.isOptional,
                        renamingIdentifier: identifier(end.formerName)))
            }
        }
        return EntityDescription(
            entity.name, superentity: entity.parent.flatMap { self.entity($0)?.name },
            isAbstract: entity.isAbstract, attributes: attributes, relationships: relationships,
            indexes: entity.attributes.filter(\.isIndexed).map { IndexDescription([.init($0.name)]) },
            uniqueConstraints: entity.attributes.filter(\.isUnique).map { UniqueConstraint([$0.name]) },
            renamingIdentifier: identifier(entity.formerName))
    }

    /// Returns the hints for the migration from an older sketch: renames, unless renaming identifiers give them, and accepted losses.
    func hints(from old: ModelSketch, usesIdentifiers: Bool) -> MigrationHints {
        var hints = MigrationHints()
        for entity in entities where !usesIdentifiers {
            hints.renames[entity.name] = entity.formerName
            for attribute in entity.attributes {
                hints.renames["\(entity.name).\(attribute.name)"] = attribute.formerName
            }
            for end in ends(declaredBy: entity.id) {
                hints.renames["\(entity.name).\(end.name)"] = end.formerName
            }
        }
        for entity in old.entities {
            guard self.entity(entity.id) != nil else {
                hints.removed.insert(entity.name)
                continue
            }
            let kept = propertyNames(declaredBy: entity.id)
            for (id, name) in old.propertyNames(declaredBy: entity.id) where kept[id] == nil {
                hints.removed.insert("\(entity.name).\(name)")
            }
        }
        return hints
    }
}
