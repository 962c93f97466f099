extension JSONParser {
    mutating func parseNumber() throws(JSONSyntaxError) -> JSONNumber {
        let start = offset
        let startPosition = position
        if next == UInt8(ascii: "-") { offset += 1 }
        let leading = next
        guard skipDigits() > 0 else {
            throw JSONSyntaxError(
                "Expected a digit after the minus sign, found \(foundDescription).", at: position)
        }
        if leading == UInt8(ascii: "0"), offset - start > (bytes[start] == UInt8(ascii: "-") ? 2 : 1) {
            throw JSONSyntaxError("A number can't have a leading zero: remove it.", at: startPosition)
        }
        if next == UInt8(ascii: ".") {
            offset += 1
            guard skipDigits() > 0 else {
                throw JSONSyntaxError(
                    "Expected a digit after the decimal point, found \(foundDescription).", at: position)
            }
        }
        if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
            offset += 1
            if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { offset += 1 }
            guard skipDigits() > 0 else {
                throw JSONSyntaxError(
                    "Expected a digit in the exponent, found \(foundDescription).", at: position)
            }
        }
        return JSONNumber(text: String(decoding: bytes[start..<offset], as: UTF8.self))
    }

    private mutating func skipDigits() -> Int {
        let start = offset
        while let byte = next, Self.digits.contains(byte) { offset += 1 }
        return offset - start
    }

    mutating func parseString() throws(JSONSyntaxError) -> String {
        let start = position
        offset += 1
        var text: [UInt8] = []
        var runStart = offset
        while let byte = next {
            switch byte {
            case UInt8(ascii: "\""):
                text += bytes[runStart..<offset]
                offset += 1
                return String(decoding: text, as: UTF8.self)
            case UInt8(ascii: "\\"):
                text += bytes[runStart..<offset]
                try parseEscape(into: &text)
                runStart = offset
            case 0..<0x20:
                let advice = byte == 0x0A ? "close it on its line" : "write \\u00\(hex(byte))"
                throw JSONSyntaxError(
                    "A string can't contain a control character: \(advice).", at: position)
            default:
                if byte & 0xC0 == 0x80 { continuationBytes += 1 }
                offset += 1
            }
        }
        throw JSONSyntaxError("The string has no closing quote: add it.", at: start)
    }

    private mutating func parseEscape(into text: inout [UInt8]) throws(JSONSyntaxError) {
        let start = position
        offset += 1
        guard let byte = next else {
            throw JSONSyntaxError("The string ends in an escape sequence.", at: start)
        }
        offset += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(byte)
        case UInt8(ascii: "b"): text.append(0x08)
        case UInt8(ascii: "f"): text.append(0x0C)
        case UInt8(ascii: "n"): text.append(0x0A)
        case UInt8(ascii: "r"): text.append(0x0D)
        case UInt8(ascii: "t"): text.append(0x09)
        case UInt8(ascii: "u"): text += String(try parseScalar(from: start)).utf8
        default:
            throw JSONSyntaxError(
                "The escape sequence is invalid: after a backslash, write one of \" \\ / b f n r t u.",
                at: start)
        }
    }

    private mutating func parseScalar(from start: JSONPosition) throws(JSONSyntaxError) -> Unicode.Scalar {
        let first = try parseUnit(from: start)
        if let scalar = Unicode.Scalar(first) { return scalar }
        if first < 0xDC00, bytes[offset...].starts(with: "\\u".utf8) {
            offset += 2
            let second = try parseUnit(from: start)
            if (0xDC00..<0xE000).contains(second),
                let scalar = Unicode.Scalar(0x10000 + UInt32(first - 0xD800) << 10 + UInt32(second - 0xDC00))
            {
                return scalar
            }
        }
        throw JSONSyntaxError(
            "The escape sequence is half of a surrogate pair: write both halves.", at: start)
    }

    private mutating func parseUnit(from start: JSONPosition) throws(JSONSyntaxError) -> UInt16 {
        let digits = String(decoding: bytes[offset..<min(offset + 4, bytes.count)], as: UTF8.self)
        guard digits.utf8.count == 4, digits.allSatisfy(\.isHexDigit), let unit = UInt16(digits, radix: 16)
        else {
            throw JSONSyntaxError("Expected four hexadecimal digits after \\u.", at: start)
        }
        offset += 4
        return unit
    }

    private func hex(_ byte: UInt8) -> String {
        let digits = String(byte, radix: 16)
        return digits.count < 2 ? "0" + digits : digits
    }
}
