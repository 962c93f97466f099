/// Finds the inverse of each relationship, and adds it if only the other relationship names it.
struct InverseResolution {
    /// One relationship of one entity.
    struct RelationshipKey: Hashable {
        var entity: Int
        var name: String
    }

    /// The name of the inverse of each relationship that has one.
    private(set) var inverses: [RelationshipKey: String] = [:]
    private let hierarchy: EntityHierarchy
    private var sourcesByInverse: [RelationshipKey: [RelationshipKey]] = [:]

    init(_ hierarchy: EntityHierarchy, _ problems: inout ModelProblems) {
        self.hierarchy = hierarchy
        for index in hierarchy.entities.indices {
            for relationship in hierarchy.entities[index].relationships {
                recordInverse(of: relationship, declaredAt: index, &problems)
            }
        }
        addMissingInverses(&problems)
        checkToMany(&problems)
    }

    /// Returns the relationship with the name of its inverse.
    func resolved(_ relationship: RelationshipDescription, of entity: Int) -> RelationshipDescription {
        var resolved = relationship
        resolved.inverseName = inverses[RelationshipKey(entity: entity, name: relationship.name)]
        return resolved
    }

    /// Returns the inverse as it was declared; nil if there is none.
    func inverse(of relationship: RelationshipDescription, declaredAt entity: Int) -> RelationshipDescription?
    {
        guard let name = inverses[RelationshipKey(entity: entity, name: relationship.name)],
            let destination = hierarchy.indices[relationship.destinationName]
        else { return nil }
        return hierarchy.entities[destination].relationships.first { $0.name == name }
    }

    private mutating func recordInverse(
        of relationship: RelationshipDescription, declaredAt entity: Int, _ problems: inout ModelProblems
    ) {
        let source = hierarchy.entities[entity].name
        func report(_ code: ModelProblem.Code, _ message: String) {
            problems.report(code, source, relationship.name, message)
        }
        guard let destination = hierarchy.indices[relationship.destinationName] else {
            return report(
                .unknownDestination,
                "Its destination “\(relationship.destinationName)” isn't in the model: add the entity, or correct the name."
            )
        }
        guard let name = relationship.inverseName else { return }
        let candidates = hierarchy.entities[destination].relationships
        guard let inverse = candidates.first(where: { $0.name == name }) else {
            let owner = hierarchy.lineage(of: destination).first { index in
                hierarchy.entities[index].relationships.contains { $0.name == name }
            }
            return report(
                .unknownInverse,
                owner.map {
                    "Its inverse “\(name)” is declared in “\(hierarchy.entities[$0].name)”, from which “"
                        + "\(relationship.destinationName)” only inherits it: make that entity the destination."
                }
                    ?? "“\(relationship.destinationName)” declares no relationship “\(name)” to be the inverse: declare it there, "
                    + "or correct the name.")
        }
        guard inverse.destinationName == source else {
            return report(
                .contradictoryInverse,
                "The destination of its inverse “\(relationship.destinationName).\(name)” is “\(inverse.destinationName)” and not "
                    + "“\(source)”: correct one of the destinations.")
        }
        if let other = inverse.inverseName, other != relationship.name {
            return report(
                .contradictoryInverse,
                "Its inverse “\(relationship.destinationName).\(name)” has another inverse, “\(other)”: let each name the other."
            )
        }
        let key = RelationshipKey(entity: entity, name: relationship.name)
        inverses[key] = name
        sourcesByInverse[RelationshipKey(entity: destination, name: name), default: []].append(key)
    }

    private mutating func addMissingInverses(_ problems: inout ModelProblems) {
        for (key, sources) in sourcesByInverse {
            for source in sources where inverses[key] == nil { inverses[key] = source.name }
            for source in sources where inverses[key] != source.name {
                problems.report(
                    .contradictoryInverse, hierarchy.entities[source.entity].name, source.name,
                    "Its inverse “\(hierarchy.entities[key.entity].name).\(key.name)” is already the inverse of “"
                        + "\(inverses[key] ?? "")”: give each relationship its own inverse.")
            }
        }
    }

    private func checkToMany(_ problems: inout ModelProblems) {
        for (index, entity) in hierarchy.entities.enumerated() {
            for relationship in entity.relationships where relationship.isToMany {
                guard relationship.inverseName == nil,
                    hierarchy.indices[relationship.destinationName] != nil,
                    inverses[RelationshipKey(entity: index, name: relationship.name)] == nil
                else { continue }
                problems.report(
                    .missingInverse, entity.name, relationship.name,
                    "A to-many relationship needs an inverse: declare a relationship to “\(entity.name)” in “"
                        + "\(relationship.destinationName)”, and name it as the inverse in one of the two.")
            }
        }
    }
}
