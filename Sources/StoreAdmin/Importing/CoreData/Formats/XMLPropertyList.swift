import Foundation

/// Reads property lists in XML.
enum XMLPropertyList {
    /// Returns the root of a list.
    static func value(of data: Data) throws(FormatError) -> PropertyListValue {
        let root = try XMLTree(reading: data)
        guard root.name == "plist", root.children.count == 1 else {
            throw FormatError("it is not a property list")
        }
        return try value(root.children[0])
    }

    private static func value(_ element: XMLTree) throws(FormatError) -> PropertyListValue {
        let text = element.text.trimmingSpaces
        switch element.name {
        case "string": return .string(element.text)
        case "true": return .bool(true)
        case "false": return .bool(false)
        case "integer": if let number = Int64(text) { return .int(number) }
        case "real": if let number = Double(text) { return .real(number) }
        case "date":
            if let date = try? Date(text, strategy: .iso8601) {
                return .date(date.timeIntervalSinceReferenceDate)
            }
        case "data":
            if let data = Data(base64Encoded: text, options: .ignoreUnknownCharacters) { return .data(data) }
        case "array":
            var values: [PropertyListValue] = []
            for child in element.children { values.append(try value(child)) }
            return .array(values)
        case "dict": return .dictionary(try members(element.children))
        default: break
        }
        throw FormatError("the property list has a value that is not valid: <\(element.name)>")
    }

    private static func members(_ children: [XMLTree]) throws(FormatError) -> [String: PropertyListValue] {
        var members: [String: PropertyListValue] = [:]
        for index in stride(from: 0, to: children.count, by: 2) {
            guard children[index].name == "key", index + 1 < children.count else {
                throw FormatError("a dictionary of the property list is incomplete")
            }
            members[children[index].text] = try value(children[index + 1])
        }
        return members
    }
}
