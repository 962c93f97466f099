import Foundation

/// A number in a JSON text, kept with its full precision.
package struct JSONNumber: Sendable, Hashable {
    /// The number as it is in the text.
    package let text: String

    /// The number as a 64-bit integer; nil if it has a fraction or an exponent, or doesn't fit.
    package var int64: Int64? { Int64(text) }

    /// The nearest double; nil if the number is out of range.
    package var double: Double? {
        guard let number = Double(text), number.isFinite else { return nil }
        return number
    }

    /// The number as a decimal number; nil if a decimal can't represent it exactly.
    package var decimal: Decimal? { Decimal(exactly: text) }
}

extension Decimal {
    /// The exponents that a decimal number can have.
    private static let exponents = -128...127
    /// The number of digits that every decimal number can hold.
    private static let maximumDigits = 38
    /// The exponents that digits of a text that fits into memory can offset.
    private static let writtenExponents = -1_000_000_000_000...1_000_000_000_000

    /// Parses a number such as `-12.5e3`; nil if it can't be represented exactly.
    ///
    /// Foundation rounds numbers with too many digits, so digits and exponent are checked first.
    init?(exactly text: String) {
        let bytes = text.utf8
        let end = bytes.firstIndex { $0 == UInt8(ascii: "e") || $0 == UInt8(ascii: "E") }
        let mantissa = bytes[..<(end ?? bytes.endIndex)]
        let written = end.map { Int(text[bytes.index(after: $0)...]) } ?? 0
        guard let written, Self.writtenExponents.contains(written) else { return nil }
        let fraction = mantissa.drop { $0 != UInt8(ascii: ".") }.dropFirst()
        let digits = mantissa.filter(JSONParser.digits.contains).drop { $0 == UInt8(ascii: "0") }
        guard let last = digits.lastIndex(where: { $0 != UInt8(ascii: "0") }) else {
            self = 0
            return
        }
        let significant = digits[...last]
        let exponent = written - fraction.count + digits.count - significant.count
        guard significant.count <= Self.maximumDigits, Self.exponents.contains(exponent),
            let number = Decimal(digits: String(decoding: significant, as: UTF8.self))
        else { return nil }
        let sign: FloatingPointSign = mantissa.first == UInt8(ascii: "-") ? .minus : .plus
        self.init(sign: sign, exponent: exponent, significand: number)
    }

    /// Most numbers have few digits, and those need no locale, which would take most of the time.
    private init?(digits: String) {
        if let number = UInt64(digits) {
            self.init(number)
        } else {
            self.init(string: digits, locale: Locale(identifier: "en_US_POSIX"))
        }
    }
}
