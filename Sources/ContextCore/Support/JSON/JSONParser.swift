/// A JSON parser for valid UTF-8.
struct JSONParser {
    /// The maximum nesting level.
    static let maximumDepth = 128
    static let digits = UInt8(ascii: "0")...UInt8(ascii: "9")

    /// The text, which must outlive the parser.
    ///
    /// Callers make and use a parser inside `withUTF8`.
    let bytes: UnsafeBufferPointer<UInt8>
    /// Whether comments and trailing commas are allowed.
    private let allowsComments: Bool
    var offset = 0
    private var line = 1
    private var lineStart = 0
    /// The number of UTF-8 continuation bytes in the line so far, so that columns count scalars.
    var continuationBytes = 0
    private var depth = 0

    init(_ bytes: UnsafeBufferPointer<UInt8>, allowsComments: Bool = false) {
        self.bytes = bytes
        self.allowsComments = allowsComments
    }

    /// The current position.
    var position: JSONPosition {
        JSONPosition(line: line, column: offset - lineStart - continuationBytes + 1)
    }

    /// The current byte; nil at the end.
    var next: UInt8? { offset < bytes.count ? bytes[offset] : nil }

    mutating func parseDocument() throws(JSONSyntaxError) -> JSONNode {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
            throw JSONSyntaxError(
                "The text starts with a byte order mark: save it without one.", at: position)
        }
        skipSpace()
        guard next != nil else {
            throw JSONSyntaxError("The text is empty: write a JSON value.", at: position)
        }
        let root = try parseValue()
        skipSpace()
        guard next == nil else {
            throw JSONSyntaxError("Expected the end of the text, found \(foundDescription).", at: position)
        }
        return root
    }

    private mutating func parseValue() throws(JSONSyntaxError) -> JSONNode {
        let start = position
        let content: JSONNode.Content
        switch next {
        case UInt8(ascii: "{"):
            content = .object(
                try parseNested { (parser) throws(JSONSyntaxError) in try parser.parseMembers() })
        case UInt8(ascii: "["):
            content = .array(
                try parseNested { (parser) throws(JSONSyntaxError) in try parser.parseElements() })
        case UInt8(ascii: "\""): content = .string(try parseString())
        case let byte? where byte == UInt8(ascii: "-") || Self.digits.contains(byte):
            content = .number(try parseNumber())
        default: content = try parseWord()
        }
        return JSONNode(content: content, position: start)
    }

    private mutating func parseNested<Value>(
        _ parse: (inout JSONParser) throws(JSONSyntaxError) -> [Value]
    ) throws(JSONSyntaxError) -> [Value] {
        guard depth < Self.maximumDepth else {
            throw JSONSyntaxError(
                "The values are nested more than \(Self.maximumDepth) levels deep.", at: position,
                isNestedTooDeeply: true)
        }
        depth += 1
        defer { depth -= 1 }
        offset += 1
        return try parse(&self)
    }

    private mutating func parseMembers() throws(JSONSyntaxError) -> [JSONMember] {
        var members: [JSONMember] = []
        var positions: [String: JSONPosition] = [:]
        skipSpace()
        if skip("}") { return members }
        while true {
            let start = position
            guard next == UInt8(ascii: "\"") else {
                throw JSONSyntaxError(
                    "Expected a name in double quotes, found \(foundDescription).", at: start)
            }
            let name = try parseString()
            if let first = positions.updateValue(start, forKey: name) {
                throw JSONSyntaxError(
                    "“\(name)” occurs twice in this object, first in line \(first.line): remove one.",
                    at: start)
            }
            skipSpace()
            guard skip(":") else {
                throw JSONSyntaxError(
                    "Expected a colon after the name, found \(foundDescription).", at: position)
            }
            skipSpace()
            members.append(JSONMember(name: name, position: start, value: try parseValue()))
            if try consumeSeparator(closing: "}") { return members }
        }
    }

    private mutating func parseElements() throws(JSONSyntaxError) -> [JSONNode] {
        var elements: [JSONNode] = []
        skipSpace()
        if skip("]") { return elements }
        while true {
            elements.append(try parseValue())
            if try consumeSeparator(closing: "]") { return elements }
        }
    }

    /// Consumes a comma, or the closing bracket; returns whether it was the bracket.
    private mutating func consumeSeparator(closing bracket: Unicode.Scalar) throws(JSONSyntaxError) -> Bool {
        skipSpace()
        if skip(bracket) { return true }
        let comma = position
        guard skip(",") else {
            throw JSONSyntaxError(
                "Expected a comma or “\(bracket)”, found \(foundDescription).", at: position)
        }
        skipSpace()
        if next == UInt8(ascii: bracket) {
            if allowsComments { return skip(bracket) }
            throw JSONSyntaxError("A comma isn't allowed before “\(bracket)”: remove it.", at: comma)
        }
        return false
    }

    private mutating func parseWord() throws(JSONSyntaxError) -> JSONNode.Content {
        for (word, content) in [
            ("true", JSONNode.Content.bool(true)), ("false", .bool(false)), ("null", .null),
        ]
        where bytes[offset...].starts(with: word.utf8) {
            offset += word.utf8.count
            return content
        }
        throw JSONSyntaxError("Expected a value, found \(foundDescription).", at: position)
    }

    private mutating func skip(_ scalar: Unicode.Scalar) -> Bool {
        guard next == UInt8(ascii: scalar) else { return false }
        offset += 1
        return true
    }

    private mutating func skipSpace() {
        while let byte = next {
            switch byte {
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"): offset += 1
            case UInt8(ascii: "\n"): beginLine()
            case UInt8(ascii: "/") where allowsComments:
                if !skipComment() { return }
            default: return
            }
        }
    }

    private mutating func beginLine() {
        offset += 1
        line += 1
        lineStart = offset
        continuationBytes = 0
    }

    /// Skips a comment; returns false if there is none or it is unterminated.
    private mutating func skipComment() -> Bool {
        let rest = bytes[offset...]
        if rest.starts(with: "//".utf8) {
            while let byte = next, byte != UInt8(ascii: "\n") { skipByte(byte) }
            return true
        }
        guard rest.starts(with: "/*".utf8), let end = Self.end(ofCommentIn: rest) else { return false }
        while offset < end, let byte = next { skipByte(byte) }
        return true
    }

    private mutating func skipByte(_ byte: UInt8) {
        if byte == UInt8(ascii: "\n") { return beginLine() }
        if byte & 0xC0 == 0x80 { continuationBytes += 1 }
        offset += 1
    }

    private static func end(ofCommentIn text: Slice<UnsafeBufferPointer<UInt8>>) -> Int? {
        var offset = text.startIndex + 2
        while offset + 1 < text.endIndex {
            if text[offset] == UInt8(ascii: "*"), text[offset + 1] == UInt8(ascii: "/") { return offset + 2 }
            offset += 1
        }
        return nil
    }

    /// A description of the current character, for messages.
    var foundDescription: String {
        guard let byte = next else { return "the end of the text" }
        if allowsComments, bytes[offset...].starts(with: "/*".utf8) { return "an unterminated comment" }
        if byte == UInt8(ascii: "/") || byte == UInt8(ascii: "#") {
            return allowsComments
                ? "“\(Character(Unicode.Scalar(byte)))” (a comment starts with //)"
                : "a comment, which JSON doesn't allow"
        }
        let rest = String(decoding: bytes[offset..<min(offset + 4, bytes.count)], as: UTF8.self)
        guard let scalar = rest.unicodeScalars.first, scalar.properties.generalCategory != .control else {
            return "a control character"
        }
        return "“\(scalar)”"
    }
}
