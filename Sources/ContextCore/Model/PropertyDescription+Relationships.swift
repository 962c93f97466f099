extension PropertyDescription {
    /// Describes a to-one relationship that may lead nowhere.
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

    /// Describes a to-one relationship that must lead to an object.
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

    /// Describes a to-many relationship in no order.
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

    /// Describes a to-many relationship that keeps its objects in an order.
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
