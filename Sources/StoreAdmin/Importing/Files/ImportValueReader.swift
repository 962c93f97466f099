import ContextCore
import Foundation

/// Converts texts and JSON values of an imported file to the values of attributes.
struct ImportValueReader: Sendable {
    private let datePattern: DatePattern?
    private let nullTexts: Set<String>
    /// The length of the longest text that means null, so that most texts needn't be looked up.
    private let longestNullText: Int

    /// - Parameters:
    ///   - datePattern: The pattern of dates; nil for ISO 8601.
    ///   - nullTexts: Unquoted texts that mean null.
    init(datePattern: DatePattern? = nil, nullTexts: Set<String> = [""]) {
        self.datePattern = datePattern
        self.nullTexts = nullTexts
        longestNullText = nullTexts.map(\.utf8.count).max() ?? -1
    }

    /// A value that doesn't have the form of its attribute.
    struct Failure: Error, Equatable {
        /// What the value must be.
        let form: String
    }

    // MARK: Text

    /// Returns the value of a field; null for an unquoted text that means null.
    func value(_ field: CSVReader.Field, of type: AttributeType) throws(Failure) -> StoredValue {
        if !field.isQuoted, field.text.utf8.count <= longestNullText, nullTexts.contains(field.text) {
            return .null
        }
        return try value(field.text, of: type)
    }

    /// Returns the value that a text means.
    func value(_ text: String, of type: AttributeType) throws(Failure) -> StoredValue {
        if let value = parse(text, type) { return value }
        if type != .date { throw Failure(form: type.textForm) }
        throw Failure(
            form: datePattern == nil
                ? "\(type.textForm), unless --date-format names another form"
                : "a date of the form of --date-format")
    }

    private func parse(_ text: String, _ type: AttributeType) -> StoredValue? {
        switch type {
        case .string, .url: .string(text)
        case .bool: Self.bool(text.trimmingSpaces.lowercased()).map(StoredValue.bool)
        case .int16, .int32, .int64: Int64(text.trimmingSpaces).map(StoredValue.int)
        case .float, .double, .decimal: Self.number(text.trimmingSpaces, type)
        case .date:
            (datePattern.map { $0.microseconds(of: text.trimmingSpaces) }
                ?? CivilTime.microseconds(of: text.trimmingSpaces))
                .map { .timestamp(microseconds: $0) }
        case .uuid: UUID(uuidString: text.trimmingSpaces).map(StoredValue.uuid)
        case .data: Data(base64Encoded: text).map(StoredValue.data)
        case .codable: (try? JSONDocument(text)).map { .string(JSONValue($0.root).text) }
        case .composite: nil
        }
    }

    private static func bool(_ text: String) -> Bool? {
        switch text {
        case "true", "t", "yes", "y", "1": true
        case "false", "f", "no", "n", "0": false
        default: nil
        }
    }

    /// Returns the number that a text means.
    ///
    /// It is read as JSON, but may also have a plus sign, leading zeros, and no zero before the point.
    private static func number(_ text: String, _ type: AttributeType) -> StoredValue? {
        var digits = text.utf8[...]
        let isNegative = digits.first == UInt8(ascii: "-")
        if isNegative || digits.first == UInt8(ascii: "+") { digits = digits.dropFirst() }
        let decimalDigits = UInt8(ascii: "0")...UInt8(ascii: "9")
        while digits.first == UInt8(ascii: "0"), let next = digits.dropFirst().first,
            decimalDigits.contains(next)
        {
            digits = digits.dropFirst()
        }
        guard let first = digits.first else { return nil }
        if !decimalDigits.contains(first), first != UInt8(ascii: ".") {
            let isInfinity = ["infinity", "inf"].contains(Substring(digits).lowercased())
            guard isInfinity, type == .float || type == .double else { return nil }
            return .double(isNegative ? -.infinity : .infinity)
        }
        guard
            let document = try? JSONDocument(
                (isNegative ? "-" : "") + (first == UInt8(ascii: ".") ? "0" : "") + Substring(digits))
        else { return nil }
        return StoredValue(fileNode: document.root, of: type)
    }

    // MARK: JSON

    /// Returns the value of a JSON node, whose strings may also be in the form of a field.
    func value(_ node: JSONNode, of type: AttributeType) throws(Failure) -> StoredValue {
        if case .null = node.content { return .null }
        if case .string(let text) = node.content, type != .codable { return try value(text, of: type) }
        if let value = StoredValue(fileNode: node, of: type) { return value }
        throw Failure(form: type.textForm)
    }
}

extension AttributeType {
    /// The form of the type's values in a text file, for messages.
    var textForm: String {
        switch self {
        case .bool: "true or false"
        case .int16, .int32, .int64: "a whole number of at most 64 bits"
        case .float, .double: "a number"
        case .decimal: "a number of at most 38 digits"
        case .string: "text"
        case .url: "a URL"
        case .data: "bytes in base64"
        case .date: "a date such as 2026-08-01 or 2026-08-01T12:00:00Z"
        case .uuid: "a UUID"
        case .codable: "JSON"
        case .composite: "a value for each part"
        }
    }
}
