/// A column, or the identity, of the object at the end of a chain of to-one relationships.
///
/// Scopes number the objects that a condition can refer to: 0 is the fetched object, 1 the element of the outermost
/// ``ResolvedPredicate/exists(_:where:)`` or aggregate around the expression, and so on inward.
package struct ResolvedProperty: Hashable, Sendable {
    /// The column or the key of the last object.
    package enum Target: Hashable, Sendable {
        /// A column by its index in the entity's columns; for a to-one relationship its foreign key.
        case column(Int)
        /// The object's own key.
        case key
    }

    /// The scope of the object that the chain starts at.
    package let scope: Int
    /// The to-one relationships of the chain.
    package let hops: [RelationshipStep]
    /// The index in the model of the entity that the target belongs to.
    package let entityIndex: Int
    /// The column or the key of the last object.
    package let target: Target

    package init(scope: Int, hops: [RelationshipStep], entityIndex: Int, target: Target) {
        self.scope = scope
        self.hops = hops
        self.entityIndex = entityIndex
        self.target = target
    }
}

/// One step along a relationship.
package struct RelationshipStep: Hashable, Sendable {
    /// The index in the model of the entity that the relationship was looked up in.
    package let sourceIndex: Int
    /// The relationship's slot in that entity.
    package let slot: Int
    /// The index in the model of the relationship's destination entity.
    package let destinationIndex: Int
    /// The foreign key column of a to-one relationship; nil for a to-many relationship.
    package let column: Int?
    /// Whether a to-one relationship can be nil.
    package let isOptional: Bool

    /// Whether the relationship is to-many.
    package var isToMany: Bool { column == nil }

    package init(sourceIndex: Int, slot: Int, destinationIndex: Int, column: Int?, isOptional: Bool) {
        self.sourceIndex = sourceIndex
        self.slot = slot
        self.destinationIndex = destinationIndex
        self.column = column
        self.isOptional = isOptional
    }
}

/// The objects at the end of a chain of relationships, the last of which is to-many.
///
/// An object occurs once for each way in which the chain reaches it.
package struct ResolvedCollection: Hashable, Sendable {
    /// The scope of the object that the chain starts at.
    package let scope: Int
    /// The relationships; the last is to-many.
    package let steps: [RelationshipStep]

    package init(scope: Int, steps: [RelationshipStep]) {
        self.scope = scope
        self.steps = steps
    }
}
