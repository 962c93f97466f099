import Foundation

/// A number exactly as a JSON text writes it.
package struct JSONNumber: Sendable, Hashable {
    /// The number as it was written.
    package let text: String

    /// The number as a 64-bit integer; nil when it has a fraction or an exponent, or doesn't fit.
    package var int64: Int64? { Int64(text) }

    /// The number as the nearest floating-point number; nil when it is too great for one.
    package var double: Double? {
        guard let number = Double(text), number.isFinite else { return nil }
        return number
    }

    /// The number as a decimal number; nil when that can't hold it exactly.
    package var decimal: Decimal? { Decimal(exactly: text) }
}

extension Decimal {
    /// The exponents that a decimal number has room for.
    private static let exponents = -128...127
    /// How many digits every decimal number has room for.
    private static let mostDigits = 38
    /// Exponents beyond these can be made good by no text that fits into memory.
    private static let writtenExponents = -1_000_000_000_000...1_000_000_000_000

    /// Makes a number of text such as `-12.5e3`; nil when it can't be held exactly.
    ///
    /// Foundation rounds what is too long, so digits and exponent are counted first.
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
        guard significant.count <= Self.mostDigits, Self.exponents.contains(exponent),
            let number = Decimal(string: String(significant), locale: Locale(identifier: "en_US_POSIX"))
        else { return nil }
        self.init(sign: mantissa.first == "-" ? .minus : .plus, exponent: exponent, significand: number)
    }
}

extension Substring {
    /// The text without the characters at its end that a condition holds for.
    fileprivate func dropLast(while condition: (Character) -> Bool) -> Substring {
        guard let last = lastIndex(where: { !condition($0) }) else { return "" }
        return self[...last]
    }
}
