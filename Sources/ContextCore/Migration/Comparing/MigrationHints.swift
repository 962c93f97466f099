/// Decisions about the migration from one version of a model to the next that can't be inferred from the two models.
///
/// ```swift
/// MigrationHints(
///     renames: ["Game.title": "name"], removed: ["Game.note"], conversions: ["Product.price": "cents / 100"],
///     acceptedLosses: ["Game.note"])
/// ```
public struct MigrationHints: Sendable, Hashable {
    /// The older names of renamed entities and properties, by their newer names: `Match`, or `Match.title`.
    public var renames: [String: String]
    /// The older names of entities and properties that were removed and not renamed: `Game`, or `Game.title`.
    public var removed: Set<String>
    /// The expressions, in the language of predicates, that compute attributes from the older object: `cents / 100`.
    ///
    /// For a decimal attribute, numbers are decimal and every operation is exact: 839578 cents are 8395.78. For a floating-point
    /// attribute, they are doubles. If a result doesn't fit, planning fails and the error has the number of such objects.
    public var conversions: [String: String]
    /// The entities and properties whose data may be lost: `Game`, or `Game.title`.
    public var acceptedLosses: Set<String>

    /// Creates hints.
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
    /// Returns a sentence for each rename whose newer name isn't in the newer model.
    func unknownRenameSentences(in new: ObjectModel) -> [String] {
        renames.sortedByBytes(of: \.key).compactMap { unknownRenameSentence($0, $1, in: new) }
    }

    /// Returns a sentence about a rename whose newer name isn't in the newer model; it points out swapped names, a common mistake.
    func unknownRenameSentence(_ path: String, _ former: String, in new: ObjectModel) -> String? {
        if new.hasPart(path) { return nil }
        let part = ModelPart(path)
        let turned = part.property == nil ? former : "\(part.entity).\(former)"
        let help =
            new.hasPart(turned)
            ? ": the newer name comes first, \(turned)=\(part.property ?? part.entity)" : ""
        let sentence = "\(path) is declared as a rename of \(former), but the newer model has no"
        if help.isEmpty, part.property == nil,
            let owner = new.layouts.first(where: { $0.property(named: path) != nil })
        {
            return "\(sentence) entity \(path). A property is named with its entity: \(owner.name).\(former)."
        }
        return "\(sentence) \(path)\(help)."
    }
}

extension ObjectModel {
    /// Whether the model has the entity or the property: `Game`, or `Game.title`.
    fileprivate func hasPart(_ path: String) -> Bool {
        let part = ModelPart(path)
        guard let layout = layout(named: part.entity) else { return false }
        return part.property.map { layout.property(named: $0) != nil } ?? true
    }
}
