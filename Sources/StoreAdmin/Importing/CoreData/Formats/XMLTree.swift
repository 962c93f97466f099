/// An element of an XML document, with its attributes and its contents.
struct XMLTree: Sendable, Equatable {
    var name: String
    var attributes: [String: String] = [:]
    var children: [XMLTree] = []
    /// The text directly in the element, without that of its children.
    var text = ""

    subscript(attribute: String) -> String? { attributes[attribute] }

    /// Returns the children with a name.
    func children(named name: String) -> [XMLTree] { children.filter { $0.name == name } }
}

extension XMLTree {
    /// Reads a document in UTF-8.
    init(reading bytes: some Sequence<UInt8>) throws(FormatError) {
        var parser = XMLParsing(Array(bytes))
        self = try parser.root()
    }
}

/// Parses the part of XML that data models and property lists use: elements, attributes, text, character references and CDATA.
///
/// It skips comments, processing instructions and a document type without declarations, and rejects declarations, so that no entity can
/// expand. It isn't recursive, and limits the depth.
private struct XMLParsing {
    private static let maxDepth = 256

    private let bytes: [UInt8]
    private var place = 0
    private var open: [XMLTree] = []
    private var finished: XMLTree?

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func root() throws(FormatError) -> XMLTree {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { place = 3 }
        while place < bytes.count {
            if bytes[place] == UInt8(ascii: "<") {
                try readMarkup()
            } else {
                try readText()
            }
        }
        guard open.isEmpty, let finished else { throw error("the XML document is incomplete") }
        return finished
    }

    // MARK: Markup

    private mutating func readMarkup() throws(FormatError) {
        if skip("<!--") {
            _ = try text(until: "-->")
        } else if skip("<![CDATA[") {
            append(try text(until: "]]>"))
        } else if skip("<?") {
            _ = try text(until: "?>")
        } else if skip("<!DOCTYPE") {
            if try text(until: ">").contains("[") {
                throw error("the XML document declares entities or elements")
            }
        } else if skip("</") {
            try readEndTag()
        } else {
            place += 1
            try readStartTag()
        }
    }

    private mutating func readStartTag() throws(FormatError) {
        guard finished == nil else { throw error("the XML document has two roots") }
        guard open.count < Self.maxDepth else { throw error("the XML document is nested too deeply") }
        var element = XMLTree(name: try name())
        while true {
            skipSpace()
            if skip("/>") {
                open.append(element)
                return close()
            }
            if skip(">") { return open.append(element) }
            let name = try name()
            skipSpace()
            guard skip("=") else { throw error("an XML attribute has no value") }
            skipSpace()
            guard place < bytes.count, bytes[place] == UInt8(ascii: "\"") || bytes[place] == UInt8(ascii: "'")
            else {
                throw error("an XML attribute's value is not in quotes")
            }
            let quote = bytes[place]
            place += 1
            let start = place
            while place < bytes.count, bytes[place] != quote { place += 1 }
            guard place < bytes.count else { throw error("an XML attribute's value has no end") }
            guard element.attributes.updateValue(try decoded(bytes[start..<place]), forKey: name) == nil
            else {
                throw error("an XML attribute is written twice")
            }
            place += 1
        }
    }

    private mutating func readEndTag() throws(FormatError) {
        let name = try name()
        skipSpace()
        guard skip(">"), open.last?.name == name else { throw error("an XML element is not closed") }
        close()
    }

    private mutating func close() {
        guard let element = open.popLast() else { return }
        if open.isEmpty { finished = element } else { open[open.count - 1].children.append(element) }
    }

    // MARK: Text

    private mutating func readText() throws(FormatError) {
        let start = place
        while place < bytes.count, bytes[place] != UInt8(ascii: "<") { place += 1 }
        let text = try decoded(bytes[start..<place])
        guard !open.isEmpty || text.allSatisfy(\.isWhitespace) else {
            throw error("the XML document has text outside of its root")
        }
        append(text)
    }

    private mutating func append(_ text: String) {
        if !open.isEmpty { open[open.count - 1].text += text }
    }

    /// Returns a text with its character and entity references replaced.
    private func decoded(_ slice: ArraySlice<UInt8>) throws(FormatError) -> String {
        guard let text = String(validating: slice, as: UTF8.self) else {
            throw error("the XML document is not valid UTF-8")
        }
        guard text.contains("&") else { return text }
        var result = ""
        var rest = text[...]
        while let start = rest.firstIndex(of: "&") {
            result += rest[..<start]
            guard let end = rest[start...].firstIndex(of: ";"),
                let character = Self.character(rest[rest.index(after: start)..<end])
            else { throw error("the XML document has an unknown entity") }
            result.unicodeScalars.append(character)
            rest = rest[rest.index(after: end)...]
        }
        return result + rest
    }

    private static func character(_ reference: Substring) -> Unicode.Scalar? {
        switch reference {
        case "lt": "<"
        case "gt": ">"
        case "amp": "&"
        case "quot": "\""
        case "apos": "'"
        default:
            if reference.hasPrefix("#x") {
                UInt32(reference.dropFirst(2), radix: 16).flatMap(Unicode.Scalar.init)
            } else if reference.hasPrefix("#") {
                UInt32(reference.dropFirst()).flatMap(Unicode.Scalar.init)
            } else {
                nil
            }
        }
    }

    // MARK: Bytes

    private mutating func name() throws(FormatError) -> String {
        let start = place
        let ends = Array(" \t\r\n=/><\"'&".utf8)
        while place < bytes.count, !ends.contains(bytes[place]) { place += 1 }
        guard place > start, let name = String(validating: bytes[start..<place], as: UTF8.self) else {
            throw error("the XML document has a name that is not valid")
        }
        return name
    }

    private mutating func skip(_ text: StaticString) -> Bool {
        let matches = text.withUTF8Buffer { bytes[place...].starts(with: $0) }
        if matches { place += text.utf8CodeUnitCount }
        return matches
    }

    private mutating func skipSpace() {
        while place < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[place]) { place += 1 }
    }

    private mutating func text(until end: StaticString) throws(FormatError) -> String {
        let start = place
        while place < bytes.count {
            let last = place
            if skip(end) {
                guard let text = String(validating: bytes[start..<last], as: UTF8.self) else {
                    throw error("the XML document is not valid UTF-8")
                }
                return text
            }
            place += 1
        }
        throw error("the XML document is incomplete")
    }

    /// Returns an error with the line of the current place.
    private func error(_ message: String) -> FormatError {
        FormatError("line \(bytes[..<min(place, bytes.count)].count { $0 == 0x0A } + 1): \(message)")
    }
}
