/// Describes an index over some of an entity's properties.
public struct IndexDescription: Sendable, Hashable {
    /// One property of an index, and which way it runs.
    public struct Element: Sendable, Hashable {
        /// The property's name; a composite's attribute is written `address.city`.
        public var property: String
        /// Whether the index runs from great to small.
        public var isDescending: Bool

        /// Names a property of an index.
        public init(_ property: String, isDescending: Bool = false) {
            self.property = property
            self.isDescending = isDescending
        }
    }

    /// The properties, the most significant first.
    public var elements: [Element]
    /// A predicate in text form that a row must fulfil to be in the index.
    public var predicate: String?

    /// Describes an index.
    public init(_ elements: [Element], where predicate: String? = nil) {
        self.elements = elements
        self.predicate = predicate
    }
}

extension IndexDescription.Element: ExpressibleByStringLiteral {
    /// Names a property along which the index runs from small to great.
    public init(stringLiteral property: String) {
        self.init(property)
    }

    /// Names a property along which the index runs from great to small.
    public static func descending(_ property: String) -> IndexDescription.Element {
        IndexDescription.Element(property, isDescending: true)
    }
}

/// Describes properties whose values together no two objects may share.
///
/// Objects in which one of them is nil don't collide.
public struct UniqueConstraint: Sendable, Hashable {
    /// The properties' names.
    public var properties: [String]

    /// Describes a constraint.
    public init(_ properties: [String]) {
        self.properties = properties
    }
}
