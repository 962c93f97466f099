/// Describes one property of a class, from its Swift type.
///
/// What the type is decides what the property becomes: an attribute, a to-one or a to-many relationship. `@Entity` writes
/// these; so can you.
///
/// ```swift
/// final class Game: ManagedObject {
///     override class var entityDescription: EntityDescription {
///         EntityDescription(
///             of: Game.self,
///             properties: [
///                 .property("title", String.self, .unique),
///                 .property("startedAt", Date.self, default: .now),
///                 .property("players", Set<Player>.self, inverse: "game", deleteRule: .cascade),
///             ])
///     }
/// }
/// ```
public struct PropertyDescription: Sendable, Hashable {
    /// Which kind of property it is.
    public enum Kind: Sendable, Hashable {
        /// A value.
        case attribute(AttributeDescription)
        /// A way to one other object, or to many.
        case relationship(RelationshipDescription)
    }

    /// Attribute or relationship.
    public var kind: Kind
    /// Whether no two objects may share the property's value.
    public var isUnique = false
    /// Whether the property has an index of its own.
    public var isIndexed = false

    init(_ kind: Kind) {
        self.kind = kind
    }

    init(_ attribute: AttributeDescription, _ options: [AttributeOption]) {
        var attribute = attribute
        for option in options { option.apply(&attribute) }
        self.init(.attribute(attribute))
        isUnique = options.contains { $0.isUnique }
        isIndexed = options.contains { $0.isIndexed }
    }

    /// The property's name.
    public var name: String {
        switch kind {
        case .attribute(let attribute): attribute.name
        case .relationship(let relationship): relationship.name
        }
    }
}

extension PropertyDescription {
    /// Describes an attribute of a type that says itself how it is stored; optional when the type is.
    public static func property<Value: AttributeValue>(
        _ name: String, _ type: Value.Type, default initial: InitialValue<Value>? = nil,
        _ options: AttributeOption...
    ) -> PropertyDescription {
        PropertyDescription(
            AttributeDescription(
                name, Value.attributeType, isOptional: Value.isOptionalValue,
                default: initial?.attributeDefault),
            options)
    }

    /// Describes an attribute that is tracked and undone like others, and never stored.
    public static func transient<Value: AttributeValue>(
        _ name: String, _ type: Value.Type, default initial: InitialValue<Value>? = nil,
        _ options: AttributeOption...
    ) -> PropertyDescription {
        PropertyDescription(
            AttributeDescription(
                name, Value.attributeType, isOptional: Value.isOptionalValue,
                default: initial?.attributeDefault,
                storage: .transient),
            options)
    }

    /// Describes an attribute that the store works out on every save.
    public static func derived<Value: AttributeValue>(
        _ name: String, _ type: Value.Type, _ derivation: Derivation, _ options: AttributeOption...
    ) -> PropertyDescription {
        PropertyDescription(
            AttributeDescription(
                name, Value.attributeType, isOptional: Value.isOptionalValue, storage: .derived(derivation)),
            options)
    }

    /// Describes an attribute of any `Codable` type, stored as JSON.
    public static func codable<Value: Codable & Sendable>(
        _ name: String, _ type: Value.Type, default initial: InitialValue<Value>? = nil,
        _ options: AttributeOption...
    ) -> PropertyDescription {
        var attribute = AttributeDescription(name, .codable, default: initial?.codableDefault)
        if attribute.defaultValue == nil, Placeholders.value(of: type) == nil {
            attribute.contradiction = .noPlaceholder(type: "\(type)")
        }
        return PropertyDescription(attribute, options)
    }

    /// Describes an optional attribute of any `Codable` type, stored as JSON.
    public static func codable<Value: Codable & Sendable>(
        _ name: String, _ type: Value?.Type, default initial: InitialValue<Value?>? = nil,
        _ options: AttributeOption...
    ) -> PropertyDescription {
        PropertyDescription(
            AttributeDescription(name, .codable, isOptional: true, default: initial?.codableDefault), options)
    }

    /// Describes an attribute of any type that a transformer turns into what is stored.
    public static func transformed<Transformer: AttributeTransformer>(
        _ name: String, _ type: Transformer.Value.Type, by transformer: Transformer.Type,
        _ options: AttributeOption...
    ) -> PropertyDescription {
        PropertyDescription(
            AttributeDescription(name, Transformer.storedType, transformerName: Transformer.name), options)
    }

    /// Describes an optional attribute of any type that a transformer turns into what is stored.
    public static func transformed<Transformer: AttributeTransformer>(
        _ name: String, _ type: Transformer.Value?.Type, by transformer: Transformer.Type,
        _ options: AttributeOption...
    ) -> PropertyDescription {
        PropertyDescription(
            AttributeDescription(
                name, Transformer.storedType, isOptional: true, transformerName: Transformer.name),
            options)
    }

    @available(
        *, unavailable,
        message: """
            A property needs a type that can be stored: an AttributeValue, a class of managed objects, a Set or an Array of \
            one, or any Codable type with @Attribute(.codable). An enumeration becomes an AttributeValue by its declaration: \
            enum Kind: String, CaseIterable, AttributeValue.
            """
    )
    public static func property<Value>(
        _ name: String, _ type: Value.Type, default initial: InitialValue<Value>? = nil,
        _ options: AttributeOption...
    ) -> PropertyDescription {
        programmingError("The type can't be stored.")
    }
}
