import ContextCore
import Foundation

/// Declares a model of descriptions with the result builder.
enum DeclaredModel {
    static func model(
        of entities: [EntityDescription], transformers: [any AttributeTransformer]
    ) throws -> ObjectModel {
        try ObjectModel(transformers: transformers) {
            for entity in entities { declared(entity) }
        }
    }

    private static func declared(_ entity: EntityDescription) -> EntityDescription {
        Entity(
            entity.name, inheriting: entity.superentityName, isAbstract: entity.isAbstract,
            renamedFrom: entity.renamingIdentifier, hashModifier: entity.versionHashModifier
        ) {
            for attribute in entity.attributes { declared(attribute) }
            for relationship in entity.relationships { declared(relationship) }
            for index in entity.indexes { index }
            for constraint in entity.uniqueConstraints { constraint }
        }
    }

    private static func declared(_ attribute: AttributeDescription) -> DeclaredAttribute {
        var declared = Attribute(attribute.name, attribute.type)
        if attribute.isOptional { declared = declared.optional() }
        if let value = attribute.defaultValue { declared = declared.default(value) }
        switch attribute.storage {
        case .stored: break
        case .transient: declared = declared.transient()
        case .derived(let derivation): declared = declared.derived(derivation)
        }
        for rule in attribute.rules { declared = adding(rule, to: declared) }
        if let name = attribute.transformerName { declared = declared.transformed(by: name) }
        if let bytes = attribute.externalThreshold { declared = declared.externalStorage(over: bytes) }
        if let name = attribute.renamingIdentifier { declared = declared.renamed(from: name) }
        if let text = attribute.versionHashModifier { declared = declared.hashModifier(text) }
        return attribute.preservesValueOnDeletion ? declared.preservedOnDeletion() : declared
    }

    private static func adding(_ rule: ValidationRule, to declared: DeclaredAttribute) -> DeclaredAttribute {
        switch rule {
        case .pattern(let pattern): declared.pattern(pattern)
        case .length(let minimum?, let maximum?): declared.length(minimum...maximum)
        case .length(let minimum?, nil): declared.length(minimum...)
        case .length(nil, let maximum): declared.length(...(maximum ?? .max))
        case .range(.int(let minimum)?, .int(let maximum)?): declared.range(minimum...maximum)
        case .range(.double(let minimum)?, .double(let maximum)?): declared.range(minimum...maximum)
        case .range(.decimal(let minimum)?, .decimal(let maximum)?): declared.range(minimum...maximum)
        case .range(nil, .int(let maximum)?): declared.range(...maximum)
        case .range(nil, .double(let maximum)?): declared.range(...maximum)
        case .range(nil, .decimal(let maximum)?): declared.range(...maximum)
        case .range(.timestamp(let minimum)?, nil): declared.range(Date(microseconds: minimum)...)
        case .range: preconditionFailure("No random model has this rule.")
        }
    }

    private static func declared(_ relationship: RelationshipDescription) -> DeclaredRelationship {
        var declared =
            relationship.isToMany
            ? Relationship(
                relationship.name, toMany: relationship.destinationName, inverse: relationship.inverseName,
                deleteRule: relationship.deleteRule)
            : Relationship(
                relationship.name, to: relationship.destinationName, inverse: relationship.inverseName,
                deleteRule: relationship.deleteRule)
        if !relationship.isOptional { declared = declared.required() }
        if relationship.isOrdered { declared = declared.ordered() }
        if let minimum = relationship.minimumCount { declared = declared.count(minimum...) }
        if let maximum = relationship.maximumCount { declared = declared.count(...maximum) }
        if let name = relationship.renamingIdentifier { declared = declared.renamed(from: name) }
        if let text = relationship.versionHashModifier { declared = declared.hashModifier(text) }
        return declared
    }
}
