/// A description of one relationship of an entity.
public struct RelationshipDescription: Sendable, Hashable {
    /// The property's name.
    public var name: String
    /// The name of the destination entity.
    public var destinationName: String
    /// The name of the inverse relationship.
    ///
    /// Only one of the two relationships needs to name its inverse.
    public var inverseName: String?
    /// Whether it refers to many objects.
    public var isToMany: Bool
    /// Whether a to-many relationship is ordered.
    public var isOrdered: Bool
    /// Whether a to-one relationship may be nil.
    public var isOptional: Bool
    /// What happens to the related objects when this object is deleted.
    public var deleteRule: DeleteRule
    /// The minimum number of objects of a to-many relationship.
    public var minimumCount: Int?
    /// The maximum number of objects of a to-many relationship.
    public var maximumCount: Int?
    /// The name that the relationship had in an earlier version of the model.
    public var renamingIdentifier: String?
    /// Text that is hashed into the fingerprint, to indicate a change that the model itself doesn't show.
    public var versionHashModifier: String?

    /// Creates a description.
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

/// What happens to the related objects when an object is deleted.
public enum DeleteRule: String, Sendable, Hashable, Codable, CaseIterable {
    /// The related objects lose their reference to the deleted object.
    case nullify
    /// The related objects are deleted too.
    case cascade
    /// The object can't be deleted while there are related objects.
    case deny
    /// The related objects stay as they are; the program is responsible for their references.
    case noAction
}
