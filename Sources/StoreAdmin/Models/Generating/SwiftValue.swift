import ContextCore
import Foundation

/// Swift expressions for the values of a model: defaults, and the bounds of rules.
struct SwiftValue {
    let types: GeneratedTypes

    /// Returns an expression for a value; nil if Swift's types can't represent it.
    ///
    /// - Parameter isOptional: Whether the expression may be optional.
    func expression(_ value: StoredValue, of type: AttributeType, isOptional: Bool) -> SwiftCode? {
        switch (value, type) {
        case (.null, _): return isOptional ? .text("nil") : nil
        case (.string(let text), .codable):
            return (try? JSONDocument(text)).flatMap { Self.json(JSONValue($0.root)) }
                .map { $0.prefixed(GeneratedTypes.json) }
        case (.composite(let values), .composite(let parts)):
            return composite(values, of: parts)
        case (.string(let text), .url):
            guard URL(string: text)?.absoluteString == text else { return nil }
            return made("URL", "string:", SwiftText.literal(text), isOptional)
        case (.data(let data), _):
            return data.isEmpty
                ? .text("\(types.standard("Data"))()")
                : made("Data", "base64Encoded:", "\"\(data.base64EncodedString())\"", isOptional)
        case (.uuid(let uuid), _):
            return made("UUID", "uuidString:", "\"\(uuid.uuidString)\"", isOptional)
        case (.decimal(let number), _):
            if Self.isExactLiteral(number) { return .text("\(number)") }
            return made("Decimal", "string:", "\"\(number)\"", isOptional)
        case (.string(let text), _): return .text(SwiftText.literal(text))
        case (.bool(let value), _): return .text("\(value)")
        default: return bound(value, of: type).map(SwiftCode.text)
        }
    }

    /// Returns an expression for a number or a date; nil if Swift's types can't represent it.
    func bound(_ value: StoredValue, of type: AttributeType) -> String? {
        switch value {
        case .int(let number): return "\(number)"
        case .double(let number):
            if number.isInfinite { return (number > 0 ? "" : "-") + types.standard("Double") + ".infinity" }
            let text = type == .float ? "\(Float(number))" : "\(number)"
            return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
        case .decimal(let number):
            return Self.isExactLiteral(number)
                ? "\(number)" : "(\(types.standard("Decimal"))(string: \"\(number)\") ?? .placeholder)"
        case .timestamp(let microseconds):
            guard Date(microseconds: microseconds).microseconds == microseconds else { return nil }
            return "\(types.standard("Date"))(microseconds: \(Self.grouped(microseconds)))"
        case .null, .bool, .string, .data, .uuid, .composite: return nil
        }
    }

    /// Returns a number with underscores between groups of three digits.
    private static func grouped(_ number: Int64) -> String {
        var digits = "\(number.magnitude)"[...]
        var groups: [Substring] = []
        while !digits.isEmpty {
            groups.insert(digits.suffix(3), at: 0)
            digits = digits.dropLast(3)
        }
        return (number < 0 ? "-" : "") + groups.joined(separator: "_")
    }

    /// Whether a literal is exactly the number: Swift converts literals with a fraction through a double.
    private static func isExactLiteral(_ number: Decimal) -> Bool {
        "\(number)".filter(\.isNumber).count <= 15
    }

    /// Returns a call of an initializer that is optional but succeeds.
    private func made(_ type: String, _ label: String, _ argument: String, _ isOptional: Bool)
        -> SwiftCode
    {
        let call = SwiftCode.call(types.standard(type) + "(", [.labeled(label, .text(argument))], ")")
        return isOptional ? call : .operation(call, "?? .placeholder")
    }

    private func composite(_ values: [StoredValue], of parts: [AttributeDescription]) -> SwiftCode? {
        let pairs = zip(parts, values).filter { CompositeSource.canExpress($0.0) }
        let arguments = pairs.compactMap { part, value in
            expression(value, of: part.type, isOptional: part.isOptional)
                .map { SwiftCode.labeled("\(SwiftText.label(part.name)):", $0) }
        }
        return arguments.count == pairs.count
            ? .call(SwiftText.name(types.compositeName(parts)) + "(", arguments, ")") : nil
    }

    /// Returns a case of ``GeneratedTypes/json``; nil if a number is out of its range.
    private static func json(_ value: JSONValue) -> SwiftCode? {
        switch value {
        case .null: return .text(".null")
        case .bool(let value): return .text(".bool(\(value))")
        case .string(let text): return .call(".string(", [.text(SwiftText.literal(text))], ")")
        case .number(let text):
            if let number = Int64(text) { return .text(".integer(\(number))") }
            guard let number = Double(text), number.isFinite else { return nil }
            return .text(".number(\(number))")
        case .array(let values):
            let elements = values.compactMap(json)
            return elements.count == values.count ? .array(".array([", elements, "])") : nil
        case .object(let members):
            if members.isEmpty { return .text(".object([:])") }
            let elements = members.sortedByBytes(of: \.key).compactMap { name, value in
                json(value).map { SwiftCode.labeled("\(SwiftText.literal(name)):", $0) }
            }
            return elements.count == members.count ? .array(".object([", elements, "])") : nil
        }
    }
}
