import ContextCore
import RandomSeeds

/// Makes random models for diagrams: hubs, chains, inheritance trees, relationships without an inverse, of an entity to itself, and that
/// are their own inverse.
struct RandomDiagramModel {
    private var random: SeededRandom
    private var entities: [EntityDescription]

    init(seed: UInt64, count: Int) {
        random = SeededRandom(seed: seed)
        entities = (0..<count).map { EntityDescription("Entity\($0)") }
        for index in entities.indices { describe(index) }
        let relationshipCount = Int.random(in: 0...2 * count, using: &random)
        for number in 0..<relationshipCount { addRelationship(number) }
    }

    func model() throws -> ObjectModel { try ObjectModel(entities: entities) }

    private mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }

    private mutating func describe(_ index: Int) {
        let isLong = number(0...20) == 0
        entities[index].attributes = (0..<number(0...(isLong ? 40 : 9))).map { place in
            let name =
                "value\(index)of\(place)" + (number(0...30) == 0 ? String(repeating: "Long", count: 8) : "")
            return AttributeDescription(name, .string, isOptional: number(0...1) == 0)
        }
        if index > 0, number(0...4) == 0 {
            entities[index].superentityName = "Entity\(number(max(0, index - 9)...index - 1))"
        }
    }

    private mutating func addRelationship(_ number: Int) {
        let first = self.number(0...entities.count - 1)
        // A few entities are hubs, and others are close to each other in the model.
        let second: Int =
            switch self.number(0...4) {
            case 0: 0
            case 1: first
            case 2: self.number(0...entities.count - 1)
            default: max(0, first - self.number(0...4))
            }
        let (own, other) = ("first\(number)", "second\(number)")
        switch self.number(0...5) {
        case 0: add(own, first, second, inverse: nil)
        case 1 where first == second:
            add(own, first, first, inverse: own, isToMany: true)
        case 2:
            add(own, first, second, inverse: other, isToMany: true)
            add(other, second, first, inverse: own, isToMany: true)
        case 3:
            add(own, first, second, inverse: other)
            add(other, second, first, inverse: own)
        default:
            add(own, first, second, inverse: other)
            add(other, second, first, inverse: own, isToMany: true)
        }
    }

    private mutating func add(
        _ name: String, _ source: Int, _ destination: Int, inverse: String?, isToMany: Bool = false
    ) {
        entities[source].relationships.append(
            RelationshipDescription(
                name, to: "Entity\(destination)", inverse: inverse, isToMany: isToMany,
                isOrdered: isToMany && number(0...3) == 0))
    }
}
