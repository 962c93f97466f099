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

    /// Decodes a value; null can be decoded only as nil of an optional type.
    package static func value<Value: Decodable>(_ type: Value.Type, from stored: StoredValue) throws -> Value
    {
        let text = if case .string(let text) = stored { text } else { "null" }
        return try JSONDecoder().decode(type, from: Data(text.utf8))
    }
}

/// An optional, for code that has an `Encodable` value and must know whether it is nil.
private protocol OptionalValue {
    var isNil: Bool { get }
}

extension Optional: OptionalValue {
    fileprivate var isNil: Bool { self == nil }
}
