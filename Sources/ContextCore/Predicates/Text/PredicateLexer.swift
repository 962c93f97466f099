/// Splits a predicate's text into tokens.
package struct PredicateLexer {
    /// The text in UTF-8.
    let bytes: [UInt8]
    private(set) var position = 0

    package init(_ text: String) {
        bytes = Array(text.utf8)
    }

    /// Returns the tokens of the whole text; the last one is `end`.
    package mutating func tokens() throws(PredicateSyntaxError) -> [PredicateToken] {
        var tokens: [PredicateToken] = []
        while true {
            skipSpace()
            let start = position
            let kind = try next()
            tokens.append(PredicateToken(kind: kind, range: start..<position))
            if kind == .end { return tokens }
        }
    }

    private mutating func next() throws(PredicateSyntaxError) -> PredicateToken.Kind {
        guard let byte = peek() else { return .end }
        if Self.beginsName(byte) { return scanWord() }
        if Self.isDigit(byte) || byte == UInt8(ascii: ".") && Self.isDigit(peek(1)) {
            return try scanNumber()
        }
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "'"): return .string(try scanQuotedString())
        case UInt8(ascii: "#"): return .name(try scanEscapedName())
        case UInt8(ascii: "$"): return .variable(try scanName(after: "$"))
        case UInt8(ascii: "@"): return .aggregate(try scanName(after: "@"))
        case UInt8(ascii: "%"): return try scanPlaceholder()
        default: return .symbol(try scanSymbol())
        }
    }

    func syntaxError(
        _ message: String, at offset: Int, suggestion: String? = nil
    ) -> PredicateSyntaxError {
        PredicateSyntaxError(message, at: offset, in: bytes, suggestion: suggestion)
    }
}

// MARK: - Words

extension PredicateLexer {
    private mutating func scanWord() -> PredicateToken.Kind {
        let word = scanName()
        return PredicateKeyword(word: word).map { .keyword($0) } ?? .name(word)
    }

    private mutating func scanName() -> String {
        let start = position
        while let byte = peek(), Self.continuesName(byte) { position += 1 }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    private mutating func scanEscapedName() throws(PredicateSyntaxError) -> String {
        if let next = peek(1), next == UInt8(ascii: "\"") || next == UInt8(ascii: "'") {
            position += 1
            return try scanQuotedString()
        }
        return try scanName(after: "#")
    }

    private mutating func scanName(after sign: String) throws(PredicateSyntaxError) -> String {
        let start = position
        position += 1
        guard let byte = peek(), Self.continuesName(byte) else {
            throw syntaxError("expected a name after \"\(sign)\"", at: start)
        }
        return scanName()
    }

    private mutating func scanPlaceholder() throws(PredicateSyntaxError) -> PredicateToken.Kind {
        let start = position
        position += 1
        if peek() == UInt8(ascii: "@") {
            position += 1
            return .argument("@")
        }
        let conversion = scanName()
        switch conversion {
        case "K": return .pathArgument
        case "d", "i", "u", "ld", "li", "lu", "lld", "lli", "llu", "zd", "zu", "qd", "qu", "hd", "hu":
            return .argument("d")
        case "f", "lf", "g", "lg", "e", "le": return .argument("f")
        default:
            throw syntaxError(
                "\"%\(conversion)\" isn't a placeholder for an argument", at: start,
                suggestion: "Write %@, %K, %ld or %f, or mod(a, b) for a remainder.")
        }
    }

    private mutating func scanSymbol() throws(PredicateSyntaxError) -> PredicateToken.Symbol {
        let start = position
        let two = String(decoding: bytes[start..<min(start + 2, bytes.count)], as: UTF8.self)
        let spellings: [String: PredicateToken.Symbol] = [
            "==": .equal, "<>": .notEqual, "=<": .lessOrEqual, "=>": .greaterOrEqual,
        ]
        if let symbol = spellings[two] ?? PredicateToken.Symbol(rawValue: two), two.utf8.count == 2 {
            position += 2
            return symbol
        }
        let one = String(decoding: bytes[start...start], as: UTF8.self)
        if let symbol = PredicateToken.Symbol(rawValue: one) {
            position += 1
            return symbol
        }
        let hints = ["&": "Write AND or &&.", "|": "Write OR or ||.", "?": "Write a ?? b, or TERNARY(…)."]
        throw syntaxError("unexpected character \"\(one)\"", at: start, suggestion: hints[one])
    }
}

// MARK: - Bytes

extension PredicateLexer {
    func peek(_ ahead: Int = 0) -> UInt8? {
        position + ahead < bytes.count ? bytes[position + ahead] : nil
    }

    mutating func advance(_ count: Int = 1) {
        position += count
    }

    private mutating func skipSpace() {
        while let byte = peek(), byte == 0x20 || (0x09...0x0D).contains(byte) { position += 1 }
    }

    static func isDigit(_ byte: UInt8?) -> Bool {
        byte.map { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ?? false
    }

    /// Whether a byte is a letter, an underscore or not ASCII.
    static func beginsName(_ byte: UInt8) -> Bool {
        byte >= 0x80 || byte == UInt8(ascii: "_")
            || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }

    static func continuesName(_ byte: UInt8) -> Bool {
        beginsName(byte) || isDigit(byte)
    }
}
