// Functions that read as declarations, so they are named as types are. The macros of the same names stand before `class` and
// `var` and can't be meant where these are called.

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

/// Declares a required attribute; ``DeclaredAttribute/optional()`` and others say more.
// swift-format-ignore: AlwaysUseLowerCamelCase
public func Attribute(_ name: String, _ type: AttributeType) -> DeclaredAttribute {
    DeclaredAttribute(AttributeDescription(name, type))
}

/// Declares a to-one relationship that may lead nowhere, unless it is ``DeclaredRelationship/required()``.
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

/// Declares an index over properties, the most significant first: `Index("game", .descending("score"))`.
// swift-format-ignore: AlwaysUseLowerCamelCase
public func Index(
    _ elements: IndexDescription.Element..., where predicate: String? = nil
) -> IndexDescription {
    IndexDescription(elements, where: predicate)
}

/// Declares properties whose values together no two objects may share: `Unique("game", "name")`.
// swift-format-ignore: AlwaysUseLowerCamelCase
public func Unique(_ properties: String...) -> UniqueConstraint {
    UniqueConstraint(properties)
}
