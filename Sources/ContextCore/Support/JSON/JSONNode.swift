/// One value of a JSON text, with its place there.
package struct JSONNode: Sendable {
    /// What a value can be.
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
    /// Where it begins.
    package let position: JSONPosition

    /// Names the kind of value, for messages.
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

    /// Whether a name or a string anywhere in it contains the character NUL.
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

/// One member of a JSON object.
package struct JSONMember: Sendable {
    /// The name.
    package let name: String
    /// Where the name stands.
    package let position: JSONPosition
    /// The value.
    package let value: JSONNode
}
