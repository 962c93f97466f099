import ContextCore

/// Reads the members of a command's document, for a command that puts several of them together.
extension JSONValue {
    /// A member of an object; null where there is none.
    subscript(name: String) -> JSONValue { members?[name] ?? .null }

    var members: [String: JSONValue]? {
        if case .object(let members) = self { members } else { nil }
    }

    var elements: [JSONValue]? {
        if case .array(let elements) = self { elements } else { nil }
    }

    var stringValue: String? {
        if case .string(let text) = self { text } else { nil }
    }

    var intValue: Int? {
        if case .number(let text) = self { Int(text) } else { nil }
    }

    var stringValues: [String]? { elements?.compactMap(\.stringValue) }
}
