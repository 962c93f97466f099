import ContextCore

/// One thing that is wrong in a store.
struct StoreFinding: Sendable, Equatable {
    /// What kind of thing it is.
    enum Kind: String, Sendable, CaseIterable {
        /// The database's own structures are damaged.
        case damage
        /// A reference leads nowhere.
        case orphans
        /// A required property has no value.
        case required
        /// A value breaks a rule of its attribute.
        case rules
        /// Two objects have the same values of a unique constraint.
        case unique
        /// A to-many relationship has fewer or more objects than it may.
        case counts
        /// The order of a relationship has two objects in one place.
        case order
    }

    let kind: Kind
    /// The object, `Player:12`; nil for the database itself.
    var object: String?
    var property: String?
    let message: String
}
