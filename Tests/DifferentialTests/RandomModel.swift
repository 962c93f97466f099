import ContextCore

/// A generator of models with 5 to 15 entities: inheritance trees, all types of attributes, all kinds of relationships.
struct RandomModel {
    private struct Draft {
        var name: String
        var superentity: String?
        var isAbstract = false
        var attributes: [AttributeDescription] = []
        var relationships: [RelationshipDescription] = []
        var constraints: [UniqueConstraint] = []
        var indexes: [IndexDescription] = []
    }

    var random: SeededGenerator

    static let types: [AttributeType] = [
        .bool, .int16, .int32, .int64, .int64, .float, .double, .double, .decimal(precision: 9, scale: 2),
        .decimal(precision: 18, scale: 4), .decimal(precision: 38, scale: 10),
        .decimal(precision: 20, scale: 0),
        .string, .string, .string, .url, .data, .date, .date, .uuid, place,
    ]

    private static let place = AttributeType.composite([
        AttributeDescription("city", .string, isOptional: true), AttributeDescription("number", .int64),
        AttributeDescription("height", .decimal(precision: 12, scale: 3), isOptional: true),
    ])

    /// Returns a valid model; invalid drafts are discarded.
    mutating func model() -> ObjectModel {
        while true {
            let drafts = self.drafts()
            let entities = drafts.map { draft in
                EntityDescription(
                    draft.name, superentity: draft.superentity, isAbstract: draft.isAbstract,
                    attributes: draft.attributes, relationships: draft.relationships, indexes: draft.indexes,
                    uniqueConstraints: draft.constraints)
            }
            if let model = try? ObjectModel(entities: entities) { return model }
        }
    }

    private mutating func drafts() -> [Draft] {
        var drafts: [Draft] = []
        for index in 0..<random.count(5...15) {
            var draft = Draft(name: "E\(index)")
            if index > 1, random.chance(35) { draft.superentity = drafts[random.count(0...index - 1)].name }
            draft.isAbstract = draft.superentity == nil && random.chance(10)
            for number in 0..<random.count(2...5) {
                draft.attributes.append(
                    AttributeDescription(
                        "e\(index)a\(number)", random.pick(Self.types), isOptional: random.chance(60),
                        preservesValueOnDeletion: random.chance(20)))
            }
            let optional = draft.attributes.filter { $0.isOptional && $0.type != Self.place }
            if random.chance(30), !optional.isEmpty {
                draft.constraints = [UniqueConstraint([random.pick(optional).name])]
            }
            if random.chance(40) {
                let attribute = random.pick(draft.attributes)
                draft.indexes = [
                    IndexDescription(
                        [.init(attribute.type == Self.place ? attribute.name + ".city" : attribute.name)],
                        where: random.chance(50) ? "\(draft.attributes[0].name) != NIL" : nil)
                ]
            }
            drafts.append(draft)
        }
        for number in 0..<random.count(4...drafts.count + 4) { relate(number, &drafts) }
        return drafts
    }

    private mutating func relate(_ number: Int, _ drafts: inout [Draft]) {
        let source = random.count(0...drafts.count - 1)
        let target = random.chance(15) ? source : random.count(0...drafts.count - 1)
        let (there, back) = ("r\(number)", "s\(number)")
        if source == target, random.chance(40) {
            drafts[source].relationships.append(
                RelationshipDescription(there, to: drafts[source].name, inverse: there, isToMany: true))
            return
        }
        let kind = random.count(0...9)
        let (manyThere, manyBack) = (kind > 0, kind > 6)
        drafts[source].relationships.append(
            RelationshipDescription(
                there, to: drafts[target].name, inverse: back, isToMany: manyThere,
                isOrdered: manyThere && random.chance(30), deleteRule: rule()))
        drafts[target].relationships.append(
            RelationshipDescription(
                back, to: drafts[source].name, inverse: there, isToMany: manyBack,
                isOrdered: manyBack && random.chance(30), deleteRule: rule()))
    }

    private mutating func rule() -> DeleteRule {
        random.pick([.nullify, .nullify, .nullify, .cascade, .cascade, .deny, .noAction])
    }
}
