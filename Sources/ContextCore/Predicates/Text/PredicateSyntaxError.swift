/// An error in the text of a predicate, with its position.
///
/// ```
/// Column 9: expected a value after ">", found "AND".
///     score > AND name = "Ann"
///             ^
/// ```
public struct PredicateSyntaxError: Error, Hashable, Sendable {
    /// The problem, as a sentence without a period.
    public let message: String
    /// A sentence that suggests a correction.
    public let suggestion: String?
    /// The line, from 1.
    public let line: Int
    /// The column in Unicode scalars, from 1.
    public let column: Int
    /// The text of the line.
    public let text: String

    /// Makes an error and computes its line and column from the byte offset.
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
    /// A sentence with the position and the problem, then the suggestion.
    public var description: String {
        let location = line == 1 ? "Column \(column)" : "Line \(line), column \(column)"
        let hint = suggestion.map { " \($0)" } ?? ""
        return "\(location): \(message).\(hint)"
    }

    /// The description, then the line of text and a caret under the error.
    public var detailedDescription: String {
        let caret = String(repeating: " ", count: column - 1) + "^"
        return "\(description)\n    \(text)\n    \(caret)"
    }

    /// The same as ``detailedDescription``.
    public var debugDescription: String { detailedDescription }
}
