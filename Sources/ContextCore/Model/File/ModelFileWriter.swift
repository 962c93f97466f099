/// Writes entity descriptions as the JSON of a model file.
///
/// It omits default values, so that the file shows what was declared.
enum ModelFileWriter {
    static func value(_ entities: [EntityDescription]) -> JSONValue {
        let members = entities.map { ($0.name, value($0)) }
        return .object([
            "entities": .object(Dictionary(members, uniquingKeysWith: { first, _ in first })),
            "format": .int(ModelFileNames.format),
        ])
    }

    static func value(_ entity: EntityDescription) -> JSONValue {
        let attributes = entity.attributes.map { ($0.name, value($0)) }
        let relationships = entity.relationships.map { ($0.name, value($0)) }
        return .object([
            "abstract": flag(entity.isAbstract),
            "attributes": object(attributes),
            "hashModifier": entity.versionHashModifier.map(JSONValue.string),
            "indexes": array(entity.indexes.map(value)),
            "relationships": object(relationships),
            "renamedFrom": entity.renamingIdentifier.map(JSONValue.string),
            "superentity": entity.superentityName.map(JSONValue.string),
            "unique": array(entity.uniqueConstraints.map { .array($0.properties.map(JSONValue.string)) }),
        ])
    }

    private static func value(_ attribute: AttributeDescription) -> JSONValue {
        var members: [String: JSONValue?] = [
            "external": attribute.externalThreshold.map(JSONValue.int),
            "hashModifier": attribute.versionHashModifier.map(JSONValue.string),
            "optional": flag(attribute.isOptional),
            "preservedOnDeletion": flag(attribute.preservesValueOnDeletion),
            "renamedFrom": attribute.renamingIdentifier.map(JSONValue.string),
            "transformer": attribute.transformerName.map(JSONValue.string),
            "type": .string(ModelFileNames.name(of: attribute.type)),
        ]
        switch attribute.type {
        case .decimal(let precision, let scale):
            members["precision"] = .int(precision)
            members["scale"] = .int(scale)
        case .composite(let parts):
            members["parts"] = object(parts.map { ($0.name, value($0)) })
        default: break
        }
        switch attribute.storage {
        case .stored: break
        case .transient: members["transient"] = .bool(true)
        case .derived(let derivation): members["derived"] = value(derivation)
        }
        switch attribute.defaultValue {
        case nil: break
        case .now: members["generated"] = .string("now")
        case .newUUID: members["generated"] = .string("uuid")
        case .value(let value): members["default"] = value.fileValue(of: attribute.type)
        }
        for rule in attribute.rules { add(rule, of: attribute.type, to: &members) }
        return .object(members)
    }

    private static func add(
        _ rule: ValidationRule, of type: AttributeType, to members: inout [String: JSONValue?]
    ) {
        switch rule {
        case .range(let minimum, let maximum):
            members["minimum"] = minimum.map { $0.fileValue(of: type) }
            members["maximum"] = maximum.map { $0.fileValue(of: type) }
        case .length(let minimum, let maximum):
            members["minimumLength"] = minimum.map(JSONValue.int)
            members["maximumLength"] = maximum.map(JSONValue.int)
        case .pattern(let pattern):
            members["pattern"] = .string(pattern)
        }
    }

    private static func value(_ derivation: Derivation) -> JSONValue {
        switch derivation {
        case .now: .string("now")
        case .lowercased(let path): .object(["lowercased": .string(path)])
        case .canonical(let path): .object(["canonical": .string(path)])
        case .copy(let path): .object(["copy": .string(path)])
        case .count(let relationship): .object(["count": .string(relationship)])
        case .sum(let relationship, let attribute):
            .object(["sum": .string("\(relationship).\(attribute)")])
        case .minimum(let relationship, let attribute):
            .object(["minimum": .string("\(relationship).\(attribute)")])
        case .maximum(let relationship, let attribute):
            .object(["maximum": .string("\(relationship).\(attribute)")])
        }
    }

    private static func value(_ relationship: RelationshipDescription) -> JSONValue {
        .object([
            "deleteRule": relationship.deleteRule == .nullify
                ? nil : .string(relationship.deleteRule.rawValue),
            "hashModifier": relationship.versionHashModifier.map(JSONValue.string),
            "inverse": relationship.inverseName.map(JSONValue.string),
            "maximumCount": relationship.maximumCount.map(JSONValue.int),
            "minimumCount": relationship.minimumCount.map(JSONValue.int),
            "optional": flag(relationship.isOptional && !relationship.isToMany),
            "ordered": flag(relationship.isOrdered),
            "renamedFrom": relationship.renamingIdentifier.map(JSONValue.string),
            "to": .string(relationship.destinationName),
            "toMany": flag(relationship.isToMany),
        ])
    }

    private static func value(_ index: IndexDescription) -> JSONValue {
        .object([
            "properties": .array(
                index.elements.map { .string(($0.isDescending ? "-" : "") + $0.property) }),
            "where": index.predicate.map(JSONValue.string),
        ])
    }

    private static func flag(_ value: Bool) -> JSONValue? {
        value ? .bool(true) : nil
    }

    private static func array(_ values: [JSONValue]) -> JSONValue? {
        values.isEmpty ? nil : .array(values)
    }

    private static func object(_ members: [(String, JSONValue)]) -> JSONValue? {
        members.isEmpty ? nil : .object(Dictionary(members, uniquingKeysWith: { first, _ in first }))
    }
}

extension JSONValue {
    /// Returns an object with the members that aren't nil.
    fileprivate static func object(_ members: [String: JSONValue?]) -> JSONValue {
        .object(members.compactMapValues { $0 })
    }
}
