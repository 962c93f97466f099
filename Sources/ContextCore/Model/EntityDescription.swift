/// A description of one kind of object: its attributes, its relationships and its place in an inheritance tree.
///
/// It contains what is declared. What follows from all entities together (inherited properties, inverses, the order of columns) is
/// in an ``EntityLayout``, which an ``ObjectModel`` creates after validation.
public struct EntityDescription: Sendable {
    /// The entity's name.
    public var name: String
    /// The name of the entity that it inherits from.
    public var superentityName: String?
    /// Whether only objects of its subentities can be created.
    public var isAbstract: Bool
    /// The attributes that the entity declares, without inherited ones.
    public var attributes: [AttributeDescription]
    /// The relationships that the entity declares, without inherited ones.
    public var relationships: [RelationshipDescription]
    /// The indexes on its properties, including inherited properties.
    public var indexes: [IndexDescription]
    /// The sets of properties whose values must be unique among its objects.
    public var uniqueConstraints: [UniqueConstraint]
    /// The name that the entity had in an earlier version of the model.
    public var renamingIdentifier: String?
    /// Text that is hashed into the fingerprint, to indicate a change that the model itself doesn't show.
    public var versionHashModifier: String?
    /// The class of its objects; nil for ``ManagedObject``.
    ///
    /// It isn't part of the fingerprint.
    public var objectClass: ManagedObject.Type?
    /// Whether the class overrides ``ManagedObject/prepareForDeletion()``, ``ManagedObject/willSave()``,
    /// ``ManagedObject/validateForDelete()`` or ``ManagedObject/didSave()``, so that a deletion needs an object.
    ///
    /// True by default; `@Entity` sets it from the class's declaration. If it is false, saves call none of these hooks. It isn't part of
    /// the fingerprint.
    public var hasDeletionHooks: Bool

    /// Creates a description.
    public init(
        _ name: String, superentity superentityName: String? = nil, isAbstract: Bool = false,
        attributes: [AttributeDescription] = [], relationships: [RelationshipDescription] = [],
        indexes: [IndexDescription] = [], uniqueConstraints: [UniqueConstraint] = [],
        renamingIdentifier: String? = nil, versionHashModifier: String? = nil,
        objectClass: ManagedObject.Type? = nil, hasDeletionHooks: Bool = true
    ) {
        self.name = name
        self.superentityName = superentityName
        self.isAbstract = isAbstract
        self.attributes = attributes
        self.relationships = relationships
        self.indexes = indexes
        self.uniqueConstraints = uniqueConstraints
        self.renamingIdentifier = renamingIdentifier
        self.versionHashModifier = versionHashModifier
        self.objectClass = objectClass
        self.hasDeletionHooks = hasDeletionHooks
    }
}
