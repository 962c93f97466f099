/// Numbers and quoted text.
extension PredicateLexer {
    mutating func number() throws(PredicateSyntaxError) -> PredicateToken.Kind {
        let start = position
        if peek() == UInt8(ascii: "0"), (peek(1) ?? 0) | 0x20 == UInt8(ascii: "x") {
            return try hexadecimal()
        }
        var isWhole = true
        takeDigits()
        if peek() == UInt8(ascii: "."), Self.isDigit(peek(1)) {
            isWhole = false
            advance()
            takeDigits()
        }
        if (peek() ?? 0) | 0x20 == UInt8(ascii: "e"), exponentFollows() {
            isWhole = false
            advance(Self.isDigit(peek(1)) ? 1 : 2)
            takeDigits()
        }
        try endNumber(start)
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        if isWhole {
            guard let value = UInt64(text) else { throw tooGreat(start) }
            return .integer(value)
        }
        guard let value = Double(text), value.isFinite else { throw tooGreat(start) }
        return .double(value)
    }

    private mutating func hexadecimal() throws(PredicateSyntaxError) -> PredicateToken.Kind {
        let start = position
        advance(2)
        while let byte = peek(), Self.continuesName(byte) { advance() }
        let digits = String(decoding: bytes[start + 2..<position], as: UTF8.self)
        guard let value = UInt64(digits, radix: 16) else {
            throw fail("this is no hexadecimal number of 64 bits", at: start)
        }
        return .integer(value)
    }

    private mutating func takeDigits() {
        while Self.isDigit(peek()) { advance() }
    }

    private func exponentFollows() -> Bool {
        let sign = peek(1)
        let isSigned = sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-")
        return Self.isDigit(isSigned ? peek(2) : sign)
    }

    private func endNumber(_ start: Int) throws(PredicateSyntaxError) {
        guard let byte = peek(), Self.continuesName(byte) else { return }
        throw fail(
            "a number runs into a name", at: start,
            suggestion: "A property whose name begins with a digit is written #\"2nd\".")
    }

    private func tooGreat(_ start: Int) -> PredicateSyntaxError {
        fail(
            "the number is too great for 64 bits", at: start,
            suggestion: "Exact decimal numbers are written decimal(\"…\").")
    }

    /// Takes text between two equal quotes.
    mutating func quoted() throws(PredicateSyntaxError) -> String {
        let start = position
        let quote = bytes[position]
        advance()
        var text: [UInt8] = []
        while let byte = peek() {
            advance()
            if byte == quote { return String(decoding: text, as: UTF8.self) }
            if byte == UInt8(ascii: "\\") {
                text.append(contentsOf: try escape())
            } else {
                text.append(byte)
            }
        }
        throw fail("the text that begins here has no closing quote", at: start)
    }

    private mutating func escape() throws(PredicateSyntaxError) -> [UInt8] {
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
            throw fail(
                "this escape is unknown", at: start, suggestion: "A backslash itself is written \\\\.")
        }
        advance()
        let digits = try escapedDigits(start)
        guard let code = UInt32(digits, radix: 16), let scalar = Unicode.Scalar(code) else {
            throw fail("this is no Unicode scalar", at: start)
        }
        return Array(String(Character(scalar)).utf8)
    }

    /// The digits of `\u{1F600}` or of `\u00E9`.
    private mutating func escapedDigits(_ start: Int) throws(PredicateSyntaxError) -> String {
        if peek() == UInt8(ascii: "{") {
            let close = bytes[position...].firstIndex(of: UInt8(ascii: "}")) ?? bytes.count
            let digits = String(decoding: bytes[position + 1..<max(close, position + 1)], as: UTF8.self)
            advance(min(close + 1, bytes.count) - position)
            return digits
        }
        guard position + 4 <= bytes.count else { throw fail("this is no Unicode scalar", at: start) }
        let digits = String(decoding: bytes[position..<position + 4], as: UTF8.self)
        advance(4)
        return digits
    }
}
