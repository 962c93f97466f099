/// Describes one kind of object: its attributes, its relationships and its place in an inheritance tree.
///
/// It says what was declared. What follows from it together with the other entities (inherited properties, inverses, the
/// order of columns) is an ``EntityLayout``, which an ``ObjectModel`` makes once it has checked everything.
public struct EntityDescription: Sendable {
    /// The entity's name.
    public var name: String
    /// The entity that it inherits from.
    public var superentityName: String?
    /// Whether there are only objects of its subentities.
    public var isAbstract: Bool
    /// The attributes that it declares itself.
    public var attributes: [AttributeDescription]
    /// The relationships that it declares itself.
    public var relationships: [RelationshipDescription]
    /// Indexes over its properties, inherited ones included.
    public var indexes: [IndexDescription]
    /// What must be unique among its objects.
    public var uniqueConstraints: [UniqueConstraint]
    /// The name that the entity had in an earlier version of the model.
    public var renamingIdentifier: String?
    /// Text that changes the fingerprint where nothing else does.
    public var versionHashModifier: String?
    /// The class of its objects; nil for plain ``ManagedObject``.
    ///
    /// Not part of the model's identity.
    public var objectClass: ManagedObject.Type?
    /// Whether the class overrides one of ``ManagedObject/prepareForDeletion()``, ``ManagedObject/willSave()``,
    /// ``ManagedObject/validateForDelete()`` and ``ManagedObject/didSave()``, so that nothing is deleted without an object of it.
    ///
    /// True unless it is said otherwise, as `@Entity` does; where it is false, saves call none of them. Not part of the model's
    /// identity.
    public var hasDeletionHooks: Bool

    /// Describes an entity.
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
