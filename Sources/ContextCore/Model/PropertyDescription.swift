/// A description of one property of a class, made from its Swift type.
///
/// The type decides whether the property is an attribute, a to-one or a to-many relationship. The `@Entity` macro generates these
/// descriptions; you can also write them by hand.
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
    /// The kind of a property.
    public enum Kind: Sendable, Hashable {
        /// A stored, transient or derived value.
        case attribute(AttributeDescription)
        /// A reference to one object, or to many.
        case relationship(RelationshipDescription)
    }

    /// The kind of property, with its description.
    public var kind: Kind
    /// Whether the property's value must be unique among the entity's objects.
    public var isUnique = false
    /// Whether there is an index on the property.
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
    /// Describes an attribute whose type is an ``AttributeValue``; it is optional if the type is.
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

    /// Describes an attribute that is tracked and undoable, but never saved.
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

    /// Describes an attribute that the store computes on every save.
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

    /// Describes an attribute of any type, stored through a transformer.
    public static func transformed<Transformer: AttributeTransformer>(
        _ name: String, _ type: Transformer.Value.Type, by transformer: Transformer.Type,
        _ options: AttributeOption...
    ) -> PropertyDescription {
        PropertyDescription(
            AttributeDescription(name, Transformer.storedType, transformerName: Transformer.name), options)
    }

    /// Describes an optional attribute of any type, stored through a transformer.
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
