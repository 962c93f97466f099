/// The declared entities sorted by the bytes of their names, and who inherits from whom.
///
/// Where the declarations make no tree it notes the problems and goes on as if the offending superentity had not been given, so
/// that everything else can still be checked.
struct EntityHierarchy {
    /// The entities, each name once.
    let entities: [EntityDescription]
    /// Where each name stands.
    let indices: [String: Int]
    /// The entity that each inherits from.
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

    /// The entity's ancestors, the uppermost first and the entity itself last.
    func lineage(of index: Int) -> [Int] { lineages[index] }

    /// The entity and all that inherit from it, in the order of the model.
    func family(of index: Int) -> [Int] { families[index] }

    private static func lineage(of index: Int, _ superentities: [Int?]) -> [Int] {
        var lineage = [index]
        while let above = superentities[lineage[lineage.count - 1]] { lineage.append(above) }
        return lineage.reversed()
    }

    /// Finds an attribute of an entity, inherited ones included.
    func attribute(_ name: String, of index: Int) -> AttributeDescription? {
        lineage(of: index).lazy.compactMap { entities[$0].attributes.first { $0.name == name } }.first
    }

    /// Finds a relationship of an entity, inherited ones included.
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
                    "Two entities have this name, so neither can be told from the other: rename one.")
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
                "Its superentity “\(name)” isn't in the model: add it to what the model is made of, or correct the name."
            )
            return nil
        }
        for index in entities.indices where isInCycle(index, superentities) {
            problems.report(
                .inheritanceCycle, entities[index].name, nil,
                "It inherits from itself by way of “\(entities[index].superentityName ?? "")”: give one entity of the circle no "
                    + "superentity.")
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
