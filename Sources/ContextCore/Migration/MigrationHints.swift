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

extension MigrationHints {
    /// What they say of new names that the newer model doesn't have, a sentence each: a rename is easily told the wrong way round.
    func strayRenames(in new: ObjectModel) -> [String] {
        renames.sortedByBytes(of: \.key).compactMap { path, former in
            if new.hasPart(path) { return nil }
            let (owner, name) = Self.split(path)
            let turned = owner.map { "\($0).\(former)" } ?? former
            let help = new.hasPart(turned) ? ": the newer name comes first, \(turned)=\(name)" : ""
            return "\(path) is said to have been \(former), but the newer model has no \(path)\(help)."
        }
    }

    /// `Game.title` in two; an entity's name has no owner.
    fileprivate static func split(_ path: String) -> (owner: String?, name: String) {
        guard let dot = path.firstIndex(of: ".") else { return (nil, path) }
        return (String(path[..<dot]), String(path[path.index(after: dot)...]))
    }
}

extension ObjectModel {
    /// Whether there is an entity of that name, or a property: `Game`, or `Game.title`.
    fileprivate func hasPart(_ path: String) -> Bool {
        let (owner, name) = MigrationHints.split(path)
        return owner.map { layout(named: $0)?.property(named: name) != nil } ?? (layout(named: name) != nil)
    }
}
