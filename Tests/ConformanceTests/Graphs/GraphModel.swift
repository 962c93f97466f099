@testable import ContextCore

/// The model of the random scripts over several contexts: all kinds of relationships, delete rules and derived attributes.
enum GraphModel {
    /// One direction of a relationship, by name.
    struct Relation: Hashable {
        let kind: String
        let name: String
        let destination: String
        let inverse: String
        var isMany = false
        var isOrdered = false
        var deleteRule = DeleteRule.nullify
        /// Whether the relationship is part of a many-to-many relationship, which the store keeps as links.
        var isLinked = false
    }

    /// An attribute that each save computes.
    struct Derived: Hashable {
        let kind: String
        let name: String
        let type: AttributeType
        let derivation: Derivation
    }

    static let kinds = ["Owner", "Item", "Tag", "Badge", "Part", "Keeper"]

    static let relations: [Relation] = [
        Relation(kind: "Owner", name: "items", destination: "Item", inverse: "owner", isMany: true),
        Relation(kind: "Item", name: "owner", destination: "Owner", inverse: "items"),
        Relation(
            kind: "Owner", name: "queue", destination: "Item", inverse: "line", isMany: true, isOrdered: true),
        Relation(kind: "Item", name: "line", destination: "Owner", inverse: "queue"),
        Relation(
            kind: "Owner", name: "parts", destination: "Part", inverse: "whole", isMany: true,
            deleteRule: .cascade),
        Relation(kind: "Part", name: "whole", destination: "Owner", inverse: "parts"),
        Relation(
            kind: "Owner", name: "badge", destination: "Badge", inverse: "holder", deleteRule: .cascade),
        Relation(kind: "Badge", name: "holder", destination: "Owner", inverse: "badge"),
        Relation(kind: "Item", name: "partner", destination: "Item", inverse: "partner"),
        Relation(
            kind: "Item", name: "tags", destination: "Tag", inverse: "items", isMany: true, isLinked: true),
        Relation(
            kind: "Tag", name: "items", destination: "Item", inverse: "tags", isMany: true, isLinked: true),
        Relation(
            kind: "Tag", name: "ranking", destination: "Item", inverse: "rankedIn", isMany: true,
            isOrdered: true, isLinked: true),
        Relation(
            kind: "Item", name: "rankedIn", destination: "Tag", inverse: "ranking", isMany: true,
            isLinked: true),
        Relation(
            kind: "Keeper", name: "badges", destination: "Badge", inverse: "keeper", isMany: true,
            deleteRule: .deny),
        Relation(kind: "Badge", name: "keeper", destination: "Keeper", inverse: "badges"),
    ]

    static let derived: [Derived] = [
        Derived(kind: "Owner", name: "itemCount", type: .int64, derivation: .count(relationship: "items")),
        Derived(
            kind: "Owner", name: "numberSum", type: .int64,
            derivation: .sum(relationship: "items", attribute: "number")),
        Derived(
            kind: "Owner", name: "leastNumber", type: .int64,
            derivation: .minimum(relationship: "items", attribute: "number")),
        Derived(
            kind: "Owner", name: "greatestNumber", type: .int64,
            derivation: .maximum(relationship: "queue", attribute: "number")),
        Derived(kind: "Owner", name: "lowerText", type: .string, derivation: .lowercased(path: "text")),
        Derived(kind: "Owner", name: "plainText", type: .string, derivation: .canonical(path: "text")),
        Derived(kind: "Owner", name: "savedAt", type: .date, derivation: .now),
        Derived(kind: "Item", name: "ownerText", type: .string, derivation: .copy(path: "owner.text")),
        Derived(
            kind: "Item", name: "badgeText", type: .string, derivation: .lowercased(path: "owner.badge.text")),
        Derived(kind: "Tag", name: "itemCount", type: .int64, derivation: .count(relationship: "items")),
        Derived(
            kind: "Tag", name: "rankingSum", type: .int64,
            derivation: .sum(relationship: "ranking", attribute: "number")),
        Derived(kind: "Part", name: "wholeNumber", type: .int64, derivation: .copy(path: "whole.number")),
    ]

    /// Returns the relationships of an entity.
    static func relations(of kind: String) -> [Relation] { relationsByKind[kind] ?? [] }

    /// Returns the properties of an entity that its rows have and that a context sets.
    static func columns(of kind: String) -> [String] {
        ["text", "number"] + relations(of: kind).filter { !$0.isMany }.map(\.name)
    }

    /// Returns the derived attributes of an entity.
    static func derived(of kind: String) -> [Derived] { derivedByKind[kind] ?? [] }

    private static let relationsByKind = Dictionary(grouping: relations, by: \.kind)
    private static let derivedByKind = Dictionary(grouping: derived, by: \.kind)
    private static let inverses: [Relation: Relation] = Dictionary(
        uniqueKeysWithValues: relations.compactMap { relation in
            relations.first { $0.kind == relation.destination && $0.name == relation.inverse }.map {
                (relation, $0)
            }
        })

    /// Returns the inverse of a relationship.
    static func inverse(of relation: Relation) -> Relation { inverses[relation] ?? relation }

    /// Creates the model of the store.
    static func model() throws -> ObjectModel {
        try ObjectModel(
            entities: kinds.map { kind in
                EntityDescription(
                    kind,
                    attributes: [
                        AttributeDescription("text", .string, default: .value(.string(""))),
                        AttributeDescription("number", .int64, isOptional: true),
                    ]
                        + derived(of: kind).map { derived in
                            AttributeDescription(
                                derived.name, derived.type, isOptional: true,
                                storage: .derived(derived.derivation))
                        },
                    relationships: relations(of: kind).map { relation in
                        RelationshipDescription(
                            relation.name, to: relation.destination, inverse: relation.inverse,
                            isToMany: relation.isMany, isOrdered: relation.isOrdered,
                            deleteRule: relation.deleteRule)
                    })
            })
    }
}
