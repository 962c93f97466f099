import Foundation

/// The conversion between `Codable` values and the JSON that stores contain.
package enum CodableCoding {
    /// Encodes a value; equal values have the same text because keys are sorted.
    package static func storedValue<Value: Encodable>(of value: Value) throws -> StoredValue {
        if let optional = value as? any OptionalValue, optional.isNil { return .null }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return .string(String(decoding: try encoder.encode(value), as: UTF8.self))
    }

    /// Decodes a value; null decodes as nil of an optional type only.
    package static func value<Value: Decodable>(_ type: Value.Type, from stored: StoredValue) throws -> Value
    {
        let text = if case .string(let text) = stored { text } else { "null" }
        return try JSONDecoder().decode(type, from: Data(text.utf8))
    }
}

/// Shows whether an optional is nil to code that only knows that it is `Encodable`.
private protocol OptionalValue {
    var isNil: Bool { get }
}

extension Optional: OptionalValue {
    fileprivate var isNil: Bool { self == nil }
}
