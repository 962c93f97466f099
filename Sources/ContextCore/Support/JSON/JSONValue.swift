/// A JSON value for output.
package indirect enum JSONValue: Sendable, Hashable {
    case null
    case bool(Bool)
    /// A number in its text form.
    case number(String)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])

    /// Converts a parsed value, whose numbers keep their text form.
    package init(_ node: JSONNode) {
        self =
            switch node.content {
            case .null: .null
            case .bool(let value): .bool(value)
            case .number(let number): .number(number.text)
            case .string(let text): .string(text)
            case .array(let nodes): .array(nodes.map(JSONValue.init))
            case .object(let members):
                .object(
                    Dictionary(
                        members.map { ($0.name, JSONValue($0.value)) },
                        uniquingKeysWith: { first, _ in first }
                    ))
            }
    }

    /// Makes a number.
    package static func int(_ value: Int) -> JSONValue { .number(String(value)) }

    /// The value on one line without spaces, with names sorted by their bytes.
    package var text: String {
        var text = ""
        write(to: &text, expanding: 0, indent: "", spaced: false)
        return text
    }

    /// Formats the value with names sorted by their bytes and with one line per member, down to a nesting level.
    package func text(expanding levels: Int) -> String {
        var text = ""
        write(to: &text, expanding: levels, indent: "", spaced: true)
        return text + "\n"
    }

    private func write(to text: inout String, expanding levels: Int, indent: String, spaced: Bool) {
        switch self {
        case .null: text += "null"
        case .bool(let value): text += value ? "true" : "false"
        case .number(let number): text += number
        case .string(let value): Self.writeQuoted(value, to: &text)
        case .array(let values):
            write(values, "[", "]", to: &text, expanding: levels, indent: indent, spaced: spaced) {
                $0.write(to: &$1, expanding: levels - 1, indent: indent + "  ", spaced: spaced)
            }
        case .object(let members):
            let sorted = members.sortedByBytes(of: \.key)
            write(sorted, "{", "}", to: &text, expanding: levels, indent: indent, spaced: spaced) {
                Self.writeQuoted($0.key, to: &$1)
                $1 += spaced ? ": " : ":"
                $0.value.write(to: &$1, expanding: levels - 1, indent: indent + "  ", spaced: spaced)
            }
        }
    }

    private func write<Element>(
        _ elements: [Element], _ open: String, _ close: String, to text: inout String,
        expanding levels: Int, indent: String, spaced: Bool, writing: (Element, inout String) -> Void
    ) {
        let isExpanded = levels > 0 && !elements.isEmpty
        text += open
        for (index, element) in elements.enumerated() {
            if index > 0 { text += isExpanded || !spaced ? "," : ", " }
            if isExpanded { text += "\n\(indent)  " }
            writing(element, &text)
        }
        if isExpanded { text += "\n\(indent)" }
        text += close
    }

    private static func writeQuoted(_ value: String, to text: inout String) {
        text += "\""
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            case "\r": text += "\\r"
            case "\t": text += "\\t"
            case "\u{8}": text += "\\b"
            case "\u{C}": text += "\\f"
            case "\0"..<" ":
                let digits = String(scalar.value, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: text.unicodeScalars.append(scalar)
            }
        }
        text += "\""
    }
}
