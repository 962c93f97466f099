/// The declared entities, sorted by the bytes of their names, with their inheritance.
///
/// If the declarations don't form a tree, the initializer reports problems and ignores the offending superentity, so that
/// the checks can continue.
struct EntityHierarchy {
    /// The entities, with unique names.
    let entities: [EntityDescription]
    /// The index of each entity, by name.
    let indices: [String: Int]
    /// The index of each entity's superentity.
    let superentities: [Int?]
    private let lineages: [[Int]]
    private let families: [[Int]]

    init(_ declared: [EntityDescription], _ problems: inout ModelProblems) {
        entities = Self.unique(declared, &problems)
        indices = Dictionary(uniqueKeysWithValues: entities.enumerated().map { ($1.name, $0) })
        let superentities = Self.superentities(of: entities, indices, &problems)
        self.superentities = superentities
        let lineages = entities.indices.map { Self.lineage(of: $0, superentities) }
        var families = [[Int]](repeating: [], count: entities.count)
        for index in entities.indices {
            for ancestor in lineages[index] { families[ancestor].append(index) }
        }
        self.lineages = lineages
        self.families = families
    }

    /// Returns the entity and its ancestors, root first.
    func lineage(of index: Int) -> [Int] { lineages[index] }

    /// Returns the entity and all entities that inherit from it, in the order of the model.
    func family(of index: Int) -> [Int] { families[index] }

    private static func lineage(of index: Int, _ superentities: [Int?]) -> [Int] {
        var lineage = [index]
        while let above = superentities[lineage[lineage.count - 1]] { lineage.append(above) }
        return lineage.reversed()
    }

    /// Returns an attribute of an entity, declared or inherited.
    func attribute(_ name: String, of index: Int) -> AttributeDescription? {
        lineage(of: index).lazy.compactMap { entities[$0].attributes.first { $0.name == name } }.first
    }

    /// Returns a relationship of an entity, declared or inherited.
    func relationship(_ name: String, of index: Int) -> RelationshipDescription? {
        lineage(of: index).lazy.compactMap { entities[$0].relationships.first { $0.name == name } }.first
    }

    private static func unique(
        _ declared: [EntityDescription], _ problems: inout ModelProblems
    ) -> [EntityDescription] {
        var names: Set<String> = []
        return declared.map(\.normalized).sortedByBytes(of: \.name).filter { entity in
            let isNew = names.insert(entity.name).inserted
            if !isNew {
                problems.report(
                    .duplicateName, entity.name, nil,
                    "Two entities have this name: rename one.")
            }
            return isNew
        }
    }

    private static func superentities(
        of entities: [EntityDescription], _ indices: [String: Int], _ problems: inout ModelProblems
    ) -> [Int?] {
        var superentities: [Int?] = entities.map { entity in
            guard let name = entity.superentityName else { return nil }
            if let index = indices[name] { return index }
            problems.report(
                .unknownSuperentity, entity.name, nil,
                "Its superentity “\(name)” isn't in the model: add it to the model, or correct the name."
            )
            return nil
        }
        for index in entities.indices where isInCycle(index, superentities) {
            problems.report(
                .inheritanceCycle, entities[index].name, nil,
                "It inherits from itself through “\(entities[index].superentityName ?? "")”: remove the superentity of one entity of "
                    + "the cycle.")
            superentities[index] = nil
        }
        return superentities
    }

    private static func isInCycle(_ start: Int, _ superentities: [Int?]) -> Bool {
        var visited: Set<Int> = []
        var next = superentities[start]
        while let index = next, visited.insert(index).inserted {
            if index == start { return true }
            next = superentities[index]
        }
        return false
    }
}
