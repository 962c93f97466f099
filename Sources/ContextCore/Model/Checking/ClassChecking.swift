/// Checks that the classes of entities have the same inheritance as the entities.
struct ClassChecking {
    let hierarchy: EntityHierarchy

    func check(_ problems: inout ModelProblems) {
        var owners: [ObjectIdentifier: String] = [:]
        for (index, entity) in hierarchy.entities.enumerated() {
            checkSuperclass(of: index, &problems)
            guard let objectClass = entity.objectClass, objectClass != ManagedObject.self else { continue }
            if objectClass.entityName != entity.name {
                problems.report(
                    .contradictoryClass, entity.name, nil,
                    "Its class \(objectClass) has the entity name “\(objectClass.entityName)”: use the same name in both."
                )
            } else if let other = owners.updateValue(entity.name, forKey: ObjectIdentifier(objectClass)) {
                problems.report(
                    .contradictoryClass, entity.name, nil,
                    "Its class \(objectClass) is also the class of “\(other)”: give each entity its own class."
                )
            }
        }
    }

    private func checkSuperclass(of index: Int, _ problems: inout ModelProblems) {
        let entity = hierarchy.entities[index]
        guard let above = hierarchy.superentities[index],
            let superclass = hierarchy.entities[above].objectClass
        else { return }
        let objectClass = entity.objectClass ?? ManagedObject.self
        guard !Self.inherits(objectClass, from: superclass) else { return }
        problems.report(
            .contradictoryClass, entity.name, nil,
            "It inherits from “\(hierarchy.entities[above].name)”, but its class \(objectClass) doesn't inherit from "
                + "\(superclass): make it a subclass.")
    }

    /// Whether one class is another or inherits from it; Swift has no such test for two metatypes.
    private static func inherits(_ objectClass: AnyClass, from ancestor: AnyClass) -> Bool {
        var next: AnyClass? = objectClass
        while let current = next {
            if current == ancestor { return true }
            next = _getSuperclass(current)
        }
        return false
    }
}
