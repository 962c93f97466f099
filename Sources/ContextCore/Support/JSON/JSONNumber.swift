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
        let parts = text.split(maxSplits: 1, omittingEmptySubsequences: false) { $0 == "e" || $0 == "E" }
        guard let mantissa = parts.first, let written = parts.count > 1 ? Int(parts[1]) : 0,
            Self.writtenExponents.contains(written)
        else { return nil }
        let fraction = mantissa.drop { $0 != "." }.dropFirst()
        let digits = mantissa.filter(\.isNumber).drop { $0 == "0" }
        let significant = digits.dropLast(while: { $0 == "0" })
        guard !significant.isEmpty else {
            self = 0
            return
        }
        let exponent = written - fraction.count + digits.count - significant.count
        guard significant.count <= Self.maximumDigits, Self.exponents.contains(exponent),
            let number = Decimal(string: String(significant), locale: Locale(identifier: "en_US_POSIX"))
        else { return nil }
        self.init(sign: mantissa.first == "-" ? .minus : .plus, exponent: exponent, significand: number)
    }
}

extension Substring {
    /// Returns the text without the trailing characters that satisfy a condition.
    fileprivate func dropLast(while condition: (Character) -> Bool) -> Substring {
        guard let last = lastIndex(where: { !condition($0) }) else { return "" }
        return self[...last]
    }
}
