import Foundation

/// A section of a list: rows that share one value.
public struct ResultsSection: Hashable, Sendable {
    /// The shared value; null for rows without a value, and in a list without sections.
    public let value: StoredValue

    init(_ entry: SectionEntry) { value = entry.value }

    /// Returns the value as a Swift type; nil if it has another type.
    public func value<Value: AttributeValue>(as type: Value.Type = Value.self) -> Value? {
        Value(storedValue: value)
    }

    /// The value as unlocalized text; empty for null.
    public var name: String {
        switch value {
        case .null: ""
        case .bool(let value): "\(value)"
        case .int(let value): "\(value)"
        case .double(let value): "\(value)"
        case .decimal(let value): "\(value)"
        case .string(let value): value
        case .data(let value): value.base64EncodedString()
        case .timestamp(let microseconds): Date(microseconds: microseconds).formatted(.iso8601)
        case .uuid(let value): value.uuidString
        case .composite(let values): values.map { "\($0)" }.joined(separator: ", ")
        }
    }
}
