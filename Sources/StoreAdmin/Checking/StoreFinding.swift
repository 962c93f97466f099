import ContextCore

/// One thing that is wrong in a store.
struct StoreFinding: Sendable, Equatable {
    /// What kind of thing it is.
    enum Kind: String, Sendable, CaseIterable {
        /// The database's own structures are damaged.
        case damage
        /// A reference or a link has no object at its end, or one of another entity.
        case orphans
        /// Two objects of a relationship and its inverse don't refer to each other.
        case inverses
        /// A required property has no value.
        case required
        /// A value is none that its attribute's type can hold.
        case types
        /// A value breaks a rule of its attribute.
        case rules
        /// Two objects have the same values of a unique constraint.
        case unique
        /// A to-many relationship has fewer or more objects than it may.
        case counts
        /// The order of a relationship has two objects in one place.
        case order
        /// A large value that is kept outside of its row, and the row, disagree about each other.
        case external
        /// A derived attribute isn't what its definition says.
        case derived
    }

    /// What a finding is about, where it may be one that can be repaired.
    enum Fault: Sendable, Hashable {
        /// A to-one reference to no object, or to one of another entity.
        case reference(RowPlace, slot: Int)
        /// A to-one reference to an object that doesn't refer back.
        case inverse(RowPlace, slot: Int, target: Int64)
        /// A link to or from no object, or one of another entity; of the relationship in a slot of the entity that declares it.
        case link(entityIndex: Int, slot: Int, RelatedRows.Link)
        /// A link of a relationship that is its own inverse, which is missing the other way round.
        case mirror(entityIndex: Int, slot: Int, RelatedRows.Link)
        /// The links of one owner, of which two are in one place.
        case order(entityIndex: Int, slot: Int, owner: Int64)
        /// A value outside of its row.
        case external(ExternalFault)
        /// A derived attribute, and what its definition says.
        case derived(RowPlace, slot: Int, value: StoredValue)
    }

    let kind: Kind
    /// The object, `Player:12`; nil for the database itself.
    var object: String?
    var property: String?
    let message: String
    var fault: Fault?
}

/// Where a row is: the position in the model of its own entity, and its key.
struct RowPlace: Sendable, Hashable, Comparable {
    let entityIndex: Int
    let key: Int64

    static func < (first: RowPlace, second: RowPlace) -> Bool {
        (first.entityIndex, first.key) < (second.entityIndex, second.key)
    }
}

extension StoreFinding.Kind {
    /// What keeps objects from being copied into another store, a restored backup among them.
    static let ofCopying: Set<StoreFinding.Kind> = [.orphans, .required, .types, .unique]

    /// What a part of a store can break.
    ///
    /// Its objects keep the derived values that they have in the whole store, where relationships have more members.
    static let ofSamples = Set(allCases).subtracting([.derived])

    /// What a value is found to be that may not be saved.
    static func of(_ failure: ValueFailure) -> StoreFinding.Kind {
        switch failure.rule {
        case .required: .required
        case .type, .capacity, .momentRange, .notANumber, .containsNUL, .digits, .json, .url: .types
        default: .rules
        }
    }
}

extension StoreFinding {
    /// The finding as a sentence.
    ///
    /// Example: `Player:2 mentor refers to Person:99, which isn't there.`
    var sentence: String {
        let words = [object, property, message].compactMap(\.self).joined(separator: " ")
        return words.hasSuffix(".") ? words : words + "."
    }
}
