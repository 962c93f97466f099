import Foundation

/// A JSON text taken apart, with the place of everything in it.
///
/// It takes what RFC 8259 calls JSON and nothing else: no name twice in an object, and at most 128 values inside one another.
/// Comments and trailing commas are taken only where the reader of the text says so.
package struct JSONDocument: Sendable {
    /// The whole text's value.
    package let root: JSONNode

    /// Takes a text apart.
    ///
    /// - Parameter allowsComments: Whether comments, begun by `//` or between `/*` and `*/`, and trailing commas are taken.
    package init(_ text: String, allowsComments: Bool = false) throws(JSONSyntaxError) {
        var text = text
        let parsed = text.withUTF8 { bytes in
            var parser = JSONParser(bytes, allowsComments: allowsComments)
            return Result { () throws(JSONSyntaxError) in try parser.parseDocument() }
        }
        root = try parsed.get()
    }

    /// Takes a file's contents apart, which must be UTF-8.
    package init(_ data: Data, allowsComments: Bool = false) throws(JSONSyntaxError) {
        guard let text = String(validating: data, as: UTF8.self) else {
            throw JSONSyntaxError(
                "The file isn't UTF-8 from here on: save it with that encoding.",
                at: Self.position(ofInvalid: data))
        }
        try self.init(text, allowsComments: allowsComments)
    }

    /// Takes a file apart; one that can't be read is wrong in the place of its first character.
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
