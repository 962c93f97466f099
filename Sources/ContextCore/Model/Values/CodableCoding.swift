import Foundation

/// Turns `Codable` values into the JSON that stores keep, and back.
package enum CodableCoding {
    /// Encodes a value, always to the same text: keys are sorted.
    package static func storedValue<Value: Encodable>(of value: Value) throws -> StoredValue {
        if let optional = value as? any OptionalValue, optional.isNil { return .null }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return .string(String(decoding: try encoder.encode(value), as: UTF8.self))
    }

    /// Decodes a value; no value is one of an optional type only.
    package static func value<Value: Decodable>(_ type: Value.Type, from stored: StoredValue) throws -> Value
    {
        let text = if case .string(let text) = stored { text } else { "null" }
        return try JSONDecoder().decode(type, from: Data(text.utf8))
    }
}

/// Lets code that knows only `Encodable` see whether an optional has a value.
private protocol OptionalValue {
    var isNil: Bool { get }
}

extension Optional: OptionalValue {
    fileprivate var isNil: Bool { self == nil }
}
