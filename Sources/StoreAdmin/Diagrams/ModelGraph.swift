import ContextCore

/// The graph of a model for diagrams: entities are nodes; relationships and inheritance are edges.
struct ModelGraph: Sendable, Equatable {
    /// A line in an entity's box.
    struct Line: Sendable, Equatable {
        let name: String
        let type: String
        let isRelationship: Bool
    }

    /// An entity.
    struct Node: Sendable, Equatable {
        let name: String
        let isAbstract: Bool
        let lines: [Line]
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
            /// The names of a relationship and of its inverse.
            case relationship(String, inverse: String?)
        }

        let first: Int
        let second: Int
        let kind: Kind
        /// The number of objects of the first entity per object of the second.
        var firstCount = Cardinality.many
        var secondCount = Cardinality.one
    }

    let nodes: [Node]
    let edges: [Edge]

    /// Creates the graph of the given entities, with the edges between them.
    init(_ entities: [EntityLayout], of model: ObjectModel) {
        var places: [Int: Int] = [:]
        for (place, entity) in entities.enumerated() { places[entity.index] = place }
        nodes = entities.map { Self.node($0.description) }
        var edges: [Edge] = []
        for (place, entity) in entities.enumerated() {
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

    private static func node(_ entity: EntityDescription) -> Node {
        let attributes = entity.attributes.map {
            Line(name: $0.name, type: $0.type.title + ($0.isOptional ? "?" : ""), isRelationship: false)
        }
        let relationships = entity.relationships.map { relationship in
            let many =
                relationship.isOrdered
                ? "[]" : relationship.isToMany ? "*" : relationship.isOptional ? "?" : ""
            return Line(
                name: relationship.name, type: relationship.destinationName + many, isRelationship: true)
        }
        return Node(name: entity.name, isAbstract: entity.isAbstract, lines: attributes + relationships)
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
            kind: .relationship(relationship.description.name, inverse: inverse?.description.name),
            firstCount: inverse.map { Self.cardinality($0.description) } ?? .many,
            secondCount: Self.cardinality(relationship.description))
    }

    private static func cardinality(_ relationship: RelationshipDescription) -> Cardinality {
        relationship.isToMany ? .many : relationship.isOptional ? .optional : .one
    }
}
