#if SQLite
import Foundation

/// Encodes decimal numbers as text with the same sort order, byte by byte.
///
/// A number is 0.d₁d₂… × 10ᵉ with d₁ > 0. Zero is `5`. A positive number is `6`, then e + 500 in three digits, then the digits. A
/// negative one is `4`, then all that with each digit d as 9 − d, then `~`. Equal numbers have equal text, however they are scaled.
enum SortableDecimal {
    /// Encodes a number.
    static func text(of number: Decimal) -> String {
        var digits: [UInt8] = []
        var exponent = 0
        var isBehindPoint = false
        for byte in number.magnitude.description.utf8 {
            if byte == UInt8(ascii: ".") {
                isBehindPoint = true
                continue
            }
            if digits.isEmpty && byte == zero {
                if isBehindPoint { exponent -= 1 }
                continue
            }
            digits.append(byte)
            if !isBehindPoint { exponent += 1 }
        }
        while digits.last == zero { digits.removeLast() }
        if digits.isEmpty { return "5" }
        let body = String(exponent + 500).utf8 + digits
        if number.isSignMinus {
            return "4" + String(decoding: body.map { zero + nine - $0 }, as: UTF8.self) + "~"
        }
        return "6" + String(decoding: body, as: UTF8.self)
    }

    /// Decodes a text, or returns nil if it is invalid.
    static func number(_ text: String) -> Decimal? {
        var bytes = Array(text.utf8)
        if bytes == [UInt8(ascii: "5")] { return 0 }
        let isNegative = bytes.first == UInt8(ascii: "4")
        guard isNegative || bytes.first == UInt8(ascii: "6") else { return nil }
        bytes.removeFirst()
        if isNegative {
            guard bytes.popLast() == UInt8(ascii: "~") else { return nil }
            bytes = bytes.map { zero &+ nine &- $0 }
        }
        guard bytes.count > 3, let exponent = Int(String(decoding: bytes[..<3], as: UTF8.self)) else {
            return nil
        }
        let digits = String(decoding: bytes[3...], as: UTF8.self)
        return Decimal(string: "\(isNegative ? "-" : "")\(digits)e\(exponent - 500 - digits.utf8.count)")
    }

    private static let zero = UInt8(ascii: "0")
    private static let nine = UInt8(ascii: "9")
}
#endif
