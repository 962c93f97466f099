/// A sort key: an expression and a direction.
///
/// The text form is like `score DESC`, `game.title[c] ASC NULLS LAST` or, with an aggregate, `players.@count DESC`.
public struct SortKey: Hashable, Sendable {
    /// The value to sort by: a property, also through to-one relationships, or a computation with properties.
    public var expression: FetchExpression
    /// Whether greater values come first.
    public var isDescending: Bool
    /// Whether nulls come first; nil for the default, which is first in ascending and last in descending order.
    public var nullsFirst: Bool?
    /// The options for sorting strings: ignore case, ignore diacritics.
    public var options: TextOptions

    /// Makes a key from an expression.
    public init(
        _ expression: FetchExpression, isDescending: Bool = false, nullsFirst: Bool? = nil,
        options: TextOptions = []
    ) {
        self.expression = expression
        self.isDescending = isDescending
        self.nullsFirst = nullsFirst
        self.options = options
    }

    /// Makes a key from a property path.
    public init(
        _ path: PropertyPath, isDescending: Bool = false, nullsFirst: Bool? = nil, options: TextOptions = []
    ) {
        self.init(.path(path), isDescending: isDescending, nullsFirst: nullsFirst, options: options)
    }

    /// The key with the opposite direction, also for nulls.
    public var reversed: SortKey {
        SortKey(
            expression, isDescending: !isDescending, nullsFirst: nullsFirst.map { !$0 }, options: options)
    }
}
