/// Says what makes no difference between texts.
public struct TextOptions: OptionSet, Hashable, Sendable {
    public let rawValue: Int

    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// Upper and lower case; `[c]` in text.
    public static let caseInsensitive = TextOptions(rawValue: 1)
    /// Diacritics; `[d]` in text.
    public static let diacriticInsensitive = TextOptions(rawValue: 2)
}
