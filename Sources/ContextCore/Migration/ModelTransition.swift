/// The way from one version of a model to the next.
public struct ModelTransition: Sendable {
    /// The version that the store has.
    public let from: ModelVersion
    /// The version that it is to have.
    public let to: ModelVersion
    /// In what they differ.
    public let difference: ModelDifference

    /// Compares two versions.
    ///
    /// - Throws: ``StoreError/Code/migrationRefused`` where it can't be told what was renamed.
    public init(from: ModelVersion, to: ModelVersion) throws(StoreError) {
        self.from = from
        self.to = to
        do {
            difference = try ModelDifference(from: from.model, to: to.model, hints: to.hints)
        } catch {
            throw StoreError(
                .migrationRefused,
                "It can't be told what was renamed. \(error.sentences.joined(separator: " "))",
                remedy: "Say so; nothing was changed.")
        }
    }

    /// What it is called: `V1-V2`.
    public var name: String { "\(from.name)-\(to.name)" }

    /// What is lost, by name: `Game`, or `Game.title`.
    public var losses: [String] {
        difference.changes.filter { $0.consequence == .losesData || isForgotten($0) }.map(\.path)
    }

    /// What somebody has to say how to convert, and nobody has.
    public var undecided: [ModelChange] {
        difference.changes.filter { change in
            guard change.consequence == .needsConversion else { return false }
            switch change.kind {
            // A tree's rows move with it, and what a store derives it works out anew.
            case .moved, .storage: return false
            case .destination(let from, let to): return !isWidened(from, to)
            default: return !isFilled(change.path)
            }
        }
    }

    /// Whether a conversion or a stage works out an attribute.
    package func isFilled(_ path: String) -> Bool {
        to.hints.conversions[path] != nil || to.stages.contains { $0.paths.contains(path) }
    }

    /// Whether an attribute's values were kept, and are no more.
    private func isForgotten(_ change: ModelChange) -> Bool {
        guard change.kind == .storage, let name = change.propertyName else { return false }
        return to.model.layout(named: change.entityName)?.property(named: name)?.attribute?.storage
            == .transient
    }

    /// Whether a relationship leads to all that it led to, and more.
    private func isWidened(_ old: String, _ new: String) -> Bool {
        guard let old = to.model.layout(named: old), let new = to.model.layout(named: new) else {
            return false
        }
        return old.isKind(of: new)
    }
}
