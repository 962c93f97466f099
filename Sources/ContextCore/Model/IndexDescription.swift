/// A description of an index on some of an entity's properties.
public struct IndexDescription: Sendable, Hashable {
    /// One property of an index and its sort direction.
    public struct Element: Sendable, Hashable {
        /// The name of the property; an attribute of a composite is written `address.city`.
        public var property: String
        /// Whether the index sorts in descending order.
        public var isDescending: Bool

        /// Creates an element from the name of a property.
        public init(_ property: String, isDescending: Bool = false) {
            self.property = property
            self.isDescending = isDescending
        }
    }

    /// The properties, the most significant first.
    public var elements: [Element]
    /// The predicate, in text form, of a partial index: rows that don't satisfy it aren't in the index.
    public var predicate: String?

    /// Creates a description.
    public init(_ elements: [Element], where predicate: String? = nil) {
        self.elements = elements
        self.predicate = predicate
    }
}

extension IndexDescription.Element: ExpressibleByStringLiteral {
    /// Creates an element in ascending order from the name of a property.
    public init(stringLiteral property: String) {
        self.init(property)
    }

    /// Returns an element in descending order.
    public static func descending(_ property: String) -> IndexDescription.Element {
        IndexDescription.Element(property, isDescending: true)
    }
}

/// Properties whose combined values must be unique among an entity's objects.
///
/// Objects in which one of the values is nil don't conflict.
public struct UniqueConstraint: Sendable, Hashable {
    /// The names of the properties.
    public var properties: [String]

    /// Creates a constraint.
    public init(_ properties: [String]) {
        self.properties = properties
    }
}
