/// Scans numbers and quoted strings.
extension PredicateLexer {
    mutating func scanNumber() throws(PredicateSyntaxError) -> PredicateToken.Kind {
        let start = position
        if peek() == UInt8(ascii: "0"), (peek(1) ?? 0) | 0x20 == UInt8(ascii: "x") {
            return try scanHexadecimal()
        }
        var isWhole = true
        skipDigits()
        if peek() == UInt8(ascii: "."), Self.isDigit(peek(1)) {
            isWhole = false
            advance()
            skipDigits()
        }
        if (peek() ?? 0) | 0x20 == UInt8(ascii: "e"), isAtExponent() {
            isWhole = false
            advance(Self.isDigit(peek(1)) ? 1 : 2)
            skipDigits()
        }
        try checkNumberEnd(start)
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        if isWhole {
            guard let value = UInt64(text) else { throw numberTooLargeError(start) }
            return .integer(value)
        }
        guard let value = Double(text), value.isFinite else { throw numberTooLargeError(start) }
        return .double(value)
    }

    private mutating func scanHexadecimal() throws(PredicateSyntaxError) -> PredicateToken.Kind {
        let start = position
        advance(2)
        while let byte = peek(), Self.continuesName(byte) { advance() }
        let digits = String(decoding: bytes[start + 2..<position], as: UTF8.self)
        guard let value = UInt64(digits, radix: 16) else {
            throw syntaxError("this isn't a hexadecimal number of at most 64 bits", at: start)
        }
        return .integer(value)
    }

    private mutating func skipDigits() {
        while Self.isDigit(peek()) { advance() }
    }

    private func isAtExponent() -> Bool {
        let sign = peek(1)
        let isSigned = sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-")
        return Self.isDigit(isSigned ? peek(2) : sign)
    }

    private func checkNumberEnd(_ start: Int) throws(PredicateSyntaxError) {
        guard let byte = peek(), Self.continuesName(byte) else { return }
        throw syntaxError(
            "a letter follows a number directly", at: start,
            suggestion: "Write the name of a property that starts with a digit as #\"2nd\".")
    }

    private func numberTooLargeError(_ start: Int) -> PredicateSyntaxError {
        syntaxError(
            "the number doesn't fit into 64 bits", at: start,
            suggestion: "Write an exact decimal number as decimal(\"…\").")
    }

    /// Scans a string in single or double quotes.
    mutating func scanQuotedString() throws(PredicateSyntaxError) -> String {
        let start = position
        let quote = bytes[position]
        advance()
        var text: [UInt8] = []
        while let byte = peek() {
            advance()
            if byte == quote { return String(decoding: text, as: UTF8.self) }
            if byte == UInt8(ascii: "\\") {
                text.append(contentsOf: try scanEscape())
            } else {
                text.append(byte)
            }
        }
        throw syntaxError("the string that starts here has no closing quote", at: start)
    }

    private mutating func scanEscape() throws(PredicateSyntaxError) -> [UInt8] {
        let start = position - 1
        let escapes: [UInt8: UInt8] = [
            UInt8(ascii: "n"): 0x0A, UInt8(ascii: "r"): 0x0D, UInt8(ascii: "t"): 0x09, UInt8(ascii: "0"): 0,
            UInt8(ascii: "\\"): UInt8(ascii: "\\"), UInt8(ascii: "\""): UInt8(ascii: "\""),
            UInt8(ascii: "'"): UInt8(ascii: "'"),
        ]
        if let byte = peek(), let meaning = escapes[byte] {
            advance()
            return [meaning]
        }
        guard peek() == UInt8(ascii: "u") else {
            throw syntaxError(
                "this escape sequence is unknown", at: start, suggestion: "Write a backslash as \\\\.")
        }
        advance()
        let digits = try scanEscapedDigits(start)
        guard let code = UInt32(digits, radix: 16), let scalar = Unicode.Scalar(code) else {
            throw syntaxError("this isn't a Unicode scalar", at: start)
        }
        return Array(String(Character(scalar)).utf8)
    }

    /// Scans the digits of `\u{1F600}` or `\u00E9`.
    private mutating func scanEscapedDigits(_ start: Int) throws(PredicateSyntaxError) -> String {
        if peek() == UInt8(ascii: "{") {
            let close = bytes[position...].firstIndex(of: UInt8(ascii: "}")) ?? bytes.count
            let digits = String(decoding: bytes[position + 1..<max(close, position + 1)], as: UTF8.self)
            advance(min(close + 1, bytes.count) - position)
            return digits
        }
        guard position + 4 <= bytes.count else { throw syntaxError("this isn't a Unicode scalar", at: start) }
        let digits = String(decoding: bytes[position..<position + 4], as: UTF8.self)
        advance(4)
        return digits
    }
}
