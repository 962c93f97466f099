/// A path to a property of an object, which may pass through relationships and composites.
///
/// ```swift
/// let path: PropertyPath = "game.owner.name"
/// ```
///
/// A path without names is the object itself (`SELF` in text). A path may start at a variable (`$x.name`): inside a
/// subquery that is the current element, elsewhere ``FetchPredicate/substituting(_:)`` must replace it.
public struct PropertyPath: Hashable, Sendable {
    /// The variable that the path starts at, without its `$`; nil for the object that the predicate is evaluated for.
    public var variable: String?
    /// The names, from the first relationship to the last property.
    public var names: [String]

    /// Makes a path from names.
    public init(_ names: [String], of variable: String? = nil) {
        self.variable = variable
        self.names = names
    }

    /// The empty path, which is the object that the predicate is evaluated for (`SELF` in text).
    public static var itself: PropertyPath { PropertyPath([]) }

    /// Whether the path is the object that the predicate is evaluated for.
    public var isItself: Bool { names.isEmpty && variable == nil }
}

extension PropertyPath: ExpressibleByStringLiteral {
    /// Makes a path from names separated by dots.
    public init(_ text: String) {
        self.init(text.split(separator: ".", omittingEmptySubsequences: false).map(String.init))
    }

    public init(stringLiteral value: String) {
        self.init(value)
    }
}

extension PropertyPath {
    /// Returns the path with the given names appended.
    public func appending(_ names: [String]) -> PropertyPath {
        PropertyPath(self.names + names, of: variable)
    }

    /// Returns the path's names appended to another path.
    func rebased(on base: PropertyPath) -> PropertyPath {
        base.appending(names)
    }
}
