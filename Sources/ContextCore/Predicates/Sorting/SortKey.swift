/// One key of an order: a property, and which way it runs.
public struct SortKey: Hashable, Sendable {
    /// What is compared: a property of the object, or one that a to-one chain leads to.
    public var path: PropertyPath
    /// Whether great comes before small.
    public var isDescending: Bool
    /// Whether objects without a value come first; nil for the default, which is first going up and last going down.
    public var nullsFirst: Bool?
    /// How text is compared.
    public var options: TextOptions

    /// Makes a key.
    public init(
        _ path: PropertyPath, isDescending: Bool = false, nullsFirst: Bool? = nil, options: TextOptions = []
    ) {
        self.path = path
        self.isDescending = isDescending
        self.nullsFirst = nullsFirst
        self.options = options
    }
}
