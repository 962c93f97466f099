/// Describes one relationship of an entity.
public struct RelationshipDescription: Sendable, Hashable {
    /// The property's name.
    public var name: String
    /// The name of the entity that it leads to.
    public var destinationName: String
    /// The name of the relationship that leads back.
    ///
    /// May be given on one side only.
    public var inverseName: String?
    /// Whether it leads to many objects.
    public var isToMany: Bool
    /// Whether a to-many relationship keeps its objects in an order.
    public var isOrdered: Bool
    /// Whether a to-one relationship may lead nowhere.
    public var isOptional: Bool
    /// What becomes of the objects at the other end when this one is deleted.
    public var deleteRule: DeleteRule
    /// The least number of objects at the other end of a to-many relationship.
    public var minimumCount: Int?
    /// The greatest number of objects at the other end of a to-many relationship.
    public var maximumCount: Int?
    /// The name that the relationship had in an earlier version of the model.
    public var renamingIdentifier: String?
    /// Text that changes the fingerprint where nothing else does.
    public var versionHashModifier: String?

    /// Describes a relationship.
    public init(
        _ name: String, to destinationName: String, inverse inverseName: String? = nil,
        isToMany: Bool = false,
        isOrdered: Bool = false, isOptional: Bool = true, deleteRule: DeleteRule = .nullify,
        minimumCount: Int? = nil,
        maximumCount: Int? = nil, renamingIdentifier: String? = nil, versionHashModifier: String? = nil
    ) {
        self.name = name
        self.destinationName = destinationName
        self.inverseName = inverseName
        self.isToMany = isToMany
        self.isOrdered = isOrdered
        self.isOptional = isOptional
        self.deleteRule = deleteRule
        self.minimumCount = minimumCount
        self.maximumCount = maximumCount
        self.renamingIdentifier = renamingIdentifier
        self.versionHashModifier = versionHashModifier
    }
}

/// Says what becomes of the objects at the other end of a relationship when an object is deleted.
public enum DeleteRule: String, Sendable, Hashable, Codable, CaseIterable {
    /// They lose their reference to it.
    case nullify
    /// They are deleted too.
    case cascade
    /// It can't be deleted while there are any.
    case deny
    /// They are left as they are; the program sees to them.
    case noAction
}
