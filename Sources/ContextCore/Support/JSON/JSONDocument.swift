import Foundation

/// A parsed JSON text, with the position of every value.
///
/// The parser accepts only JSON as defined by RFC 8259, without duplicate names in an object and with at most 128 nesting levels.
/// Comments and trailing commas are accepted only if the caller allows them.
package struct JSONDocument: Sendable {
    /// The top-level value.
    package let root: JSONNode

    /// Parses a text.
    ///
    /// - Parameter allowsComments: Whether comments (`//` and `/* */`) and trailing commas are allowed.
    package init(_ text: String, allowsComments: Bool = false) throws(JSONSyntaxError) {
        var text = text
        let parsed = text.withUTF8 { bytes in
            var parser = JSONParser(bytes, allowsComments: allowsComments)
            return Result { () throws(JSONSyntaxError) in try parser.parseDocument() }
        }
        root = try parsed.get()
    }

    /// Parses the contents of a file, which must be UTF-8.
    package init(_ data: Data, allowsComments: Bool = false) throws(JSONSyntaxError) {
        guard let text = String(validating: data, as: UTF8.self) else {
            throw JSONSyntaxError(
                "The file contains bytes that aren't UTF-8: save it as UTF-8.",
                at: Self.position(ofInvalid: data))
        }
        try self.init(text, allowsComments: allowsComments)
    }

    /// Parses a file; if it can't be read, the error has the position of the first character.
    init(contentsOf file: URL, allowsComments: Bool = false) throws(JSONSyntaxError) {
        let data: Data
        do {
            data = try Data(contentsOf: file)
        } catch {
            throw JSONSyntaxError(
                "The file can't be read: \(error.localizedDescription)", at: JSONPosition(line: 1, column: 1))
        }
        try self.init(data, allowsComments: allowsComments)
    }

    private static func position(ofInvalid data: Data) -> JSONPosition {
        let repaired = String(decoding: data, as: UTF8.self).unicodeScalars
        let original = Array(data)
        var offset = 0
        var position = JSONPosition(line: 1, column: 1)
        for scalar in repaired {
            let bytes = Array(UTF8.encode(scalar).map(Array.init) ?? [])
            guard original[offset...].starts(with: bytes) else { break }
            offset += bytes.count
            position =
                scalar == "\n"
                ? JSONPosition(line: position.line + 1, column: 1)
                : JSONPosition(line: position.line, column: position.column + 1)
        }
        return position
    }
}
