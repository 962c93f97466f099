extension EntityDescription {
    /// Creates the description of a class's entity from its properties.
    ///
    /// The entity is named after the class's ``ManagedObject/entityName`` and inherits from the superclass's entity, unless that is
    /// ``ManagedObject`` itself. A class that overrides no deletion hooks can pass `hasDeletionHooks: false`: then cascades may delete
    /// rows without creating objects, and saves call no hooks.
    public init(
        of objectClass: ManagedObject.Type, inheriting superclass: ManagedObject.Type = ManagedObject.self,
        isAbstract: Bool = false, hasDeletionHooks: Bool = true, properties: [PropertyDescription],
        indexes: [IndexDescription] = [],
        uniqueConstraints: [UniqueConstraint] = [], renamingIdentifier: String? = nil,
        versionHashModifier: String? = nil
    ) {
        self.init(
            objectClass.entityName,
            superentity: superclass == ManagedObject.self ? nil : superclass.entityName,
            isAbstract: isAbstract, indexes: indexes, uniqueConstraints: uniqueConstraints,
            renamingIdentifier: renamingIdentifier, versionHashModifier: versionHashModifier,
            objectClass: objectClass, hasDeletionHooks: hasDeletionHooks)
        for property in properties { add(property) }
    }

    mutating func add(_ property: PropertyDescription) {
        switch property.kind {
        case .attribute(let attribute): attributes.append(attribute)
        case .relationship(let relationship): relationships.append(relationship)
        }
        if property.isUnique { uniqueConstraints.append(UniqueConstraint([property.name])) }
        if property.isIndexed { indexes.append(IndexDescription([.init(property.name)])) }
    }
}
