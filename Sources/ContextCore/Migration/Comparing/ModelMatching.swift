/// The older names of the entities and properties of a newer model.
package struct ModelMatching: Sendable, Hashable {
    /// The older names of entities that existed before, by their newer names.
    package var entities: [String: String] = [:]
    /// The older names of the properties that an entity declares, by the newer names of the entity and the property.
    package var properties: [String: [String: String]] = [:]
    /// The newer names of superentities, by the newer names of their subentities.
    var superentities: [String: String] = [:]

    /// Returns the newer name of a property that an entity declared.
    func newName(of oldName: String, in entityName: String) -> String {
        properties[entityName]?.first { $0.value == oldName }?.key ?? oldName
    }

    /// Returns the older property of a newer one, in the rows of one older entity; nil if they have none.
    ///
    /// - Parameters:
    ///   - name: The property's name.
    ///   - declaring: The entity of the newer model that declares it.
    ///   - origin: The older entity.
    ///   - old: The older model.
    package func property(
        _ name: String, of declaring: EntityLayout, from origin: EntityLayout, in old: ObjectModel
    ) -> PropertyLayout? {
        if let oldName = properties[declaring.name]?[name], let property = origin.property(named: oldName) {
            return property
        }
        return movedProperty(name, of: declaring, from: origin, in: old)
    }

    /// Returns the property of the same name that another entity, above or below, declared, unless another property comes from it.
    func movedProperty(
        _ name: String, of declaring: EntityLayout, from origin: EntityLayout, in old: ObjectModel
    ) -> PropertyLayout? {
        guard let property = origin.property(named: name) else { return nil }
        var owner = origin
        while let above = owner.superentityIndex, old.layouts[above].property(named: name) != nil {
            owner = old.layouts[above]
        }
        if owner.name == entities[declaring.name] { return nil }
        guard let newOwner = entities.first(where: { $0.value == owner.name })?.key,
            properties[newOwner]?.values.contains(name) == true
        else { return property }
        // An entity that leaves the tree keeps its own values; links can't be in two places.
        return property.attribute != nil && !isKind(declaring.name, of: newOwner) ? property : nil
    }

    private func isKind(_ entityName: String, of other: String) -> Bool {
        var name: String? = entityName
        while let known = name, known != other { name = superentities[known] }
        return name != nil
    }

    /// Returns the newer properties that keep the data of older ones, by the older names.
    ///
    /// - Parameters:
    ///   - entity: The entity of the newer model.
    ///   - model: The newer model.
    ///   - origin: The same entity in the older model.
    ///   - old: The older model.
    func successors(
        of entity: EntityLayout, in model: ObjectModel, from origin: EntityLayout, in old: ObjectModel
    ) -> [String: PropertyLayout] {
        var successors: [String: PropertyLayout] = [:]
        for newer in entity.properties {
            let declaring = entity.declaringEntity(of: newer.slot, in: model)
            guard let older = property(newer.name, of: declaring, from: origin, in: old),
                (older.attribute == nil) == (newer.attribute == nil)
            else { continue }
            successors[older.name] = newer
        }
        return successors
    }
}

extension EntityLayout {
    /// Returns the entity, this one or an ancestor, that declares the property in a slot.
    package func declaringEntity(of slot: Int, in model: ObjectModel) -> EntityLayout {
        var declaring = self
        while let above = declaring.superentityIndex, slot < model.layouts[above].properties.count {
            declaring = model.layouts[above]
        }
        return declaring
    }
}
