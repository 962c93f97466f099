// These functions read like declarations, so they are named like types. The macros of the same names are written before `class`
// and `var`, so a call is never ambiguous.

/// Declares an entity without a class: `Entity("Game") { Attribute("title", .string) }`.
///
/// See ``ObjectModel/init(transformers:_:)``.
// swift-format-ignore: AlwaysUseLowerCamelCase
public func Entity(
    _ name: String, inheriting superentity: String? = nil, isAbstract: Bool = false,
    renamedFrom: String? = nil, hashModifier: String? = nil,
    @EntityBuilder _ parts: () -> [EntityBuilder.Part] = { [] }
) -> EntityDescription {
    var entity = EntityDescription(
        name, superentity: superentity, isAbstract: isAbstract, renamingIdentifier: renamedFrom,
        versionHashModifier: hashModifier)
    for part in parts() { part.add(&entity) }
    return entity
}

/// Declares a required attribute; methods such as ``DeclaredAttribute/optional()`` change it.
// swift-format-ignore: AlwaysUseLowerCamelCase
public func Attribute(_ name: String, _ type: AttributeType) -> DeclaredAttribute {
    DeclaredAttribute(AttributeDescription(name, type))
}

/// Declares an optional to-one relationship; ``DeclaredRelationship/required()`` makes it required.
// swift-format-ignore: AlwaysUseLowerCamelCase
public func Relationship(
    _ name: String, to destination: String, inverse: String? = nil, deleteRule: DeleteRule = .nullify
) -> DeclaredRelationship {
    DeclaredRelationship(
        RelationshipDescription(name, to: destination, inverse: inverse, deleteRule: deleteRule))
}

/// Declares a to-many relationship.
// swift-format-ignore: AlwaysUseLowerCamelCase
public func Relationship(
    _ name: String, toMany destination: String, inverse: String? = nil, deleteRule: DeleteRule = .nullify
) -> DeclaredRelationship {
    DeclaredRelationship(
        RelationshipDescription(
            name, to: destination, inverse: inverse, isToMany: true, deleteRule: deleteRule))
}

/// Declares an index on properties, the most significant first: `Index("game", .descending("score"))`.
// swift-format-ignore: AlwaysUseLowerCamelCase
public func Index(
    _ elements: IndexDescription.Element..., where predicate: String? = nil
) -> IndexDescription {
    IndexDescription(elements, where: predicate)
}

/// Declares properties whose combined values must be unique: `Unique("game", "name")`.
// swift-format-ignore: AlwaysUseLowerCamelCase
public func Unique(_ properties: String...) -> UniqueConstraint {
    UniqueConstraint(properties)
}
