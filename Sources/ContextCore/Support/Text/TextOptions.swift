/// Options for comparing strings.
public struct TextOptions: OptionSet, Hashable, Sendable {
    public let rawValue: Int

    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// Ignores case; `[c]` in predicate text.
    public static let caseInsensitive = TextOptions(rawValue: 1)
    /// Ignores diacritics; `[d]` in predicate text.
    public static let diacriticInsensitive = TextOptions(rawValue: 2)
}
