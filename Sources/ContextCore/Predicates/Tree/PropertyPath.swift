/// Names a property of an object, or one that a chain of relationships and composites leads to.
///
/// ```swift
/// let path: PropertyPath = "game.owner.name"
/// ```
///
/// A path without names is the object itself (`SELF` in text). A path may begin at a variable (`$x.name`): inside a
/// subquery it is the element in hand, elsewhere it waits for ``FetchPredicate/substituting(_:)``.
public struct PropertyPath: Hashable, Sendable {
    /// The variable that the path begins at, without its `$`; nil for the object that the predicate is about.
    public var variable: String?
    /// The names, from the first relationship to the last property.
    public var names: [String]

    /// Makes a path of names.
    public init(_ names: [String], of variable: String? = nil) {
        self.variable = variable
        self.names = names
    }

    /// The object that the predicate is about.
    public static var itself: PropertyPath { PropertyPath([]) }

    /// Whether the path is the object itself.
    public var isItself: Bool { names.isEmpty && variable == nil }
}

extension PropertyPath: ExpressibleByStringLiteral {
    /// Makes a path of names with points between them.
    public init(_ text: String) {
        self.init(text.split(separator: ".", omittingEmptySubsequences: false).map(String.init))
    }

    public init(stringLiteral value: String) {
        self.init(value)
    }
}

extension PropertyPath {
    /// Makes the path that goes on with further names.
    public func appending(_ names: [String]) -> PropertyPath {
        PropertyPath(self.names + names, of: variable)
    }

    /// Makes the same path beginning elsewhere: at another path's end.
    func rebased(on base: PropertyPath) -> PropertyPath {
        base.appending(names)
    }
}
