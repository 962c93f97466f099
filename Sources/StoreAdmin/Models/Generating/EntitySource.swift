import ContextCore

/// The Swift source of an entity's class.
struct EntitySource {
    let layout: EntityLayout
    let model: ObjectModel
    let types: GeneratedTypes

    /// The declaration, and remarks about what it can't express.
    var source: (text: String, remarks: [GenerationRemark]) {
        var properties: [PropertySource] = []
        var remarks: [GenerationRemark] = []
        for attribute in entity.attributes {
            let source = attributeSource(attribute).source
            properties.append(source.property)
            remarks += source.remarks
        }
        properties += entity.relationships.map { relationship in
            RelationshipSource(
                relationship: relationship, entity: entity.name, inverse: inverse(of: relationship),
                types: types
            ).property
        }
        let body = properties.map(\.text).joined()
        return (documentation + head + (body.isEmpty ? " {}\n" : " {\n\(body)}\n"), remarks)
    }

    private var entity: EntityDescription { layout.description }

    private func attributeSource(_ attribute: AttributeDescription) -> AttributeSource {
        AttributeSource(
            attribute: attribute, place: "\(entity.name).\(attribute.name)", types: types,
            isUnique: entity.uniqueConstraints.contains { ownAttribute(of: $0) == attribute.name },
            isIndexed: entity.indexes.contains { ownAttribute(of: $0) == attribute.name })
    }

    private func inverse(of relationship: RelationshipDescription) -> RelationshipDescription? {
        let destination = model.layout(named: relationship.destinationName)?.description
        return destination?.relationships.first { $0.name == relationship.inverseName }
    }

    private var documentation: String {
        let summary =
            entity.isAbstract
            ? "/// An object of an entity that inherits from the abstract entity `\(entity.name)`."
            : "/// An object of the entity `\(entity.name)`."
        return summary + "\n"
    }

    /// The attribute and the declaration of the class, without its body.
    private var head: String {
        let hasSubentities = layout.familyIndices.count > 1
        let superclass = entity.superentityName.map(types.className) ?? "ManagedObject"
        let declaration =
            "\(hasSubentities || entity.isAbstract ? "" : "final ")class \(types.className(entity.name)): \(superclass)"
        let marker: SwiftCode = arguments.isEmpty ? .text("@Entity") : .call("@Entity(", arguments, ")")
        let whole = SwiftCode.text("\(marker.line) \(declaration)")
        return whole.fits(indent: 0, trailing: 2)
            ? whole.line : marker.laidOut(indent: 0) + "\n" + declaration
    }

    private var arguments: [SwiftCode] {
        let className = types.classes[entity.name] ?? entity.name
        let indexes = entity.indexes.filter { ownAttribute(of: $0) == nil }.map(Self.code)
        let constraints = entity.uniqueConstraints.filter { ownAttribute(of: $0) == nil }.map(Self.code)
        let arguments: [SwiftCode?] = [
            className == entity.name ? nil : .text("name: \"\(entity.name)\""),
            entity.isAbstract ? .text("isAbstract: true") : nil,
            indexes.isEmpty ? nil : .array("indexes: [", indexes, "]"),
            constraints.isEmpty ? nil : .array("unique: [", constraints, "]"),
            entity.renamingIdentifier.map { .labeled("renamedFrom:", .text(SwiftText.literal($0))) },
            entity.versionHashModifier.map { .labeled("hashModifier:", .text(SwiftText.literal($0))) },
        ]
        return arguments.compactMap(\.self)
    }

    private static func code(_ index: IndexDescription) -> SwiftCode {
        let elements = index.elements.map { element in
            SwiftCode.text(
                (element.isDescending ? ".descending(" : ".ascending(") + SwiftText.keyPath(element.property)
                    + ")")
        }
        let predicate = index.predicate.map { SwiftCode.labeled("where:", .text(SwiftText.literal($0))) }
        return .call(".index(", elements + [predicate].compactMap(\.self), ")")
    }

    private static func code(_ constraint: UniqueConstraint) -> SwiftCode {
        .array("[", constraint.properties.map { .text(SwiftText.keyPath($0)) }, "]")
    }
}

extension EntitySource {
    /// Returns the entity's own attribute that a constraint consists of, which declares it with `.unique`; nil for other constraints.
    private func ownAttribute(of constraint: UniqueConstraint) -> String? {
        constraint.properties.count == 1 ? ownAttribute(constraint.properties[0]) : nil
    }

    /// Returns the entity's own attribute that an index consists of, which declares it with `.indexed`; nil for other indexes.
    private func ownAttribute(of index: IndexDescription) -> String? {
        guard index.elements.count == 1, index.predicate == nil, !index.elements[0].isDescending else {
            return nil
        }
        return ownAttribute(index.elements[0].property)
    }

    private func ownAttribute(_ name: String) -> String? {
        entity.attributes.contains { $0.name == name } ? name : nil
    }
}
