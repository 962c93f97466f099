/// A token of a statement in SQL, as SQLite and PostgreSQL write it.
///
/// It is enough to find the parts of a table's definition, and to read its conditions.
package struct SQLToken: Sendable, Equatable {
    package enum Kind: Sendable {
        /// A keyword or a name without quotation marks.
        case word
        /// A name in quotation marks.
        case name
        case text
        case number
        case symbol
    }

    package let kind: Kind
    /// The characters, without quotation marks.
    package let value: String
    /// The place in the statement.
    package let range: Range<String.Index>

    /// Whether it is a keyword, in any case of letters.
    package func isWord(_ word: String) -> Bool { kind == .word && value.lowercased() == word }

    package func isSymbol(_ symbol: String) -> Bool { kind == .symbol && value == symbol }

    /// Returns the tokens of a statement, without comments; nil if a quotation or a comment has no end.
    package static func tokens(of statement: String) -> [SQLToken]? {
        var reader = SQLTokenReader(statement)
        return reader.readAll()
    }
}

extension [SQLToken] {
    /// Returns the index of the parenthesis that closes the one at an index; nil if there is none.
    package func closingIndex(of opening: Int) -> Int? {
        var depth = 0
        for index in opening..<count {
            if self[index].isSymbol("(") { depth += 1 }
            if self[index].isSymbol(")") { depth -= 1 }
            if depth == 0 { return index }
        }
        return nil
    }
}

/// Reads the tokens of a statement.
private struct SQLTokenReader {
    private static let operators = [
        "->>", "!~~", "~~*", "<=", ">=", "<>", "!=", "==", "::", "||", "->", "!~", "~~", "~*",
    ]

    private let text: String
    private var index: String.Index

    init(_ text: String) {
        self.text = text
        index = text.startIndex
    }

    mutating func readAll() -> [SQLToken]? {
        var tokens: [SQLToken] = []
        while true {
            guard skipSpace() else { return nil }
            guard index < text.endIndex else { return tokens }
            guard let token = readToken() else { return nil }
            tokens.append(token)
        }
    }

    /// Skips spaces and comments; false if a comment has no end.
    private mutating func skipSpace() -> Bool {
        while index < text.endIndex {
            let rest = text[index...]
            if text[index].isWhitespace {
                index = text.index(after: index)
            } else if rest.hasPrefix("--") {
                index = rest.firstIndex(where: \.isNewline) ?? text.endIndex
            } else if rest.hasPrefix("/*") {
                guard let end = rest.firstRange(of: "*/") else { return false }
                index = end.upperBound
            } else {
                return true
            }
        }
        return true
    }

    private mutating func readToken() -> SQLToken? {
        let start = index
        let character = text[index]
        switch character {
        case "'": return readQuotation("'", .text)
        case "\"", "`": return readQuotation(character, .name)
        case "[" where closesBracket: return readQuotation("]", .name)
        default: break
        }
        if character.isNumber || character == "." && text[index...].dropFirst().first?.isNumber == true {
            return readNumber()
        }
        if character.isLetter || character == "_" {
            index =
                text[index...].firstIndex { !($0.isLetter || $0.isNumber || "_$".contains($0)) }
                ?? text.endIndex
            return SQLToken(kind: .word, value: String(text[start..<index]), range: start..<index)
        }
        let symbol = Self.operators.first(where: text[index...].hasPrefix) ?? String(character)
        index = text.index(index, offsetBy: symbol.count)
        return SQLToken(kind: .symbol, value: symbol, range: start..<index)
    }

    /// Whether a bracket begins a quoted name of SQLite, and not the elements of an array of PostgreSQL.
    private var closesBracket: Bool {
        guard index > text.startIndex else { return true }
        let before = text[..<index].reversed().prefix { $0.isLetter }
        return String(before.reversed()).lowercased() != "array" && text[..<index].last != "]"
            && !text[text.index(after: index)...].hasPrefix("]")
    }

    private mutating func readQuotation(_ mark: Character, _ kind: SQLToken.Kind) -> SQLToken? {
        let start = index
        var value = ""
        index = text.index(after: index)
        while index < text.endIndex {
            let character = text[index]
            index = text.index(after: index)
            if character != mark {
                value.append(character)
            } else if mark != "]", index < text.endIndex, text[index] == mark {
                value.append(mark)
                index = text.index(after: index)
            } else {
                return SQLToken(kind: kind, value: value, range: start..<index)
            }
        }
        return nil
    }

    private mutating func readNumber() -> SQLToken {
        let start = index
        var last: Character = "0"
        while index < text.endIndex {
            let character = text[index]
            let isSign = "+-".contains(character) && (last == "e" || last == "E")
            guard character.isNumber || character.isLetter || "._".contains(character) || isSign else {
                break
            }
            last = character
            index = text.index(after: index)
        }
        return SQLToken(kind: .number, value: String(text[start..<index]), range: start..<index)
    }
}
