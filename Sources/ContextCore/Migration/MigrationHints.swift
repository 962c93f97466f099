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
    ///
    /// For a decimal attribute, numbers are decimal numbers and every operation is exact: 839578 cents are 8395.78. For a floating-point
    /// attribute they are doubles. A migration is refused while it is planned, with the number of objects, where a result doesn't fit.
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
    /// What they say of new names that the newer model doesn't have, a sentence each.
    func strayRenames(in new: ObjectModel) -> [String] {
        renames.sortedByBytes(of: \.key).compactMap { strayRename($0, $1, in: new) }
    }

    /// What a rename says of a new name that the newer model doesn't have: it is easily told the wrong way round.
    func strayRename(_ path: String, _ former: String, in new: ObjectModel) -> String? {
        if new.hasPart(path) { return nil }
        let part = ModelPart(path)
        let turned = part.property == nil ? former : "\(part.entity).\(former)"
        let help =
            new.hasPart(turned)
            ? ": the newer name comes first, \(turned)=\(part.property ?? part.entity)" : ""
        return "\(path) is said to have been \(former), but the newer model has no \(path)\(help)."
    }
}

extension ObjectModel {
    /// Whether there is an entity of that name, or a property: `Game`, or `Game.title`.
    fileprivate func hasPart(_ path: String) -> Bool {
        let part = ModelPart(path)
        guard let layout = layout(named: part.entity) else { return false }
        return part.property.map { layout.property(named: $0) != nil } ?? true
    }
}
