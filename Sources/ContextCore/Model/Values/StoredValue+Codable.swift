import Foundation

/// A value is encoded as an object with one key that names its kind, such as `{"int": 3}`; ``StoredValue/null`` as `null`.
extension StoredValue: Codable {
    private enum Kind: String, CodingKey {
        case bool, int, double, decimal, string, data, timestamp, uuid, composite
    }

    public init(from decoder: any Decoder) throws {
        if let single = try? decoder.singleValueContainer(), single.decodeNil() {
            self = .null
            return
        }
        let container = try decoder.container(keyedBy: Kind.self)
        guard let kind = container.allKeys.first else {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(
                    codingPath: decoder.codingPath, debugDescription: "The value has no kind."))
        }
        switch kind {
        case .bool: self = .bool(try container.decode(Bool.self, forKey: kind))
        case .int: self = .int(try container.decode(Int64.self, forKey: kind))
        case .double:
            self = .double(try Self.double(from: container.decode(String.self, forKey: kind), decoder))
        case .decimal:
            self = .decimal(try Self.decimal(from: container.decode(String.self, forKey: kind), decoder))
        case .string: self = .string(try container.decode(String.self, forKey: kind))
        case .data: self = .data(try container.decode(Data.self, forKey: kind))
        case .timestamp: self = .timestamp(microseconds: try container.decode(Int64.self, forKey: kind))
        case .uuid: self = .uuid(try container.decode(UUID.self, forKey: kind))
        case .composite: self = .composite(try container.decode([StoredValue].self, forKey: kind))
        }
    }

    public func encode(to encoder: any Encoder) throws {
        if case .null = self {
            var container = encoder.singleValueContainer()
            return try container.encodeNil()
        }
        var container = encoder.container(keyedBy: Kind.self)
        switch self {
        case .null: break
        case .bool(let value): try container.encode(value, forKey: .bool)
        case .int(let value): try container.encode(value, forKey: .int)
        case .double(let value): try container.encode(value.description, forKey: .double)
        case .decimal(let value): try container.encode(value.description, forKey: .decimal)
        case .string(let value): try container.encode(value, forKey: .string)
        case .data(let value): try container.encode(value, forKey: .data)
        case .timestamp(let value): try container.encode(value, forKey: .timestamp)
        case .uuid(let value): try container.encode(value, forKey: .uuid)
        case .composite(let values): try container.encode(values, forKey: .composite)
        }
    }

    /// Returns a number from its text; numbers are encoded as text because JSON has no infinities.
    private static func double(from text: String, _ decoder: any Decoder) throws -> Double {
        guard let value = Double(text) else { throw notANumber(decoder) }
        return value
    }

    private static func decimal(from text: String, _ decoder: any Decoder) throws -> Decimal {
        guard let value = Decimal(string: text, locale: Locale(identifier: "en_US_POSIX")) else {
            throw notANumber(decoder)
        }
        return value
    }

    private static func notANumber(_ decoder: any Decoder) -> DecodingError {
        .dataCorrupted(
            DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "Not a number."))
    }
}
