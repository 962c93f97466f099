import ContextCore

/// The graph of a model for diagrams: entities are nodes; relationships and inheritance are edges.
struct ModelGraph: Sendable, Equatable {
    /// A line in an entity's box.
    struct Line: Sendable, Equatable {
        let name: String
        let type: String
        let isRelationship: Bool
        /// What else is declared: `optional`, `unique`, `derived`, `transient`, `toMany` or `ordered`.
        var flags: [String] = []
    }

    /// An entity.
    struct Node: Sendable, Equatable {
        let name: String
        let isAbstract: Bool
        let lines: [Line]
        var superentityName: String?
        /// The numbers of validation rules, indexes and unique constraints.
        var rules = 0
        var indexes = 0
        var uniqueConstraints = 0
    }

    /// The number of objects at one end of an edge.
    enum Cardinality: Sendable, Equatable {
        case one, optional, many
    }

    /// An edge between two entities.
    struct Edge: Sendable, Equatable {
        /// The kind of an edge.
        enum Kind: Sendable, Equatable {
            /// The first entity inherits from the second.
            case inheritance
            /// A relationship of the first entity, and its inverse, which belongs to the second.
            case relationship(RelationshipDescription, inverse: RelationshipDescription?)
        }

        let first: Int
        let second: Int
        let kind: Kind

        /// The number of objects of the first entity per object of the second.
        var firstCount: Cardinality {
            if case .relationship(_, let inverse?) = kind { inverse.cardinality } else { .many }
        }

        var secondCount: Cardinality {
            if case .relationship(let relationship, _) = kind { relationship.cardinality } else { .one }
        }
    }

    let nodes: [Node]
    let edges: [Edge]

    /// Creates the graph of the given entities, with the edges between them.
    init(_ entities: [EntityLayout], of model: ObjectModel) {
        var places: [Int: Int] = [:]
        var unique: [EntityLayout] = []
        for entity in entities where places[entity.index] == nil {
            places[entity.index] = unique.count
            unique.append(entity)
        }
        nodes = unique.map { Node($0.description) }
        var edges: [Edge] = []
        for (place, entity) in unique.enumerated() {
            if let above = entity.superentityIndex.flatMap({ places[$0] }) {
                edges.append(Edge(first: place, second: above, kind: .inheritance))
            }
            for relationship in entity.description.relationships {
                guard let property = entity.property(named: relationship.name)?.relationship,
                    let target = places[property.destinationIndex],
                    let edge = Self.edge(property, from: place, to: target, model)
                else { continue }
                edges.append(edge)
            }
        }
        self.edges = edges
    }

    /// Returns the edge of a relationship; nil if the edge of its inverse, which comes first in the model, represents both.
    private static func edge(
        _ relationship: RelationshipLayout, from place: Int, to target: Int, _ model: ObjectModel
    ) -> Edge? {
        let inverse = relationship.inverseSlot.flatMap { slot in
            model.layouts[relationship.destinationIndex].properties[slot].relationship
        }
        if let inverse {
            let own = (relationship.sourceIndex, relationship.description.name)
            if own > (inverse.sourceIndex, inverse.description.name) { return nil }
        }
        return Edge(
            first: place, second: target,
            kind: .relationship(relationship.description, inverse: inverse?.description))
    }
}

extension ModelGraph.Node {
    fileprivate init(_ entity: EntityDescription) {
        let unique = Set(entity.uniqueConstraints.filter { $0.properties.count == 1 }.flatMap(\.properties))
        let lines =
            entity.attributes.map { ModelGraph.Line($0, isUnique: unique.contains($0.name)) }
            + entity.relationships.map { ModelGraph.Line($0, isUnique: unique.contains($0.name)) }
        self.init(
            name: entity.name, isAbstract: entity.isAbstract, lines: lines,
            superentityName: entity.superentityName,
            rules: entity.attributes.reduce(0) { $0 + $1.rules.count }, indexes: entity.indexes.count,
            uniqueConstraints: entity.uniqueConstraints.count)
    }
}

extension ModelGraph.Line {
    fileprivate init(_ attribute: AttributeDescription, isUnique: Bool) {
        var flags = attribute.isOptional ? ["optional"] : []
        if isUnique { flags.append("unique") }
        switch attribute.storage {
        case .stored: break
        case .transient: flags.append("transient")
        case .derived: flags.append("derived")
        }
        self.init(
            name: attribute.name, type: attribute.type.title + (attribute.isOptional ? "?" : ""),
            isRelationship: false, flags: flags)
    }

    fileprivate init(_ relationship: RelationshipDescription, isUnique: Bool) {
        let many =
            relationship.isOrdered
            ? "[]" : relationship.isToMany ? "*" : relationship.isOptional ? "?" : ""
        var flags = relationship.isToMany ? ["toMany"] : relationship.isOptional ? ["optional"] : []
        if relationship.isOrdered { flags.append("ordered") }
        if isUnique { flags.append("unique") }
        self.init(
            name: relationship.name, type: relationship.destinationName + many, isRelationship: true,
            flags: flags)
    }
}

extension RelationshipDescription {
    var cardinality: ModelGraph.Cardinality { isToMany ? .many : isOptional ? .optional : .one }

    /// The number of objects that it refers to: `1`, `0..1`, `0..*` or `2..5`.
    var cardinalityText: String {
        if !isToMany { return isOptional ? "0..1" : "1" }
        return "\(minimumCount ?? 0)..\(maximumCount.map { "\($0)" } ?? "*")"
    }
}
