/// The spelling of names and strings in Swift.
enum SwiftText {
    /// The words that can't be the name of a declaration, an argument or a variable without backticks.
    private static let keywords: Set<String> = [
        "Any", "Protocol", "Self", "Type", "as", "associatedtype", "await", "break", "case", "catch", "class",
        "continue", "default", "defer", "deinit", "do", "else", "enum", "extension", "fallthrough", "false",
        "fileprivate", "for", "func", "guard", "if", "import", "in", "init", "inout", "internal", "is", "let",
        "nil", "operator", "precedencegroup", "private", "protocol", "public", "repeat", "rethrows", "return",
        "self", "static", "struct", "subscript", "super", "switch", "throw", "throws", "true", "try",
        "typealias", "var", "where", "while",
    ]

    /// Returns a name as Swift spells it: in backticks if it is a keyword.
    static func name(_ name: String) -> String { keywords.contains(name) ? "`\(name)`" : name }

    /// Returns a name as the label of an argument, where Swift requires backticks for few keywords.
    static func label(_ name: String) -> String {
        name == "inout" ? "`\(name)`" : name
    }

    /// Returns the key path to a property without its class: `\.address.city`.
    static func keyPath(_ path: String) -> String {
        #"\."# + path.split(separator: ".").map { name(String($0)) }.joined(separator: ".")
    }

    /// Returns a string literal: a raw one, which needs no escapes, if the text has backslashes or quotation marks only.
    static func literal(_ text: String) -> String {
        let needsEscapes = text.unicodeScalars.contains(where: isInvisible)
        guard !needsEscapes, text.contains(where: { #"\""#.contains($0) }) else {
            return "\"" + text.unicodeScalars.map(escaped).joined() + "\""
        }
        var pounds = "#"
        while text.contains("\"\(pounds)") || text.contains("\\\(pounds)") { pounds += "#" }
        return "\(pounds)\"\(text)\"\(pounds)"
    }

    private static func escaped(_ scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "\\", "\"": "\\\(scalar)"
        case "\n": "\\n"
        case "\r": "\\r"
        case "\t": "\\t"
        case _ where isInvisible(scalar): "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
        default: "\(scalar)"
        }
    }

    /// Whether a scalar would end a line, or would not be seen in a source.
    private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned: true
        default: false
        }
    }
}
