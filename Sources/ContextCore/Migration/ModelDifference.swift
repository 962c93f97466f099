/// What has to be done to a store of one model so that it is one of another.
///
/// ```swift
/// let difference = try ModelDifference(from: V1.model, to: V2.model)
/// for change in difference.changes { print(change) }     // Attribute Player.score becomes a 64-bit integer, …
/// ```
///
/// It is worked out from the two models alone. Renames are told by renaming identifiers; where something is gone and something like it
/// is new, nobody but people can tell, so that is refused until it is said.
public struct ModelDifference: Sendable, Hashable {
    /// The changes: entities in order of their names, then those that are gone, then inverses.
    public let changes: [ModelChange]
    /// Which older part each newer one was.
    package let matching: ModelMatching

    /// Compares two models.
    ///
    /// - Parameters:
    ///   - old: The model of the store.
    ///   - new: The model that it is to have.
    ///   - removed: What is known to be gone and was not renamed: `Game`, or `Game.title`.
    /// - Throws: ``AmbiguousRenames`` where it can't be told what was renamed.
    public init(
        from old: ObjectModel, to new: ObjectModel, removed: Set<String> = []
    ) throws(AmbiguousRenames) {
        try self.init(from: old, to: new, hints: MigrationHints(removed: removed))
    }

    /// Compares two models, with what people know of what became of what.
    ///
    /// - Throws: ``AmbiguousRenames`` where it can't be told what was renamed.
    public init(from old: ObjectModel, to new: ObjectModel, hints: MigrationHints) throws(AmbiguousRenames) {
        var comparison = ModelComparison(old: old, new: new, hints: hints)
        comparison.compare()
        guard comparison.ambiguities.isEmpty else {
            throw AmbiguousRenames(sentences: comparison.ambiguities + hints.strayRenames(in: new))
        }
        changes = comparison.changes
        matching = comparison.matching
    }

    /// The most serious consequence of all changes.
    public var consequence: ModelChange.Consequence { changes.map(\.consequence).max() ?? .none }
}

extension ModelDifference: CustomStringConvertible {
    /// The changes as sentences, one a line.
    public var description: String { changes.map(\.description).joined(separator: "\n") }
}

/// It can't be told which parts of a model were renamed.
public struct AmbiguousRenames: Error, Sendable, Hashable, CustomStringConvertible {
    /// What can't be told, and what to do, a sentence each.
    public let sentences: [String]

    /// The sentences, one a line.
    public var description: String { sentences.joined(separator: "\n") }
}
