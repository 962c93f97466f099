/// What an in-memory store works out about its model once: which indexes it keeps, and where links lie.
final class MemorySchema: Sendable {
    let model: ObjectModel
    /// The indexes of each inheritance tree, by the position of its root entity.
    let indexes: [[IndexShape]]
    /// What each relationship is kept in, by entity and slot.
    let relationships: [[RelationshipShape?]]
    /// The references that each entity's rows have and that must lead to a row, by entity.
    let references: [[ReferenceShape]]
    /// The references that must lead to each entity's rows, by entity.
    let referrers: [[ReferrerShape]]
    /// The numbers of the ordered one-to-many relationships that each entity's rows stand in, by entity.
    let memberships: [[Int]]
    /// The end that shares its links with each end of a many-to-many relationship.
    let oppositeEnds: [Int]
    /// How many ordered one-to-many relationships there are.
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

/// One index of the rows of an inheritance tree.
struct IndexShape: Sendable {
    /// The columns, the most significant first.
    let columns: [Int]
    /// The entity whose rows are in it, with its subentities.
    let entityIndex: Int
    /// Whether each entity of the model has its rows in it.
    let covers: [Bool]
    /// The names of the constraints that let no two rows have the same values; empty for a plain index.
    var constraints: [[String]]
}

/// Where a relationship's links lie.
enum RelationshipShape: Sendable {
    /// In a column of the rows themselves.
    case reference(column: Int)
    /// In a column of the other rows, which this index finds; and in which order, if there is one.
    case referring(rootIndex: Int, index: Int, order: Int?)
    /// In a table of links, seen from this end.
    case links(end: Int)
}

/// A to-one relationship as the rows that have it see it.
struct ReferenceShape: Sendable {
    let property: String
    let column: Int
    let destinationIndex: Int
}

/// A to-one relationship as the rows that it leads to see it.
struct ReferrerShape: Sendable {
    let property: String
    /// The tree of the rows that refer, and the index that finds them.
    let rootIndex: Int
    let index: Int
}
