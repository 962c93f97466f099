extension PropertyDescription {
    /// Describes an optional to-one relationship.
    public static func property<Destination: ManagedObject>(
        _ name: String, _ type: Destination?.Type, inverse: String? = nil, deleteRule: DeleteRule = .nullify,
        renamingIdentifier: String? = nil, versionHashModifier: String? = nil
    ) -> PropertyDescription {
        PropertyDescription(
            .relationship(
                RelationshipDescription(
                    name, to: Destination.entityName, inverse: inverse, isOptional: true,
                    deleteRule: deleteRule,
                    renamingIdentifier: renamingIdentifier, versionHashModifier: versionHashModifier)))
    }

    /// Describes a required to-one relationship.
    public static func property<Destination: ManagedObject>(
        _ name: String, _ type: Destination.Type, inverse: String? = nil, deleteRule: DeleteRule = .nullify,
        renamingIdentifier: String? = nil, versionHashModifier: String? = nil
    ) -> PropertyDescription {
        PropertyDescription(
            .relationship(
                RelationshipDescription(
                    name, to: Destination.entityName, inverse: inverse, isOptional: false,
                    deleteRule: deleteRule,
                    renamingIdentifier: renamingIdentifier, versionHashModifier: versionHashModifier)))
    }

    /// Describes an unordered to-many relationship.
    public static func property<Destination: ManagedObject>(
        _ name: String, _ type: Set<Destination>.Type, inverse: String? = nil,
        deleteRule: DeleteRule = .nullify,
        minimumCount: Int? = nil, maximumCount: Int? = nil,
        renamingIdentifier: String? = nil, versionHashModifier: String? = nil
    ) -> PropertyDescription {
        PropertyDescription(
            .relationship(
                RelationshipDescription(
                    name, to: Destination.entityName, inverse: inverse, isToMany: true,
                    deleteRule: deleteRule,
                    minimumCount: minimumCount, maximumCount: maximumCount,
                    renamingIdentifier: renamingIdentifier, versionHashModifier: versionHashModifier)))
    }

    /// Describes an ordered to-many relationship.
    public static func property<Destination: ManagedObject>(
        _ name: String, _ type: [Destination].Type, inverse: String? = nil, deleteRule: DeleteRule = .nullify,
        minimumCount: Int? = nil, maximumCount: Int? = nil,
        renamingIdentifier: String? = nil, versionHashModifier: String? = nil
    ) -> PropertyDescription {
        PropertyDescription(
            .relationship(
                RelationshipDescription(
                    name, to: Destination.entityName, inverse: inverse, isToMany: true, isOrdered: true,
                    deleteRule: deleteRule, minimumCount: minimumCount, maximumCount: maximumCount,
                    renamingIdentifier: renamingIdentifier, versionHashModifier: versionHashModifier)))
    }
}
