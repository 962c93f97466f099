public import Foundation

/// The value of an attribute as a store represents it.
///
/// Two values are equal if a store considers them equal: text is compared by its UTF-8 bytes, never by Unicode equivalence.
public enum StoredValue: Sendable {
    /// Nil.
    case null
    /// A Boolean.
    case bool(Bool)
    /// An integer of any width.
    case int(Int64)
    /// A floating-point number; never NaN, and never negative zero.
    case double(Double)
    /// An exact decimal number.
    case decimal(Decimal)
    /// Text, URLs, and `Codable` values as JSON.
    case string(String)
    /// Bytes.
    case data(Data)
    /// A date, as microseconds since 1970-01-01 00:00 UTC.
    case timestamp(microseconds: Int64)
    /// A UUID.
    case uuid(UUID)
    /// The values of a composite attribute, sorted by the names of its parts. A store receives them one by one.
    case composite([StoredValue])
}

extension StoredValue {
    /// Whether the value is ``null``.
    public var isNull: Bool {
        if case .null = self { true } else { false }
    }
}

extension StoredValue: Hashable {
    public static func == (left: StoredValue, right: StoredValue) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.bool(let a), .bool(let b)): a == b
        case (.int(let a), .int(let b)): a == b
        case (.double(let a), .double(let b)): a == b
        case (.decimal(let a), .decimal(let b)): a == b
        case (.string(let a), .string(let b)): a.utf8.elementsEqual(b.utf8)
        case (.data(let a), .data(let b)): a == b
        case (.timestamp(let a), .timestamp(let b)): a == b
        case (.uuid(let a), .uuid(let b)): a == b
        case (.composite(let a), .composite(let b)): a == b
        default: false
        }
    }

    public func hash(into hasher: inout Hasher) {
        switch self {
        case .null: hasher.combine(0)
        case .bool(let value): hasher.combine(value)
        case .int(let value): hasher.combine(value)
        case .double(let value): hasher.combine(value)
        case .decimal(let value): hasher.combine(value)
        case .string(let value): value.withBytes { hasher.combine(bytes: $0) }
        case .data(let value): hasher.combine(value)
        case .timestamp(let value): hasher.combine(value)
        case .uuid(let value): hasher.combine(value)
        case .composite(let values): hasher.combine(values)
        }
    }
}
