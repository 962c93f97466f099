/// What people know of the way from one version of a model to the next, and nobody could tell from the two alone.
///
/// ```swift
/// MigrationHints(
///     renames: ["Game.title": "name"], removed: ["Game.note"], conversions: ["Product.price": "cents / 100"],
///     acceptedLosses: ["Game.note"])
/// ```
public struct MigrationHints: Sendable, Hashable {
    /// The older name of an entity or a property, by what it is now: `Match`, or `Match.title`.
    public var renames: [String: String]
    /// What is gone and was not renamed, by its older name: `Game`, or `Game.title`.
    public var removed: Set<String>
    /// How an attribute's value is worked out of the older object, in the language of predicates: `cents / 100`.
    public var conversions: [String: String]
    /// What may be lost, by name: `Game`, or `Game.title`.
    public var acceptedLosses: Set<String>

    /// Says what is known.
    public init(
        renames: [String: String] = [:], removed: Set<String> = [], conversions: [String: String] = [:],
        acceptedLosses: Set<String> = []
    ) {
        self.renames = renames
        self.removed = removed
        self.conversions = conversions
        self.acceptedLosses = acceptedLosses
    }
}
