/// Checks relationships for contradictions with themselves, their inverses and their destinations.
struct RelationshipChecking {
    let hierarchy: EntityHierarchy
    let inverses: InverseResolution

    func check(_ problems: inout ModelProblems) {
        for (index, entity) in hierarchy.entities.enumerated() {
            for relationship in entity.relationships {
                for message in Self.contradictions(in: relationship) {
                    problems.report(.contradictoryRelationship, entity.name, relationship.name, message)
                }
                checkDeleteRules(of: relationship, declaredAt: index, &problems)
                checkExistence(of: relationship, entity.name, &problems)
            }
        }
    }

    private static func contradictions(in relationship: RelationshipDescription) -> [String] {
        relationship.isToMany
            ? contradictions(inToMany: relationship) : contradictions(inToOne: relationship)
    }

    private static func contradictions(inToOne relationship: RelationshipDescription) -> [String] {
        var messages: [String] = []
        if relationship.isOrdered {
            messages.append(
                "A to-one relationship has no order: remove it, or make the relationship to-many.")
        }
        if relationship.minimumCount != nil || relationship.maximumCount != nil {
            messages.append(
                "Only to-many relationships have counts: make the relationship optional or required instead.")
        }
        return messages
    }

    private static func contradictions(inToMany relationship: RelationshipDescription) -> [String] {
        var messages: [String] = []
        if !relationship.isOptional {
            messages.append("A to-many relationship can't be required: give it a minimum count of 1 instead.")
        }
        let minimum = relationship.minimumCount ?? 0
        let maximum = relationship.maximumCount ?? .max
        if minimum < 0 || maximum < 1 {
            messages.append(
                "The minimum count must be at least 0 and the maximum count at least 1: correct them.")
        } else if minimum > maximum {
            messages.append(
                "The minimum count is greater than the maximum count, so no object could be saved: correct them."
            )
        }
        return messages
    }

    private func checkDeleteRules(
        of relationship: RelationshipDescription, declaredAt index: Int, _ problems: inout ModelProblems
    ) {
        guard relationship.deleteRule == .deny, !relationship.isToMany, !relationship.isOptional,
            let inverse = inverses.inverse(of: relationship, declaredAt: index), inverse.deleteRule == .deny
        else { return }
        problems.report(
            .contradictoryDeleteRules, hierarchy.entities[index].name, relationship.name,
            "It is required and denies deletion, and its inverse “\(relationship.destinationName).\(inverse.name)” denies it too: "
                + "neither object could be deleted while the other exists. Let one of them cascade, or let this one nullify."
        )
    }

    private func checkExistence(
        of relationship: RelationshipDescription, _ entity: String, _ problems: inout ModelProblems
    ) {
        let isNeeded = relationship.isToMany ? relationship.minimumCount ?? 0 > 0 : !relationship.isOptional
        guard isNeeded, let destination = hierarchy.indices[relationship.destinationName],
            hierarchy.family(of: destination).allSatisfy({ hierarchy.entities[$0].isAbstract })
        else { return }
        problems.report(
            .unsatisfiableRelationship, entity, relationship.name,
            "It needs an object of “\(relationship.destinationName)”, which is abstract and has no concrete subentity: add one, or "
                + "make the relationship optional.")
    }
}
