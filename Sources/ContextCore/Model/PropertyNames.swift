/// The property names of a key path literal that is written without a class, such as `\.players`.
///
/// The compiler checks a macro's arguments before the class around them is complete, so they can't refer to its properties. A path of
/// names refers to no class: `\.players` in `@Derived(.count(\.players))`, or `\.game` in an inverse.
@dynamicMemberLookup
public struct PropertyNames: Sendable {
    // Private to this file, since it would hide a property of the same name.
    fileprivate let components: [String]

    /// Appends a property to the path.
    public subscript(dynamicMember name: String) -> PropertyNames {
        PropertyNames(components: components + [name])
    }

    /// Appends an optional property to the path, for paths such as `\.game?.title`.
    @_disfavoredOverload
    public subscript(dynamicMember name: String) -> PropertyNames? {
        PropertyNames(components: components + [name])
    }
}

extension PropertyNames {
    /// Returns the names of a path, separated by periods.
    static func text(of path: PartialKeyPath<PropertyNames>) -> String {
        let end = PropertyNames(components: [])[keyPath: path]
        let names = end as? PropertyNames
        return (names?.components ?? []).joined(separator: ".")
    }
}

extension UniqueConstraint: ExpressibleByArrayLiteral {
    /// Creates a constraint from key paths: `[\.title, \.startedAt]`.
    public init(arrayLiteral paths: PartialKeyPath<PropertyNames>...) {
        self.init(paths.map(PropertyNames.text))
    }
}

extension IndexDescription {
    /// Returns an index on key paths: `.index(.ascending(\.title), .descending(\.startedAt))`.
    public static func index(_ elements: Element..., where predicate: String? = nil) -> IndexDescription {
        IndexDescription(elements, where: predicate)
    }
}

extension IndexDescription.Element {
    /// Returns an element in ascending order.
    public static func ascending(_ path: PartialKeyPath<PropertyNames>) -> IndexDescription.Element {
        IndexDescription.Element(PropertyNames.text(of: path))
    }

    /// Returns an element in descending order.
    public static func descending(_ path: PartialKeyPath<PropertyNames>) -> IndexDescription.Element {
        IndexDescription.Element(PropertyNames.text(of: path), isDescending: true)
    }

    @available(*, unavailable, message: "Omit the class in the key path: .ascending(\\.title).")
    public static func ascending(_ path: AnyKeyPath) -> IndexDescription.Element {
        programmingError("A key path in an index has no class.")
    }

    @available(*, unavailable, message: "Omit the class in the key path: .descending(\\.title).")
    public static func descending(_ path: AnyKeyPath) -> IndexDescription.Element {
        programmingError("A key path in an index has no class.")
    }
}

extension Derivation {
    /// Computes the lower-case form of a text attribute.
    public static func lowercased(_ path: PartialKeyPath<PropertyNames>) -> Derivation {
        .lowercased(path: PropertyNames.text(of: path))
    }

    /// Removes case and diacritics from a text attribute.
    public static func canonical(_ path: PartialKeyPath<PropertyNames>) -> Derivation {
        .canonical(path: PropertyNames.text(of: path))
    }

    /// Copies an attribute at the end of a chain of to-one relationships.
    public static func copy(_ path: PartialKeyPath<PropertyNames>) -> Derivation {
        .copy(path: PropertyNames.text(of: path))
    }

    /// Counts the objects of a to-many relationship.
    public static func count(_ relationship: PartialKeyPath<PropertyNames>) -> Derivation {
        .count(relationship: PropertyNames.text(of: relationship))
    }

    /// Computes the sum of an attribute over the objects of a to-many relationship.
    public static func sum(
        _ relationship: PartialKeyPath<PropertyNames>, _ attribute: PartialKeyPath<PropertyNames>
    ) -> Derivation {
        .sum(relationship: PropertyNames.text(of: relationship), attribute: PropertyNames.text(of: attribute))
    }

    /// Computes the minimum of an attribute over the objects of a to-many relationship.
    public static func minimum(
        _ relationship: PartialKeyPath<PropertyNames>, _ attribute: PartialKeyPath<PropertyNames>
    ) -> Derivation {
        .minimum(
            relationship: PropertyNames.text(of: relationship), attribute: PropertyNames.text(of: attribute))
    }

    /// Computes the maximum of an attribute over the objects of a to-many relationship.
    public static func maximum(
        _ relationship: PartialKeyPath<PropertyNames>, _ attribute: PartialKeyPath<PropertyNames>
    ) -> Derivation {
        .maximum(
            relationship: PropertyNames.text(of: relationship), attribute: PropertyNames.text(of: attribute))
    }
}
