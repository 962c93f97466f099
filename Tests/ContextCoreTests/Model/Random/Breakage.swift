import ContextCore
import Testing

/// A way to make a valid model invalid, and the expected error.
struct Breakage: Sendable, CustomTestStringConvertible {
    let code: ModelProblem.Code
    /// Makes an entity invalid, and returns the name of the property at fault.
    let apply: @Sendable (inout [EntityDescription], Int) -> String?

    var testDescription: String { code.description }

    private static func attribute(
        _ code: ModelProblem.Code, _ attribute: AttributeDescription
    ) -> Breakage {
        Breakage(code: code) { entities, index in
            entities[index].attributes.append(attribute)
            return attribute.name
        }
    }

    private static func relationship(
        _ code: ModelProblem.Code, _ make: @escaping @Sendable (String) -> RelationshipDescription
    ) -> Breakage {
        Breakage(code: code) { entities, index in
            let relationship = make(entities[index].name)
            entities[index].relationships.append(relationship)
            return relationship.name
        }
    }

    private static func entity(
        _ code: ModelProblem.Code, _ change: @escaping @Sendable (inout EntityDescription) -> Void
    ) -> Breakage {
        Breakage(code: code) { entities, index in
            change(&entities[index])
            return nil
        }
    }

    static let all: [Breakage] = names + inheritance + attributes + relationships + uses

    private static let names = [
        attribute(.invalidName, AttributeDescription("9lives", .int64)),
        attribute(.reservedName, AttributeDescription("objectID", .int64)),
        attribute(.nameTooLong, AttributeDescription(String(repeating: "x", count: 64), .int64)),
        Breakage(code: .duplicateName) { entities, index in
            entities[index].attributes.append(entities[index].attributes[0])
            return entities[index].attributes[0].name
        },
        Breakage(code: .duplicateName) { entities, index in
            entities.append(entities[index])
            return nil
        },
        Breakage(code: .collidingName) { entities, index in
            let name = entities[index].attributes[0].name
            entities[index].attributes.append(AttributeDescription(name.uppercased(), .int64))
            return name
        },
    ]

    private static let inheritance = [
        entity(.unknownSuperentity) { $0.superentityName = "Nothing" },
        entity(.inheritanceCycle) { $0.superentityName = $0.name },
        entity(.contradictoryClass) { $0.objectClass = Stranger.self },
    ]

    private static let attributes = [
        attribute(.invalidType, AttributeDescription("x", .decimal(precision: .min, scale: 1), rules: [bad])),
        attribute(.invalidType, AttributeDescription("x", .composite([]))),
        attribute(.invalidDefault, AttributeDescription("x", .int64, default: "3")),
        attribute(.invalidRule, AttributeDescription("x", .string, rules: [.pattern("(a")])),
        attribute(.invalidRule, AttributeDescription("x", .int64, rules: [.length(minimum: 1, maximum: 2)])),
        attribute(
            .invalidDerivation,
            AttributeDescription("x", .int64, storage: .derived(.count(relationship: "nothing")))),
        attribute(.invalidTransformer, AttributeDescription("x", .data, transformerName: "missing")),
        attribute(.invalidExternalStorage, AttributeDescription("x", .bool, externalThreshold: 9)),
    ]

    private static let bad = ValidationRule.range(minimum: .decimal(1), maximum: nil)

    private static let relationships = [
        relationship(.unknownDestination) { _ in RelationshipDescription("x", to: "Nothing") },
        relationship(.missingInverse) { RelationshipDescription("x", to: $0, isToMany: true) },
        relationship(.unknownInverse) { RelationshipDescription("x", to: $0, inverse: "nothing") },
        Breakage(code: .contradictoryInverse) { entities, index in
            let name = entities[index].name
            entities[index].relationships += [
                RelationshipDescription("x", to: name, inverse: "y"),
                RelationshipDescription("y", to: name, inverse: "y"),
            ]
            return "x"
        },
        relationship(.contradictoryRelationship) { RelationshipDescription("x", to: $0, isOrdered: true) },
        Breakage(code: .contradictoryDeleteRules) { entities, index in
            let name = entities[index].name
            entities[index].relationships += [
                RelationshipDescription("x", to: name, inverse: "y", isOptional: false, deleteRule: .deny),
                RelationshipDescription("y", to: name, deleteRule: .deny),
            ]
            return "x"
        },
        Breakage(code: .unsatisfiableRelationship) { entities, index in
            entities.append(EntityDescription("Idea", isAbstract: true))
            entities[index].relationships.append(
                RelationshipDescription("x", to: "Idea", isOptional: false))
            return "x"
        },
    ]

    private static let uses = [
        Breakage(code: .invalidIndex) { entities, index in
            entities[index].indexes.append(IndexDescription(["nothing"]))
            return "nothing"
        },
        Breakage(code: .invalidIndex) { entities, index in
            entities[index].attributes.append(AttributeDescription("x", .int64))
            entities[index].indexes.append(IndexDescription(["x"], where: "x >"))
            return "x"
        },
        Breakage(code: .invalidIndex) { entities, index in
            entities[index].attributes.append(AttributeDescription("x", .int64))
            entities[index].indexes.append(IndexDescription(["x"], where: "x = 'three'"))
            return "x"
        },
        Breakage(code: .invalidConstraint) { entities, index in
            entities[index].uniqueConstraints.append(UniqueConstraint(["nothing"]))
            return "nothing"
        },
    ]
}

private final class Stranger: ManagedObject {}
