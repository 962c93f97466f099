import ContextCore

/// Access to the members of a command's document, for a command that combines several documents.
extension JSONValue {
    /// The member of an object with a name; null if there is none.
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
