/// Creates placeholder values of `Codable` types, for probing key paths and for values that can't be read.
///
/// A model rejects an attribute whose type has no placeholder, unless it has a default or is optional.
enum Placeholders {
    /// Returns a placeholder of a type; nil if the type can't be decoded from empty strings, zeros and empty containers.
    static func value<Value: Decodable>(of type: Value.Type) -> Value? {
        let isOptional = type is any ExpressibleByNilLiteral.Type
        return try? isOptional ? Value(from: PlaceholderDecoder()) : SinglePlaceholder().decode(type)
    }
}

/// A decoder that returns an empty value for everything.
private struct PlaceholderDecoder: Decoder {
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(KeyedPlaceholders<Key>())
    }

    func unkeyedContainer() -> any UnkeyedDecodingContainer { EmptyPlaceholderContainer() }

    func singleValueContainer() -> any SingleValueDecodingContainer { SinglePlaceholder() }
}

private struct SinglePlaceholder: SingleValueDecodingContainer {
    var codingPath: [any CodingKey] { [] }

    func decodeNil() -> Bool { true }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        if let known = Value.self as? any AttributeValue.Type, let value = known.placeholder as? Value {
            return value
        }
        if let listed = Value.self as? any CaseIterable.Type, let value = listed.firstCase as? Value {
            return value
        }
        return try Value(from: PlaceholderDecoder())
    }
}

private struct KeyedPlaceholders<Key: CodingKey>: KeyedDecodingContainerProtocol {
    var codingPath: [any CodingKey] { [] }
    var allKeys: [Key] { [] }

    func contains(_ key: Key) -> Bool { true }
    func decodeNil(forKey key: Key) -> Bool { true }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try SinglePlaceholder().decode(type)
    }

    func nestedContainer<Nested: CodingKey>(keyedBy: Nested.Type, forKey key: Key) -> KeyedDecodingContainer<
        Nested
    > {
        KeyedDecodingContainer(KeyedPlaceholders<Nested>())
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedDecodingContainer {
        EmptyPlaceholderContainer()
    }
    func superDecoder() -> any Decoder { PlaceholderDecoder() }
    func superDecoder(forKey key: Key) -> any Decoder { PlaceholderDecoder() }
}

private struct EmptyPlaceholderContainer: UnkeyedDecodingContainer {
    var codingPath: [any CodingKey] { [] }
    var count: Int? { 0 }
    var isAtEnd: Bool { true }
    var currentIndex: Int { 0 }

    func decodeNil() -> Bool { true }
    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try SinglePlaceholder().decode(type) }

    func nestedContainer<Nested: CodingKey>(keyedBy: Nested.Type) -> KeyedDecodingContainer<Nested> {
        KeyedDecodingContainer(KeyedPlaceholders<Nested>())
    }

    func nestedUnkeyedContainer() -> any UnkeyedDecodingContainer { Self() }
    func superDecoder() -> any Decoder { PlaceholderDecoder() }
}

extension CaseIterable {
    fileprivate static var firstCase: Any? { allCases.first }
}
