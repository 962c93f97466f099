import ContextCore

/// Reads the values of attributes in the form of an export, which `query` and `get` print too.
enum AttributeForm {
    /// A value that doesn't have the form of its attribute.
    enum Misfit: Error {
        /// The composite has no such part.
        case unknownPart(JSONMember)
        /// The attribute, or the part of a composite, needs another form.
        case form(name: String, form: String, JSONNode)
    }

    /// Returns the values of an attribute's columns, by their offset; a composite's columns are those of the parts that are given.
    static func columns(_ node: JSONNode, of attribute: AttributeDescription) throws(Misfit) -> [Int:
        StoredValue]
    {
        guard case .composite(let parts) = attribute.type else { return [0: try value(node, of: attribute)] }
        guard case .object(let members) = node.content else {
            throw .form(name: attribute.name, form: "an object", node)
        }
        var values: [Int: StoredValue] = [:]
        for member in members {
            guard let index = parts.firstIndex(where: { $0.name == member.name }) else {
                throw .unknownPart(member)
            }
            values[index] = try value(member.value, of: parts[index])
        }
        return values
    }

    /// Returns the value of an attribute that is no composite, or of a part of one.
    static func value(_ node: JSONNode, of attribute: AttributeDescription) throws(Misfit) -> StoredValue {
        if case .null = node.content { return .null }
        if let value = StoredValue(fileNode: node, of: attribute.type) { return value }
        throw .form(name: attribute.name, form: attribute.type.fileForm, node)
    }
}
