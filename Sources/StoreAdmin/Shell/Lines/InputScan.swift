/// Finds out whether an input is complete or continues on the next line.
struct InputScan {
    /// Why an input continues.
    enum Continuation: Hashable, Sendable {
        /// A quote is open.
        case quote(Character)
        /// A bracket is open.
        case bracket
        /// A comment of an SQL statement is open.
        case comment
        /// The last line ends with a backslash.
        case backslash
    }

    /// The rules by which quotes and comments are recognized.
    private enum Language {
        /// Backslashes escape characters in quotes.
        case request
        /// Doubled quotes stand for quotes, and there are comments.
        case statement
    }

    /// Why the input continues; nil if it is complete.
    let continuation: Continuation?

    init(_ text: String) {
        guard let language = Self.language(of: text) else {
            continuation = nil
            return
        }
        continuation = text.hasSuffix("\\") ? .backslash : Self.openConstruct(in: text, language)
    }

    /// Returns the language of an input; nil for a command that takes neither a request nor a statement.
    private static func language(of text: String) -> Language? {
        let text = text.drop(while: \.isWhitespace)
        guard text.first == "\\" else { return .request }
        switch ShellWord(rawValue: String(text.dropFirst().prefix { !$0.isWhitespace }))?.operand {
        case .request, .object: return .request
        case .statement: return .statement
        default: return nil
        }
    }

    private static func openConstruct(in text: String, _ language: Language) -> Continuation? {
        var rest = text[...]
        var depth = 0
        while let character = rest.popFirst() {
            switch character {
            case "'", "\"":
                if !skipQuoted(&rest, by: character, language) { return .quote(character) }
            case "(", "[", "{": depth += 1
            case ")", "]", "}": depth -= 1
            case "-" where language == .statement && rest.first == "-":
                rest = rest.drop { !$0.isNewline }
            case "/" where language == .statement && rest.first == "*":
                guard let end = rest.dropFirst().firstRange(of: "*/") else { return .comment }
                rest = rest[end.upperBound...]
            default: break
            }
        }
        return depth > 0 ? .bracket : nil
    }

    /// Removes a quoted text without its opening quote; returns false if no quote closes it.
    private static func skipQuoted(
        _ rest: inout Substring, by quote: Character, _ language: Language
    ) -> Bool {
        while let character = rest.popFirst() {
            if character == quote { return true }
            if character == "\\", language == .request { rest = rest.dropFirst() }
        }
        return false
    }
}
