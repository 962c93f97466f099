/// A column of an object that a chain of to-one relationships leads to, or that object's identity.
///
/// Scopes number the objects that a condition can speak of: 0 is the object that is fetched, 1 the element of the outermost
/// ``ResolvedPredicate/exists(_:where:)`` or filtered aggregate around the expression, and so on inwards.
package struct ResolvedProperty: Hashable, Sendable {
    /// What of the last object is meant.
    package enum Target: Hashable, Sendable {
        /// A column by its place in the entity's columns; for a to-one relationship the key it keeps.
        case column(Int)
        /// The object's own key.
        case key
    }

    /// The object that the chain begins at.
    package let scope: Int
    /// The to-one relationships that lead on from it.
    package let hops: [ResolvedHop]
    /// The position in the model of the entity that the target belongs to.
    package let entityIndex: Int
    /// What of the last object is meant.
    package let target: Target

    package init(scope: Int, hops: [ResolvedHop], entityIndex: Int, target: Target) {
        self.scope = scope
        self.hops = hops
        self.entityIndex = entityIndex
        self.target = target
    }
}

/// One step along a relationship.
package struct ResolvedHop: Hashable, Sendable {
    /// The position in the model of the entity that the relationship was looked up in.
    package let sourceIndex: Int
    /// The relationship's slot there.
    package let slot: Int
    /// The position in the model of the entity that it leads to.
    package let destinationIndex: Int
    /// The column that keeps the key of a to-one relationship's object; nil for a to-many relationship.
    package let column: Int?
    /// Whether a to-one relationship may lead nowhere.
    package let isOptional: Bool

    /// Whether it leads to many objects.
    package var isToMany: Bool { column == nil }

    package init(sourceIndex: Int, slot: Int, destinationIndex: Int, column: Int?, isOptional: Bool) {
        self.sourceIndex = sourceIndex
        self.slot = slot
        self.destinationIndex = destinationIndex
        self.column = column
        self.isOptional = isOptional
    }
}

/// The objects that a chain of relationships leads to, at least one of them to-many.
///
/// They are taken as often as the chain leads to them.
package struct ResolvedCollection: Hashable, Sendable {
    /// The object that the chain begins at.
    package let scope: Int
    /// The relationships; the last is to-many.
    package let steps: [ResolvedHop]

    package init(scope: Int, steps: [ResolvedHop]) {
        self.scope = scope
        self.steps = steps
    }
}
