import Foundation

/// Sample values that show whether a computed property changes what it reads: two dissimilar values of each type.
enum AttributeSamples: CaseIterable {
    /// Values beyond usual limits; text with several scripts, cases and words.
    case large
    /// Negative, past or short values.
    case small

    /// Returns the sample of a type; nil if there is none.
    func sample(of type: AttributeType) -> StoredValue? {
        switch (type, self) {
        case (.bool, _): .bool(self == .large)
        case (.int16, .large), (.int32, .large), (.int64, .large): .int(97)
        case (.int16, .small), (.int32, .small), (.int64, .small): .int(-2)
        case (.float, _), (.double, _): .double(self == .large ? 97.5 : -0.25)
        case (.decimal, _): .decimal(self == .large ? 97 : -2)
        case (.string, _): .string(self == .large ? " Äß zZ-7 " : "a")
        case (.data, _): .data(self == .large ? Data([7, 0, 255]) : Data([1]))
        case (.date, _):
            .timestamp(microseconds: self == .large ? 1_234_567_890_123_456 : -62_000_000_000_000_001)
        case (.uuid, .large): .uuid(UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)))
        case (.uuid, .small): .uuid(UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1)))
        case (.url, _): .string(self == .large ? "https://example.com/Ab?c=7#d" : "file:///a")
        case (.codable, _): nil
        case (.composite(let parts), _):
            .composite(parts.sortedByBytes(of: \.name).map { sample(of: $0.type) ?? .null })
        }
    }
}
