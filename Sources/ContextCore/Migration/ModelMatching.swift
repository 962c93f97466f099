/// Which part of an older model each part of a newer one was.
package struct ModelMatching: Sendable, Hashable {
    /// The older name of each entity that was there, by its newer one.
    package var entities: [String: String] = [:]
    /// The older names of the properties that an entity declares, by the newer names of both.
    package var properties: [String: [String: String]] = [:]

    /// The newer name of a property that an entity declared.
    func newName(of oldName: String, in entityName: String) -> String {
        properties[entityName]?.first { $0.value == oldName }?.key ?? oldName
    }

    /// The older property that a newer one was, as the rows of one older entity have it; nil where they have none.
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

    /// The property of the same name that another entity declared, above or below, and that nothing else claims to have been.
    func movedProperty(
        _ name: String, of declaring: EntityLayout, from origin: EntityLayout, in old: ObjectModel
    ) -> PropertyLayout? {
        guard let property = origin.property(named: name) else { return nil }
        var owner = origin
        while let above = owner.superentityIndex, old.layouts[above].property(named: name) != nil {
            owner = old.layouts[above]
        }
        if owner.name == entities[declaring.name] { return nil }
        let newOwner = entities.first { $0.value == owner.name }?.key
        let isClaimed = newOwner.map { properties[$0]?.values.contains(name) == true } ?? false
        return isClaimed ? nil : property
    }
}
