/// The text of a predicate can't be read.
///
/// ```
/// Column 9: a value was expected after ">", not "AND".
///     score > AND name = "Ann"
///             ^
/// ```
public struct PredicateSyntaxError: Error, Hashable, Sendable {
    /// What is wrong, as a sentence without a full stop.
    public let message: String
    /// What the text may have been meant to say.
    public let suggestion: String?
    /// The line, from 1.
    public let line: Int
    /// The column in Unicode scalars, from 1.
    public let column: Int
    /// The text of that line.
    public let text: String

    /// Places an error in a text.
    init(_ message: String, at offset: Int, in bytes: [UInt8], suggestion: String? = nil) {
        let newline = UInt8(ascii: "\n")
        let end = min(offset, bytes.count)
        let lineStart = bytes[..<end].lastIndex(of: newline).map { $0 + 1 } ?? 0
        let lineEnd = bytes[lineStart...].firstIndex(of: newline) ?? bytes.count
        self.message = message
        self.suggestion = suggestion
        line = 1 + bytes[..<lineStart].count { $0 == newline }
        column = 1 + bytes[lineStart..<end].count { $0 & 0xC0 != 0x80 }
        text = String(decoding: bytes[lineStart..<lineEnd], as: UTF8.self)
    }
}

extension PredicateSyntaxError: CustomStringConvertible, CustomDebugStringConvertible {
    /// One sentence with the place and what is wrong there.
    public var description: String {
        let place = line == 1 ? "Column \(column)" : "Line \(line), column \(column)"
        let hint = suggestion.map { " \($0)" } ?? ""
        return "\(place): \(message).\(hint)"
    }

    /// The sentence, and beneath it the text with a caret at the place.
    public var detailedDescription: String {
        let caret = String(repeating: " ", count: column - 1) + "^"
        return "\(description)\n    \(text)\n    \(caret)"
    }

    /// The same as ``detailedDescription``.
    public var debugDescription: String { detailedDescription }
}
