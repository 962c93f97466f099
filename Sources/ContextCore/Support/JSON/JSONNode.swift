/// A value of a JSON text, with its position.
package struct JSONNode: Sendable {
    /// The type of a value, with its contents.
    package enum Content: Sendable {
        case null
        case bool(Bool)
        case number(JSONNumber)
        case string(String)
        case array([JSONNode])
        case object([JSONMember])
    }

    /// The value.
    package let content: Content
    /// The position of the value's first character.
    package let position: JSONPosition

    /// The value's type, for messages.
    package var kindName: String {
        switch content {
        case .null: "null"
        case .bool: "true or false"
        case .number: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }

    /// Whether any name or string in the value contains the character NUL.
    var containsNUL: Bool {
        switch content {
        case .null, .bool, .number: false
        case .string(let text): text.containsNUL
        case .array(let nodes): nodes.contains(where: \.containsNUL)
        case .object(let members):
            members.contains { $0.name.containsNUL || $0.value.containsNUL }
        }
    }
}

/// A member of a JSON object.
package struct JSONMember: Sendable {
    /// The name.
    package let name: String
    /// The position of the name.
    package let position: JSONPosition
    /// The value.
    package let value: JSONNode
}
