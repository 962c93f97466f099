import Foundation

extension StoredValue {
    /// Returns the value in the form that a model file has for an attribute of the type.
    package func fileValue(of type: AttributeType) -> JSONValue {
        switch (self, type) {
        case (.null, _): .null
        case (.bool(let value), _): .bool(value)
        case (.int(let value), _): .number(String(value))
        case (.double(let value), .float): Self.fileValue(of: Float(value))
        case (.double(let value), _): Self.fileValue(of: value)
        case (.decimal(let value), _): .number(value.description)
        case (.string(let text), .codable):
            (try? JSONDocument(text)).map { JSONValue($0.root) } ?? .string(text)
        case (.string(let text), _): .string(text)
        case (.data(let data), _): .string(data.base64EncodedString())
        case (.timestamp(let microseconds), _): .string(CivilTime(microseconds: microseconds).text)
        case (.uuid(let uuid), _): .string(uuid.uuidString)
        case (.composite(let values), .composite(let parts)):
            .object(
                Dictionary(
                    zip(parts, values).filter { !$1.isNull }.map { ($0.name, $1.fileValue(of: $0.type)) },
                    uniquingKeysWith: { first, _ in first }))
        case (.composite, _): .null
        }
    }

    private static func fileValue(of number: some BinaryFloatingPoint) -> JSONValue {
        if number.isInfinite { return .string(number > 0 ? "infinity" : "-infinity") }
        let text = "\(number)"
        return .number(text.hasSuffix(".0") ? String(text.dropLast(2)) : text)
    }

    /// Returns the 32-bit number whose shortest decimal form is that of a 64-bit number: `Float(0.1)` for 0.1.
    ///
    /// Any other number is returned as it is; the attribute then rejects it unless 32 bits represent it exactly.
    private static func exactFloat(_ number: Double) -> Double {
        let float = Float(number)
        return float.isFinite && Double("\(float)") == number ? Double(float) : number
    }

    /// Reads the value of an attribute from a model file; returns nil if it doesn't have the form of the type.
    package init?(fileNode node: JSONNode, of type: AttributeType) {
        switch (node.content, type) {
        case (_, .codable): self = .string(JSONValue(node).text)
        case (.bool(let value), .bool): self = .bool(value)
        case (.number(let number), .int16), (.number(let number), .int32), (.number(let number), .int64):
            guard let value = number.int64 else { return nil }
            self = .int(value)
        case (.number(let number), .float):
            guard let value = number.double.map(Self.exactFloat) else { return nil }
            self = value.storedValue
        case (.number(let number), .double):
            guard let value = number.double else { return nil }
            self = value.storedValue
        case (.string("infinity"), .float), (.string("infinity"), .double): self = .double(.infinity)
        case (.string("-infinity"), .float), (.string("-infinity"), .double): self = .double(-.infinity)
        case (.number(let number), .decimal):
            guard let value = number.decimal else { return nil }
            self = .decimal(value)
        case (.string(let text), .string), (.string(let text), .url): self = .string(text)
        case (.string(let text), .data):
            guard let data = Data(base64Encoded: text) else { return nil }
            self = .data(data)
        case (.string(let text), .date):
            guard let microseconds = CivilTime.microseconds(of: text) else { return nil }
            self = .timestamp(microseconds: microseconds)
        case (.string(let text), .uuid):
            guard let uuid = UUID(uuidString: text) else { return nil }
            self = .uuid(uuid)
        default: return nil
        }
    }
}

extension AttributeType {
    /// The form of the type's values in a model file, for messages.
    package var fileForm: String {
        switch self {
        case .bool: "true or false"
        case .int16, .int32, .int64: "a whole number of at most 64 bits"
        case .float, .double: "a number, “infinity” or “-infinity”"
        case .decimal: "a number of at most 38 digits"
        case .string: "a string"
        case .url: "a string with a URL"
        case .data: "a string with bytes in base64"
        case .date: "a string with a date and time such as “2026-08-01T12:00:00Z”"
        case .uuid: "a string with a UUID"
        case .codable: "any value"
        case .composite: "an object with a value for each part"
        }
    }
}
