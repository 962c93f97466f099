import ContextCore

/// The facts about the rows of a store on which the model depends.
struct CoreDataFacts: Sendable, Equatable {
    /// A property of the source, by the entity that declares it; a part of a composite is written `address.city`.
    struct Property: Hashable, Sendable {
        let entity: String
        let name: String

        var text: String { "\(entity).\(name)" }
    }

    /// The values of an attribute.
    struct Attribute: Sendable, Equatable {
        /// The number of values that are not null.
        var values = 0
        /// The number of objects without a value, including those whose value can't be taken over.
        var missing = 0
        /// The greatest numbers of digits of decimal numbers, before and after the decimal point.
        var wholeDigits = 0
        var fractionDigits = 0
        /// Whether each transformable value is a property list or an archive of plain values.
        var isPlain = true
        /// Whether each text is a URL.
        var isURL = true
        /// The values that can't be taken over.
        var losses: [CoreDataValues.Problem: Loss] = [:]
        /// The number of values that break a rule of the attribute.
        var violations = 0
    }

    /// Values that can't be taken over for one reason.
    struct Loss: Sendable, Equatable {
        private static let maxKeys = 5

        private(set) var count = 0
        /// The keys of the first objects.
        private(set) var keys: [Int64] = []

        mutating func add(_ key: Int64, count: Int = 1) {
            self.count += count
            if keys.count < Self.maxKeys { keys.append(key) }
        }
    }

    /// The references of a to-one relationship.
    struct Reference: Sendable, Equatable {
        /// The number of objects without a destination, including those whose destination doesn't exist.
        var missing = 0
        /// The references to objects that don't exist.
        var dangling = Loss()
        /// The number of one-to-one references whose destination doesn't refer back.
        var disagreements = 0
    }

    /// The number of objects of each entity, without subentities.
    var counts: [String: Int] = [:]
    var attributes: [Property: Attribute] = [:]
    var references: [Property: Reference] = [:]
    /// The links of many-to-many relationships to objects that don't exist.
    var danglingLinks: [Property: Loss] = [:]
    /// Values in columns, and rows of entities, that the model doesn't have, by `ZGAME.ZNAME` and `ZCLUB`.
    var unknownParts: [String: Loss] = [:]
    /// Objects whose key is less than 1 or whose entity is not in the model, by table.
    var strayRows: [String: Loss] = [:]
}
