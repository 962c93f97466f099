import ContextCore

/// An inconsistency that a check found in a store.
struct StoreFinding: Sendable, Equatable {
    /// The kind of a finding.
    enum Kind: String, Sendable, CaseIterable {
        /// The database's own structures are damaged.
        case damage
        /// A reference or a link points to a missing object, or to an object of the wrong entity.
        case orphans
        /// Two objects of a relationship and its inverse don't refer to each other.
        case inverses
        /// A required property has no value.
        case required
        /// The attribute's type can't hold a value.
        case types
        /// A value breaks a validation rule of its attribute.
        case rules
        /// Two objects have the same values for a unique constraint.
        case unique
        /// A to-many relationship has fewer objects than its minimum, or more than its maximum.
        case counts
        /// Two objects of an ordered relationship have the same position.
        case order
        /// A row and its external value disagree.
        case external
        /// The value of a derived attribute differs from its definition.
        case derived
    }

    /// The rows that a finding is about, for findings that a repair may fix.
    enum Defect: Sendable, Hashable {
        /// A to-one reference to a missing object, or to an object of the wrong entity.
        case reference(RowLocation, slot: Int)
        /// A to-one reference to an object that doesn't refer back.
        case inverse(RowLocation, slot: Int, target: Int64)
        /// A link with a missing object or one of the wrong entity at an end, with the declaring entity and its slot.
        case link(entityIndex: Int, slot: Int, RelatedRows.Link)
        /// A link of a relationship that is its own inverse, without the link in the other direction.
        case mirror(entityIndex: Int, slot: Int, RelatedRows.Link)
        /// The links of one owner, two of which have the same position.
        case order(entityIndex: Int, slot: Int, owner: Int64)
        /// A row and its external value that disagree.
        case external(ExternalValueMismatch)
        /// A derived attribute, and the value of its definition.
        case derived(RowLocation, slot: Int, value: StoredValue)
    }

    let kind: Kind
    /// The object, such as `Player:12`; nil for the database itself.
    var object: String?
    var property: String?
    let message: String
    var defect: Defect?
}

/// The location of a row: the index of the object's entity in the model, and the key.
struct RowLocation: Sendable, Hashable, Comparable {
    let entityIndex: Int
    let key: Int64

    static func < (first: RowLocation, second: RowLocation) -> Bool {
        (first.entityIndex, first.key) < (second.entityIndex, second.key)
    }
}

extension StoreFinding.Kind {
    /// The kinds that prevent copying objects into another store, as restoring a backup onto a server does.
    static let copyObstacles: Set<StoreFinding.Kind> = [.orphans, .required, .types, .unique]

    /// The kinds to check in a sample of a store.
    ///
    /// Derived values aren't checked: they are copied from the whole store, in which relationships have more members.
    static let sampleKinds = Set(allCases).subtracting([.derived])

    /// Returns the kind of a validation failure.
    static func kind(of failure: ValueFailure) -> StoreFinding.Kind {
        switch failure.rule {
        case .required: .required
        case .type, .capacity, .dateRange, .notANumber, .containsNUL, .digits, .json, .url: .types
        default: .rules
        }
    }
}

extension StoreFinding {
    /// The finding as a sentence.
    ///
    /// Example: `Player:2 mentor refers to Person:99, which does not exist.`
    var sentence: String {
        let words = [object, property, message].compactMap(\.self).joined(separator: " ")
        return words.hasSuffix(".") ? words : words + "."
    }
}
