/// Lets a key path literal stand for the names it is written with, whatever class it begins at.
///
/// A macro's arguments are checked before the class they stand in is complete, so they can't mention its properties. A path of
/// names needs nothing but itself: `\.players` in `@Derived(.count(\.players))`, or `\.game` in an inverse.
@dynamicMemberLookup
public struct PropertyNames: Sendable {
    // Not visible elsewhere, where it would hide a property of the same name.
    fileprivate let passed: [String]

    /// Goes on to a property.
    public subscript(dynamicMember name: String) -> PropertyNames {
        PropertyNames(passed: passed + [name])
    }

    /// Goes on to a property that may be nil, for paths such as `\.game?.title`.
    @_disfavoredOverload
    public subscript(dynamicMember name: String) -> PropertyNames? {
        PropertyNames(passed: passed + [name])
    }
}

extension PropertyNames {
    /// Returns a path's names with points between them.
    static func text(of path: PartialKeyPath<PropertyNames>) -> String {
        let end = PropertyNames(passed: [])[keyPath: path]
        let names = end as? PropertyNames
        return (names?.passed ?? []).joined(separator: ".")
    }
}

extension UniqueConstraint: ExpressibleByArrayLiteral {
    /// Describes a constraint by key paths: `[\.title, \.startedAt]`.
    public init(arrayLiteral paths: PartialKeyPath<PropertyNames>...) {
        self.init(paths.map(PropertyNames.text))
    }
}

extension IndexDescription {
    /// Describes an index by key paths: `.index(.ascending(\.title), .descending(\.startedAt))`.
    public static func index(_ elements: Element..., where predicate: String? = nil) -> IndexDescription {
        IndexDescription(elements, where: predicate)
    }
}

extension IndexDescription.Element {
    /// Runs from small to great.
    public static func ascending(_ path: PartialKeyPath<PropertyNames>) -> IndexDescription.Element {
        IndexDescription.Element(PropertyNames.text(of: path))
    }

    /// Runs from great to small.
    public static func descending(_ path: PartialKeyPath<PropertyNames>) -> IndexDescription.Element {
        IndexDescription.Element(PropertyNames.text(of: path), isDescending: true)
    }
}

extension Derivation {
    /// Works out the lower-case form of a text attribute.
    public static func lowercased(_ path: PartialKeyPath<PropertyNames>) -> Derivation {
        .lowercased(path: PropertyNames.text(of: path))
    }

    /// Works out the form of a text attribute that ignores case and diacritics.
    public static func canonical(_ path: PartialKeyPath<PropertyNames>) -> Derivation {
        .canonical(path: PropertyNames.text(of: path))
    }

    /// Copies an attribute that a to-one chain leads to.
    public static func copy(_ path: PartialKeyPath<PropertyNames>) -> Derivation {
        .copy(path: PropertyNames.text(of: path))
    }

    /// Counts the objects of a to-many relationship.
    public static func count(_ relationship: PartialKeyPath<PropertyNames>) -> Derivation {
        .count(relationship: PropertyNames.text(of: relationship))
    }

    /// Adds up an attribute over a to-many relationship.
    public static func sum(
        _ relationship: PartialKeyPath<PropertyNames>, _ attribute: PartialKeyPath<PropertyNames>
    ) -> Derivation {
        .sum(relationship: PropertyNames.text(of: relationship), attribute: PropertyNames.text(of: attribute))
    }

    /// Finds the least value of an attribute over a to-many relationship.
    public static func minimum(
        _ relationship: PartialKeyPath<PropertyNames>, _ attribute: PartialKeyPath<PropertyNames>
    ) -> Derivation {
        .minimum(
            relationship: PropertyNames.text(of: relationship), attribute: PropertyNames.text(of: attribute))
    }

    /// Finds the greatest value of an attribute over a to-many relationship.
    public static func maximum(
        _ relationship: PartialKeyPath<PropertyNames>, _ attribute: PartialKeyPath<PropertyNames>
    ) -> Derivation {
        .maximum(
            relationship: PropertyNames.text(of: relationship), attribute: PropertyNames.text(of: attribute))
    }
}
