/// The difference between two models, and thus the work of a migration from one to the other.
///
/// ```swift
/// let difference = try ModelDifference(from: V1.model, to: V2.model)
/// for change in difference.changes { print(change) }     // Attribute Player.score changes from …
/// ```
///
/// It is inferred from the two models alone. Renaming identifiers show what was renamed. If a part is missing and a similar part is
/// new, the initializer throws until a renaming identifier or a hint says whether it was renamed.
public struct ModelDifference: Sendable, Hashable {
    /// The changes: entities sorted by name, then removed entities, then inverses.
    public let changes: [ModelChange]
    /// The older name of each newer entity and property.
    package let matching: ModelMatching

    /// Compares two models.
    ///
    /// - Parameters:
    ///   - old: The model of the store.
    ///   - new: The model to which the store is migrated.
    ///   - removed: The entities and properties that were removed and not renamed: `Game`, or `Game.title`.
    /// - Throws: ``AmbiguousRenames`` if the renames can't be inferred.
    public init(
        from old: ObjectModel, to new: ObjectModel, removed: Set<String> = []
    ) throws(AmbiguousRenames) {
        try self.init(from: old, to: new, hints: MigrationHints(removed: removed))
    }

    /// Compares two models, with hints about renames.
    ///
    /// - Throws: ``AmbiguousRenames`` if the renames can't be inferred.
    public init(from old: ObjectModel, to new: ObjectModel, hints: MigrationHints) throws(AmbiguousRenames) {
        var comparison = ModelComparison(old: old, new: new, hints: hints)
        comparison.compare()
        guard comparison.ambiguities.isEmpty else {
            throw AmbiguousRenames(
                sentences: comparison.ambiguities + hints.unknownRenameSentences(in: new),
                likelyRenames: comparison.likelyRenames)
        }
        changes = comparison.changes
        matching = comparison.matching
    }

    /// The most severe consequence of all changes.
    public var consequence: ModelChange.Consequence { changes.map(\.consequence).max() ?? .none }
}

extension ModelDifference: CustomStringConvertible {
    /// The changes as sentences, one per line.
    public var description: String { changes.map(\.description).joined(separator: "\n") }
}

/// An error of a comparison of models in which renames can't be inferred.
public struct AmbiguousRenames: Error, Sendable, Hashable, CustomStringConvertible {
    /// The ambiguities with remedies, a sentence each.
    public let sentences: [String]
    /// The missing entities and properties that may have been renamed.
    package let likelyRenames: [LikelyRename]

    /// The sentences, one per line.
    public var description: String { sentences.joined(separator: "\n") }
}
