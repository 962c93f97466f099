/// Collects the parts of an entity that is declared without a class.
@resultBuilder
public enum EntityBuilder {
    /// One part of an entity: a property, an index or a constraint.
    public struct Part: Sendable {
        let add: @Sendable (inout EntityDescription) -> Void
    }

    public static func buildExpression(_ attribute: DeclaredAttribute) -> [Part] {
        [Part { $0.add(attribute.property) }]
    }

    public static func buildExpression(_ relationship: DeclaredRelationship) -> [Part] {
        [Part { $0.add(relationship.property) }]
    }

    public static func buildExpression(_ index: IndexDescription) -> [Part] {
        [Part { $0.indexes.append(index) }]
    }

    public static func buildExpression(_ constraint: UniqueConstraint) -> [Part] {
        [Part { $0.uniqueConstraints.append(constraint) }]
    }

    public static func buildBlock(_ parts: [Part]...) -> [Part] { Array(parts.joined()) }
    public static func buildOptional(_ part: [Part]?) -> [Part] { part ?? [] }
    public static func buildEither(first part: [Part]) -> [Part] { part }
    public static func buildEither(second part: [Part]) -> [Part] { part }
    public static func buildArray(_ parts: [[Part]]) -> [Part] { Array(parts.joined()) }
}

/// Collects the parts of a composite that is declared without a struct.
@resultBuilder
public enum CompositeBuilder {
    public static func buildBlock(_ parts: DeclaredAttribute...) -> [AttributeDescription] {
        parts.map(\.attribute)
    }
}

extension AttributeType {
    /// Returns a composite type with one column per part: `.composite { Attribute("city", .string) }`.
    public static func composite(
        @CompositeBuilder _ parts: () -> [AttributeDescription]
    ) -> AttributeType {
        .composite(parts())
    }
}
