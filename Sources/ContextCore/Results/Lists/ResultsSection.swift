import Foundation

/// A section of a list: the rows that have one value in common.
public struct ResultsSection: Hashable, Sendable {
    /// The value; null for rows that have none, and in a list without sections.
    public let value: StoredValue

    init(_ entry: SectionEntry) { value = entry.value }

    /// The value as its Swift type; nil when it is of another type.
    public func value<Value: AttributeValue>(as type: Value.Type = Value.self) -> Value? {
        Value(storedValue: value)
    }

    /// The value as a text for people who develop; empty where there is none.
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
