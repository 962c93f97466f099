/// One key of an order: what is compared, and which way it runs.
///
/// In text a key reads `score DESC`, `game.title[c] ASC NULLS LAST` or, over a relationship, `players.@count DESC`.
public struct SortKey: Hashable, Sendable {
    /// What is compared: a property of the object or of one that a to-one chain leads to, or what is worked out of them.
    public var expression: FetchExpression
    /// Whether great comes before small.
    public var isDescending: Bool
    /// Whether objects without a value come first; nil for the default, which is first going up and last going down.
    public var nullsFirst: Bool?
    /// What makes no difference between texts.
    public var options: TextOptions

    /// Makes a key of an expression.
    public init(
        _ expression: FetchExpression, isDescending: Bool = false, nullsFirst: Bool? = nil,
        options: TextOptions = []
    ) {
        self.expression = expression
        self.isDescending = isDescending
        self.nullsFirst = nullsFirst
        self.options = options
    }

    /// Makes a key of a property.
    public init(
        _ path: PropertyPath, isDescending: Bool = false, nullsFirst: Bool? = nil, options: TextOptions = []
    ) {
        self.init(.path(path), isDescending: isDescending, nullsFirst: nullsFirst, options: options)
    }

    /// The key that runs the other way, nulls included.
    public var reversed: SortKey {
        SortKey(
            expression, isDescending: !isDescending, nullsFirst: nullsFirst.map { !$0 }, options: options)
    }
}
