/// The indexes of an in-memory store, and where it stores each relationship; derived from its model.
final class MemorySchema: Sendable {
    let model: ObjectModel
    /// The indexes of each inheritance tree, by the index of its root entity in the model.
    let indexes: [[IndexShape]]
    /// Where each relationship is stored, by entity and slot.
    let relationships: [[RelationshipShape?]]
    /// The to-one relationships of each entity whose targets must exist, by entity.
    let references: [[ReferenceShape]]
    /// The to-one relationships that reference each entity and whose targets must exist, by entity.
    let referrers: [[ReferrerShape]]
    /// The numbers of the ordered one-to-many relationships that each entity's rows are members of, by entity.
    let memberships: [[Int]]
    /// The number of the inverse of each end of a many-to-many relationship.
    let oppositeEnds: [Int]
    /// The number of ordered one-to-many relationships.
    let orderCount: Int

    init(_ model: ObjectModel) {
        self.model = model
        indexes = IndexShape.shapes(of: model)
        let ends = LinkEnds(model)
        oppositeEnds = ends.opposites
        orderCount = ends.orders
        let indexes = indexes
        relationships = model.layouts.map { layout in
            layout.properties.map { property in
                property.relationship.flatMap {
                    ends.shape(of: $0, slot: property.slot, column: property.columns.first, indexes, model)
                }
            }
        }
        references = model.layouts.map { ReferenceShape.references(of: $0, model) }
        referrers = ReferrerShape.referrers(in: model, indexes)
        memberships = Self.memberships(relationships, model)
    }
}

/// The definition of an index on the rows of an inheritance tree.
struct IndexShape: Sendable {
    /// The columns, the most significant first.
    let columns: [Int]
    /// The entity whose rows, and whose subentities' rows, are indexed.
    let entityIndex: Int
    /// Whether the rows of each entity of the model are indexed, by entity.
    let covers: [Bool]
    /// The property names of the unique constraints that the index enforces; empty for a plain index.
    var constraints: [[String]]
}

/// Where a relationship's links are stored.
enum RelationshipShape: Sendable {
    /// In a column of the owner's rows.
    case reference(column: Int)
    /// In a column of the destination's rows, which an index finds; `order` is the number of the relationship if it is ordered.
    case referring(rootIndex: Int, index: Int, order: Int?)
    /// In the link table, at an end.
    case links(end: Int)
}

/// A to-one relationship of an entity.
struct ReferenceShape: Sendable {
    let property: String
    let column: Int
    let destinationIndex: Int
}

/// A to-one relationship that references an entity.
struct ReferrerShape: Sendable {
    let property: String
    /// The inheritance tree of the referencing rows, and the index that finds them.
    let rootIndex: Int
    let index: Int
}
